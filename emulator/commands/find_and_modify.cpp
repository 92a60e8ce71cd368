#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/executor_error.h"
#include "emulator/explain.h"
#include "emulator/facts/reply_facts.h"
#include "emulator/index_scan.h"
#include "emulator/oplog_writes.h"
#include "emulator/store/projection.h"
#include "emulator/transaction.h"
#include "emulator/update_statement.h"
#include "emulator/write_reply.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("query"),        std::string_view("sort"),
                            std::string_view("remove"),       std::string_view("update"),
                            std::string_view("new"),          std::string_view("fields"),
                            std::string_view("upsert"),       std::string_view("bypassDocumentValidation"),
                            std::string_view("arrayFilters"), std::string_view("hint"),
                            std::string_view("collation"),    std::string_view("let"),
                            std::string_view("stmtId"),       std::string_view("runtimeConstants"),
                            std::string_view("maxTimeMS")};

struct Modification {
  Matcher filter;
  SortPattern sort;
  Projection projection;
  IndexScan::Wish hint;
  std::optional<IndexScan> scan;  // planned from it
  std::optional<Update> update;
  bool remove = false;
  bool returns_new = false;
  bool upsert = false;
};

void check(const Arguments& arguments, const Modification& modification) {
  const wire::ValueView update = arguments["update"];
  if (modification.remove) {
    if (update) throw CommandError(9, "Cannot specify both an update and remove=true");
    if (modification.upsert) throw CommandError(9, "Cannot specify both upsert=true and remove=true ");
    if (modification.returns_new)
      throw CommandError(9,
                         "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document");
    return;
  }
  if (update.missing()) throw CommandError(9, "Either an update or remove=true must be specified");
  if (!update.is(wire::Type::Document) && !update.is(wire::Type::Array))
    throw CommandError(9, "Update argument must be either an object or an array");
  if (update.is(wire::Type::Array) && arguments["arrayFilters"])
    throw CommandError(9, "Cannot specify arrayFilters and a pipeline update");
}

// The update is read before the query, and its errors say nothing of an execution.
Modification read(const Context& context, const Arguments& arguments, const Collection* collection) {
  Modification modification;
  modification.remove = arguments.flag("remove");
  modification.returns_new = arguments.flag("new");
  modification.upsert = arguments.flag("upsert");
  check(arguments, modification);
  if (!modification.remove) modification.update = parse_update(context, arguments["update"], arguments["arrayFilters"]);
  arguments.object("collation");
  const MatchContext match = match_context(context, MatchPlace::Find, arguments["collation"], collection);
  modification.filter = Matcher::parse(arguments.object("query"), match);
  modification.hint = IndexScan::read(arguments);
  modification.sort =
      SortPattern::parse(arguments.object("sort"), context.profile().wording, match.expressions.collation);
  modification.projection = Projection::parse(arguments.object("fields"), ProjectionKind::Find, match);
  if (collection != nullptr) modification.projection.optimize();
  return modification;
}

// lastErrorObject and value, as the reply has them and a retry gets them again.
class Answer {
 public:
  void error_object(std::int32_t n) { out_.begin_document("lastErrorObject").append_int32("n", n); }
  void updated_existing(bool existing) { out_.append_bool("updatedExisting", existing); }
  void upserted(wire::ValueView id) { out_.append("upserted", id); }
  wire::Document value(const wire::Document& document) {
    out_.end();
    document.is_default() ? out_.append_null("value") : out_.append_document("value", document);
    return out_.finish();
  }

 private:
  wire::DocumentBuilder out_;
};

void throw_if(Failure failure) {
  if (failure) throw *failure;
}

