// bulkWrite: inserts, updates and deletes of several collections in one command, answered by a cursor (8.0 and later).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/cursor.h"
#include "emulator/statement_writes.h"
#include "emulator/write_reply.h"

namespace emulator {
namespace {

using wire::Type;

constexpr std::array fields{std::string_view("ops"),     std::string_view("nsInfo"),
                            std::string_view("ordered"), std::string_view("errorsOnly"),
                            std::string_view("cursor"),  std::string_view("bypassDocumentValidation"),
                            std::string_view("let"),     std::string_view("stmtId"),
                            std::string_view("stmtIds"), std::string_view("maxTimeMS")};

enum class Kind { Insert, Update, Delete };
constexpr std::pair<std::string_view, Kind> kinds[] = {
    {"insert", Kind::Insert}, {"update", Kind::Update}, {"delete", Kind::Delete}};

struct Namespace {
  std::string db;
  std::string collection;
};

struct Operation {
  Kind kind = Kind::Insert;
  const Namespace* ns = nullptr;
  wire::Document statement;  // as insert, update and delete take one: {document}, {q, u, …}, {q, limit, …}
};

std::vector<Namespace> read_namespaces(const Request& request, Wording wording) {
  std::vector<Namespace> out;
  for (const wire::DocumentView info : request.documents("nsInfo")) {
    const Arguments arguments(info, "bulkWrite.nsInfo");
    arguments.required("ns");
    const std::string_view ns = arguments.text("ns").value_or("");
    const std::size_t dot = std::min(ns.find('.'), ns.size());
    const std::string_view collection = dot == ns.size() ? std::string_view() : ns.substr(dot + 1);
    check_collection_name(ns.substr(0, dot), collection, wording);
    out.push_back({std::string(ns.substr(0, dot)), std::string(collection)});
  }
  return out;
}

void append_renamed(wire::DocumentBuilder& out, wire::DocumentView from, std::string_view field, std::string_view to) {
  if (const wire::ValueView value = from[field]) out.append(to, value);
}

// The operation in the words of its own command.
wire::Document statement_of(Kind kind, wire::DocumentView given) {
  const Arguments arguments(given, "bulkWrite.ops");
  wire::DocumentBuilder out;
  if (kind == Kind::Insert) {
    arguments.required("document");
    return out.append_document("document", arguments.object("document")).finish();
  }
  arguments.required("filter");
  out.append_document("q", arguments.object("filter"));
  const bool multi = arguments.boolean("multi");
  if (kind == Kind::Update) {
    out.append("u", arguments.required("updateMods"));
    append_renamed(out, given, "constants", "c");
    append_renamed(out, given, "arrayFilters", "arrayFilters");
    append_renamed(out, given, "upsert", "upsert");
    out.append_bool("multi", multi);
  } else {
    out.append_int32("limit", multi ? 0 : 1);
  }
  append_renamed(out, given, "hint", "hint");
  append_renamed(out, given, "collation", "collation");
  return out.finish();
}

Operation read_operation(std::size_t index, wire::DocumentView given, const std::vector<Namespace>& namespaces) {
  const auto& [name, target] = given.first();
  const auto* const kind =
      std::find_if(std::begin(kinds), std::end(kinds), [&](const auto& each) { return each.first == name; });
  if (kind == std::end(kinds))
    throw CommandError(9, fmt::format("BulkWrite ops entry {} has no known operation: {}", index, name));
  const std::int64_t number = target.is_number() ? whole_number(target) : -1;
  if (number < 0 || number >= static_cast<std::int64_t>(namespaces.size()))
    throw CommandError(2, fmt::format("BulkWrite ops entry {} has an invalid nsInfo index.", index));
  return {kind->second, &namespaces[static_cast<std::size_t>(number)], statement_of(kind->second, given)};
}

// Statements look at the database of the request; for as long as this lives it is the operation's.
class InDatabase {
 public:
  InDatabase(Request& request, std::string_view db) : request_(request), before_(request.db) { request.db = db; }
  InDatabase(const InDatabase&) = delete;
  InDatabase& operator=(const InDatabase&) = delete;
  ~InDatabase() { request_.db = before_; }