std::optional<Found> first_match(const Collection* collection, const Modification& modification, const ReadView& view) {
  if (collection == nullptr) return std::nullopt;
  const QueryOptions options{0, 1, modification.scan ? &*modification.scan : nullptr};
  std::vector<Found> found = find_documents(*collection, modification.filter, modification.sort, view, options);
  return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

wire::Document remove(Writer& writer, Collection* collection, const Modification& modification) {
  Answer answer;
  const std::optional<Found> found = first_match(collection, modification, writer.view());
  answer.error_object(found ? 1 : 0);
  if (!found) return answer.value({});
  writer.keep_retry_image(RetryImage::PreImage);
  throw_if(writer.remove(*collection, found->record));
  return answer.value(modification.projection.apply(found->document, &modification.filter));
}

wire::Document update(Context& context, Writer& writer, const std::string& name, Collection* collection,
                      const Modification& modification, const Update& update) {
  const auto project = [&](const wire::Document& document) {
    return modification.projection.apply(document, &modification.filter);
  };
  Answer answer;
  if (const std::optional<Found> found = first_match(collection, modification, writer.view())) {
    writer.keep_retry_image(modification.returns_new ? RetryImage::PostImage : RetryImage::PreImage);
    Updated updated;
    throw_if(update_found(writer, *collection, *found, modification.filter, update, updated));
    answer.error_object(1);
    answer.updated_existing(true);
    return answer.value(project(modification.returns_new ? updated.after : found->document));
  }
  if (!modification.upsert) {
    answer.error_object(0);
    answer.updated_existing(false);
    return answer.value({});
  }
  wire::Document inserted;
  throw_if(upsert(context, writer, name, modification.filter, update, inserted));
  answer.error_object(1);
  answer.updated_existing(false);
  answer.upserted(inserted["_id"]);
  return answer.value(modification.returns_new ? project(inserted) : wire::Document());
}

constexpr std::array field_versions{FieldVersion{"let", 13}, FieldVersion{"hint", 9}};

CommandError refused_by_hand(const CommandSpec&, std::string_view field) {
  return CommandError(51177, "BSON field '" + std::string(field) + "' is an unknown field.");
}

Outcome run(Context& context) {
  const std::string name = context.collection_name();
  const Arguments arguments(context.request.body, "findAndModify");
  Modification modification = read(context, arguments, find_collection(context, context.request.db, name));
  Writer writer(context);
  const auto statement = static_cast<std::int32_t>(whole_number(context.request["stmtId"]));
  if (writer.is_retryable()) {
    const auto done = writer.session()->statements.find(statement);
    if (done != writer.session()->statements.end()) {
      context.reply.append_all(done->second.answer);
      if (context.profile().replies.retried_statements) context.reply.append_int32("retriedStmtId", statement);
      return Replied{};
    }
  }
  Collection* collection = written_collection(context, name);
  if (collection != nullptr)
    if (Failure failure = view_failure(*collection)) throw CommandError(*failure);
  if (modification.remove && may_try_oplog(context, name)) throw CommandError(*oplog_delete_failure());
  if (collection != nullptr)
    modification.scan =
        IndexScan::plan(*collection, modification.hint, {modification.filter, IndexScan::CollationShown::Yes});
  writer.begin_statement(statement);
  wire::Document answer;
  executed(context, Executor::FindAndModify, name, [&] {
    answer = modification.remove ? remove(writer, collection, modification)
                                 : update(context, writer, name, collection, modification, *modification.update);
  });
  // What wrote nothing is tried again when it is retried.
  if (writer.is_retryable() && writer.last_time()) {
    StatementOutcome& done = writer.session()->statements[statement];
    done.answer = answer;
    done.n = 1;
    done.modified = modification.remove ? 0 : 1;
  }
  if (context.transaction == nullptr) context.connection.last_write = context.deployment.cluster_time();
  context.reply.append_all(answer);
  context.exchange.operation_time = writer.last_time();
  return Replied{};
}

void explain(const Context& context, wire::DocumentBuilder& out, wire::DocumentView command, Verbosity verbosity) {
  const Arguments arguments(command, "findAndModify");
  PlannedQuery query;
  query.collection = explained_collection(context, command);
  query.filter = arguments.object("query");
  query.sort = arguments.object("sort");
  query.limit = 1;
  query.hint = command["hint"];
  query.collation = command["collation"];
  query.over = arguments.flag("remove") ? PlanOver::Delete : PlanOver::Update;
  append_plan(out, context, query, verbosity);
}

bool authorized(const Context& context, const Request& request) {
  const Resource collection = target_collection(request);
  if (is_truthy(request["bypassDocumentValidation"]) && !may(context, collection, {Action::BypassDocumentValidation}))
    return false;
  if (is_truthy(request["remove"])) return may(context, collection, {Action::Find, Action::Remove});
  return may(context, collection, {Action::Find, Action::Update}) &&
         (!is_truthy(request["upsert"]) || may(context, collection, {Action::Insert}));
}

}  // namespace

extern constinit const CommandSpec find_and_modify_command{
    .name = "findAndModify",
    .aliases = {"findandmodify"},
    .runs_on = RunsOn::Primary,
    .in_transaction = InTransaction::Allowed,
    .write_concern = WriteConcern::Supported,
    .api_version_1 = ApiVersion1::Yes,
    .fields = fields,
    .field_versions = field_versions,
    .unknown_until_4_4 = refused_by_hand,
    .profiled_as = "command",
    .authorized = authorized,
    .run = run,
    .explain = explain,
    .help = "Changes one document and returns it as it was or is."};

}  // namespace emulator