 private:
  Request& request_;
  std::string_view before_;
};

Failure run_operation(Context& context, Writer& writer, const WriteStatements& statements, const Operation& operation,
                      StatementOutcome& outcome) {
  const InDatabase there(context.exchange.request, operation.ns->db);
  const std::string& name = operation.ns->collection;
  written_collection(context, name);
  const Arguments statement(operation.statement, "bulkWrite.ops");
  switch (operation.kind) {
    case Kind::Insert:
      return run_insert(context, writer, name, operation.statement["document"].as_document(), outcome);
    case Kind::Update:
      return run_update(context, writer, statements, name, statement, outcome);
    case Kind::Delete:
      return run_delete(context, writer, name, statement, outcome);
  }
  return std::nullopt;
}

// Consecutive inserts into one collection are tried together, as one insert command's are.
void group_inserts(const Context& context, Writer& writer, const std::vector<Operation>& operations,
                   std::size_t index) {
  const Operation& operation = operations[index];
  const auto is_insert_here = [&](const Operation& other) {
    return other.kind == Kind::Insert && other.ns == operation.ns;
  };
  if (index > 0 && is_insert_here(operation) && is_insert_here(operations[index - 1])) return;
  writer.finish_insert_batch();
  if (operation.kind == Kind::Insert)
    writer.begin_insert_batch(find_collection(context, operation.ns->db, operation.ns->collection));
}

class Summary {
 public:
  wire::Document add(std::int32_t index, Kind kind, const StatementOutcome& outcome, const Failure& failure) {
    wire::DocumentBuilder item;
    item.append_double("ok", failure ? 0 : 1).append_int32("idx", index);
    if (failure) {
      ++errors_;
      item.append_int32("code", failure->code).append_string("errmsg", failure->message).append_all(failure->extra);
      item.append_int32("n", 0);
      if (kind == Kind::Update) item.append_int32("nModified", 0);
      return item.finish();
    }
    item.append_int32("n", outcome.n);
    if (kind == Kind::Insert) inserted_ += outcome.n;
    if (kind == Kind::Delete) deleted_ += outcome.n;
    if (kind != Kind::Update) return item.finish();
    item.append_int32("nModified", outcome.modified);
    modified_ += outcome.modified;
    if (outcome.upserted) {
      ++upserted_;
      item.begin_document("upserted").append("_id", outcome.upserted).end();
    } else {
      matched_ += outcome.n;
    }
    return item.finish();
  }
  void append(wire::DocumentBuilder& out) const {
    out.append_int32("nErrors", errors_).append_int32("nInserted", inserted_).append_int32("nMatched", matched_);
    out.append_int32("nModified", modified_).append_int32("nUpserted", upserted_).append_int32("nDeleted", deleted_);
  }
  bool failed() const { return errors_ > 0; }

 private:
  std::int32_t errors_ = 0;
  std::int32_t inserted_ = 0;
  std::int32_t matched_ = 0;
  std::int32_t modified_ = 0;
  std::int32_t upserted_ = 0;
  std::int32_t deleted_ = 0;
};

Outcome run(Context& context) {
  const Arguments arguments(context.request.body, "bulkWrite");
  const std::vector<Namespace> namespaces = read_namespaces(context.request, context.profile().wording);
  std::vector<Operation> operations;
  for (const wire::DocumentView given : context.request.documents("ops"))
    operations.push_back(read_operation(operations.size(), given, namespaces));
  check_batch_size(operations.size());
  const bool errors_only = arguments.boolean("errorsOnly");
  CursorOptions cursor;
  cursor.batch_size = Arguments(arguments.object("cursor"), "bulkWrite.cursor").count("batchSize");
  Writer writer(context);
  WriteStatements statements(context, writer, Counts::MatchedAndModified);
  Summary summary;
  std::vector<wire::Document> items;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const auto index = static_cast<std::int32_t>(i);
    group_inserts(context, writer, operations, i);
    const bool goes_on = statements.run(index, [&](StatementOutcome& outcome) {
      return run_operation(context, writer, statements, operations[i], outcome);
    });
    wire::Document item = summary.add(index, operations[i].kind, statements.last_outcome(), statements.last_failure());
    if (!errors_only || statements.last_failure()) items.push_back(std::move(item));
    if (!goes_on) break;
  }
  writer.finish_insert_batch();
  reply_with_cursor(context, "admin", "$cmd.bulkWrite", std::move(items), cursor);
  summary.append(context.reply);
  statements.append_retried();
  if (context.transaction == nullptr && writer.last_time()) context.connection.last_write = writer.last_time();
  if (writer.last_time()) context.exchange.operation_time = writer.last_time();
  if (summary.failed()) fail_session(context);
  return Replied{};
}

bool may_run(const Context& context, const Operation& operation, bool upserts) {
  const Resource target = Resource::of(operation.ns->db, operation.ns->collection);
  switch (operation.kind) {
    case Kind::Insert:
      return may(context, target, {Action::Insert});
    case Kind::Update:
      return may(context, target, {Action::Update}) && (!upserts || may(context, target, {Action::Insert}));
    case Kind::Delete:
      return may(context, target, {Action::Remove});
  }
  return false;
}

bool authorized(const Context& context, const Request& request) {
  // A cursor keeps its command without document sequences: its getMore has nothing more to ask.
  if (request.sequences.empty() && !(request.body.has("ops") && request.body.has("nsInfo"))) return true;
  const std::vector<Namespace> namespaces = read_namespaces(request, context.profile().wording);
  const bool may_bypass =
      !is_truthy(request["bypassDocumentValidation"]) || std::ranges::all_of(namespaces, [&](const Namespace& ns) {
        return may(context, Resource::of(ns.db, ns.collection), {Action::BypassDocumentValidation});
      });
  std::size_t index = 0;
  return may_bypass && std::ranges::all_of(request.documents("ops"), [&](wire::DocumentView given) {
           return may_run(context, read_operation(index++, given, namespaces), is_truthy(given["upsert"]));
         });
}

constexpr int mongodb_8_0 = 25;

}  // namespace

extern constinit const CommandSpec bulk_write_command{.name = "bulkWrite",
                                                      .runs_on = RunsOn::Primary,
                                                      .in_transaction = InTransaction::Allowed,
                                                      .admin_only = AdminOnly::Yes,
                                                      .write_concern = WriteConcern::Supported,
                                                      .api_version_1 = ApiVersion1::Yes,
                                                      .wire_version_min = mongodb_8_0,
                                                      .fields = fields,
                                                      .authorized = authorized,
                                                      .run = run,
                                                      .help = "Writes to several collections."};

}  // namespace emulator
