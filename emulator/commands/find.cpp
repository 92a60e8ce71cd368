#include <algorithm>
#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/cursor.h"
#include "emulator/dispatch.h"
#include "emulator/executor_error.h"
#include "emulator/explain.h"
#include "emulator/index_scan.h"
#include "emulator/query.h"
#include "emulator/readable.h"
#include "emulator/store/match_node.h"
#include "emulator/tailable.h"
#include "emulator/transaction.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("find"),
                            std::string_view("filter"),
                            std::string_view("projection"),
                            std::string_view("sort"),
                            std::string_view("hint"),
                            std::string_view("collation"),
                            std::string_view("comment"),
                            std::string_view("skip"),
                            std::string_view("limit"),
                            std::string_view("batchSize"),
                            std::string_view("singleBatch"),
                            std::string_view("allowDiskUse"),
                            std::string_view("max"),
                            std::string_view("min"),
                            std::string_view("returnKey"),
                            std::string_view("showRecordId"),
                            std::string_view("tailable"),
                            std::string_view("oplogReplay"),
                            std::string_view("awaitData"),
                            std::string_view("let"),
                            std::string_view("ntoreturn"),
                            std::string_view("term"),
                            std::string_view("options"),
                            std::string_view("runtimeConstants"),
                            std::string_view("noCursorTimeout"),
                            std::string_view("allowPartialResults"),
                            std::string_view("readOnce"),
                            std::string_view("allowSpeculativeMajorityRead"),
                            std::string_view("requestResumeToken"),
                            std::string_view("resumeAfter")};

// What QueryRequest says of a field up to 4.4.
[[noreturn]] void failed_to_parse(std::string_view field, wire::ValueView value, std::string_view type) {
  throw CommandError(9, "Failed to parse: " + std::string(field) + ": " + bson_text(value) + ". '" +
                            std::string(field) + "' field must be of BSON type " + std::string(type) + ".");
}

bool parses_by_hand(const Context& context) { return context.profile().wording <= Wording::V4_4; }

wire::DocumentView object(const Context& context, std::string_view field) {
  const wire::ValueView value = context.request[field];
  if (value.missing()) return {};
  if (!value.is(wire::Type::Document) && parses_by_hand(context)) failed_to_parse(field, value, "object");
  if (!value.is(wire::Type::Document))
    throw CommandError(14, "Expected field " + std::string(field) + "to be of type object");
  return value.as_document();
}

constexpr int wire_version_4_2 = 8;

bool boolean(const Context& context, std::string_view field) {
  const wire::ValueView value = context.request[field];
  if (value.missing()) return false;
  if (!value.is(wire::Type::Bool) && parses_by_hand(context)) failed_to_parse(field, value, "bool");
  if (value.is_nullish()) return false;
  if (value.is(wire::Type::Bool)) return value.as_bool();
  const std::string name(field);
  // oplogReplay is read only to be passed over, and mongod's words for that are these.
  if (field == "oplogReplay") throw CommandError(14, "Expected field " + name + "to be of type object");
  throw CommandError(
      14, "Field '" + name + "' should be a boolean value, but found: " + std::string(wire::type_name(value.type())));
}

void check_fields(const Context& context) {
  const Request& request = context.request;
  const Profile& profile = context.profile();
  const bool by_hand = parses_by_hand(context);
  for (const wire::Element& element : request.body) {
    const bool known = std::ranges::find(fields, element.name) != fields.end() && !(by_hand && element.name == "let");
    if (known || is_generic_field(element.name, profile)) continue;
    if (by_hand)
      throw CommandError(9, "Failed to parse: " + bson_text(request.body) + ". Unrecognized field '" +
                                std::string(element.name) + "'.");
    throw CommandError(40415, "BSON field 'FindCommandRequest." + std::string(element.name) + "' is an unknown field.");
  }
}

std::optional<std::int64_t> count(const Context& context, std::string_view field, std::string_view shown) {
  const Arguments arguments(context.request.body, "FindCommandRequest");
  if (!parses_by_hand(context)) return arguments.count(field);
  const std::optional<std::int64_t> value = arguments.whole(field);
  if (value && *value < 0)
    throw CommandError(2, std::string(shown) + " value must be non-negative, but received: " + std::to_string(*value));
  return value;
}

struct FindRequest {
  Matcher filter;
  SortPattern sort;
  Projection projection;
  QueryOptions options;
  CursorOptions cursor;
  bool tailable = false;
  bool await_data = false;
  bool show_record_id = false;
  bool return_key = false;
  IndexScan::Wish wish;
};

// Up to 4.2 oplogReplay is a wish that mongod checks; from 4.4 on it does so by itself and ignores the word. True: it is a scan of
// its own, which knows the filter and none of the options.
bool replays_oplog(const Context& context, const Readable& readable, wire::DocumentView filter) {
  if (!boolean(context, "oplogReplay") || context.profile().max_wire_version > wire_version_4_2) return false;
  if (!readable.is_oplog() && (readable.collection() == nullptr || !readable.collection()->capped()))
    throw CommandError(2, "OplogReplay cursor requested on non-capped collection");
  const wire::ValueView ts = filter["ts"];
  bool begins = ts && !is_operators(ts);
  if (is_operators(ts))
    for (const std::string_view bound : {"$eq", "$gt", "$gte"}) begins = begins || ts.as_document().has(bound);
  if (!begins)
    throw CommandError(62, "OplogReplay query does not contain top-level $eq, $gt, or $gte over the 'ts' field.");
  return true;
}

// {_id: VALUE}: mongod looks it up, and knows that there is no second one.
bool is_simple_id_query(wire::DocumentView filter) {
  const wire::Element first = filter.first();
  if (first.name != "_id" || filter.count() != 1) return false;
  if (first.value.is(wire::Type::Regex) || first.value.is(wire::Type::Array)) return false;
  return !is_operators(first.value);
}

// Sort, filter and projection, and what the options mean together.
void canonicalize(const Context& context, std::string_view name, FindRequest& find) {
  const Request& request = context.request;
  object(context, "collation");
  const MatchContext match =
      match_context(context, MatchPlace::Find, request["collation"], find_collection(context, request.db, name));
  const wire::DocumentView filter = object(context, "filter");
  const wire::DocumentView sort = object(context, "sort");
  const wire::DocumentView projection = object(context, "projection");
  find.sort = SortPattern::parse(sort, context.profile().wording, match.expressions.collation);
  if (find.tailable && !find.sort.empty() && find.sort.natural() != NaturalOrder::Forward)
    throw CommandError(2, "cannot use tailable option with a sort other than {$natural: 1}");
  if (find.tailable && find.cursor.single_batch)
    throw CommandError(2, "cannot use tailable option with the 'singleBatch' option");
  if (find.sort.natural() != NaturalOrder::None && !find.wish.empty())
    throw CommandError(2, "index hint not allowed with $natural sort order");
  find.filter = Matcher::parse(filter, match);
  find.projection = Projection::parse(projection, ProjectionKind::Find, match);
  if (context.profile().wording > Wording::V5_0) find.projection.optimize();
  if (is_simple_id_query(filter)) find.cursor.end = CursorOptions::End::Known;
}

FindRequest read_request(const Context& context, std::string_view name) {
  const Request& request = context.request;
  check_fields(context);
  const wire::ValueView comment = request["comment"];
  if (comment && !comment.is(wire::Type::String) && context.profile().max_wire_version <= wire_version_4_2)
    failed_to_parse("comment", comment, "string");
  FindRequest find;
  find.options = {count(context, "skip", "Skip").value_or(0), count(context, "limit", "Limit").value_or(0)};
  find.cursor.batch_size = count(context, "batchSize", "BatchSize");
  find.cursor.single_batch = boolean(context, "singleBatch");
  find.cursor.no_timeout = boolean(context, "noCursorTimeout");
  find.show_record_id = boolean(context, "showRecordId");
  find.return_key = boolean(context, "returnKey");
  const wire::ValueView hint = request["hint"];
  if (parses_by_hand(context) && hint && !hint.is(wire::Type::String) && !hint.is(wire::Type::Document))
    throw CommandError(9, "hint must be either a string or nested object");
  find.wish = IndexScan::read(Arguments(request.body, "FindCommandRequest"));
  find.tailable = boolean(context, "tailable");
  find.await_data = boolean(context, "awaitData");
  boolean(context, "oplogReplay");
  if (find.await_data && !find.tailable)
    throw CommandError(9, "Cannot set 'awaitData' without also setting 'tailable'");
  try {
    canonicalize(context, name, find);
  } catch (CommandError& error) {
    if (request.legacy == Legacy::Query) error.message = "Can't canonicalize query :: caused by :: " + error.message;
    throw;
  }
  return find;
}

// A name that stands for nothing has its own order of fields.
Outcome reply_nothing(Context& context, std::string_view name) {
  const std::string ns = std::string(context.request.db) + "." + std::string(name);
  context.reply.begin_document("cursor")
      .append_int64("id", 0)
      .append_string("ns", ns)
      .begin_array("firstBatch")
      .end()
      .end();
  return Replied{};
}

Outcome reply_tailing(Context& context, const Readable& readable, std::string_view name, FindRequest find) {
  const Collection* collection = readable.collection();
  if (!readable.is_oplog() && (collection == nullptr || !collection->capped()))
    throw CommandError(2, "error processing query: ns=" + std::string(context.request.db) + "." + std::string(name) +
                              "Tree: $and\nSort: {}\nProj: {}\n tailable cursor requested on non capped collection");
  TailOptions options{std::move(find.filter), std::move(find.projection),
                      find.await_data ? AwaitData::Yes : AwaitData::No, find.options.skip};
  auto cursor = std::make_unique<TailableCursor>(readable, std::move(options));
  std::int64_t limit = find.cursor.batch_size.value_or(first_batch_default);
  if (find.options.limit > 0) limit = std::min(limit, find.options.limit);
  const std::vector<wire::Document> batch =
      find.cursor.batch_size == 0 ? std::vector<wire::Document>() : cursor->next(context, limit);
  wire::DocumentBuilder& out = context.reply;
  out.begin_document("cursor").begin_array("firstBatch");
  for (const wire::Document& document : batch) out.append_document(out.item_name(), document);
  out.end();
  // On an empty capped collection there is no place to stand at.
  const bool keep = readable.is_oplog() || collection->count() > 0;
  cursor->no_timeout = find.cursor.no_timeout;
  cursor->documents_returned = static_cast<std::int64_t>(batch.size());
  const std::int64_t id = keep ? keep_cursor(context, std::move(cursor), context.request.db, name).id : 0;
  out.append_int64("id", id).append_string("ns", std::string(context.request.db) + "." + std::string(name)).end();
  return Replied{};
}

wire::Document with_record_id(const Found& found) {
  wire::DocumentBuilder out;
  return out.append_all(found.document).append_int64("$recordId", found.record).finish();
}

std::vector<wire::Document> results_of(const Context& context, const Readable& readable, const FindRequest& find) {
  std::optional<IndexScan> scan;
  if (const Collection* collection = readable.collection()) {
    const wire::DocumentView sort = object(context, "sort");
    scan = IndexScan::plan(
        *collection, find.wish,
        {find.filter, IndexScan::CollationShown::No, sort, object(context, "projection"), context.profile().wording});
    if (!scan && find.return_key) scan = IndexScan::likely(*collection, find.filter, sort);
  }
  QueryOptions options = find.options;
  options.by = scan ? &*scan : nullptr;
  std::vector<wire::Document> results;
  const Executor executor = readable.is_view() ? Executor::Aggregate : Executor::Find;
  executed(context, executor, context.request.target().as_string(), [&] {
    for (Found& found : readable.find(find.filter, find.sort, options)) {
      if (find.return_key) {
        results.push_back(scan ? scan->key_of(found.document) : wire::Document());
        continue;
      }
      found.document = find.projection.apply(found.document, &find.filter);
      results.push_back(find.show_record_id ? with_record_id(found) : std::move(found.document));
    }
  });
  return results;
}

// An OP_QUERY may name what no command may: there is nothing of that name.
std::string collection_of(const Context& context) {
  return context.request.legacy == Legacy::Query ? std::string(context.request.target().as_string())
                                                 : context.collection_name();
}

Outcome run(Context& context) {
  const wire::ValueView target = context.request.target();
  if (!target.is(wire::Type::String) && parses_by_hand(context)) failed_to_parse("find", target, "string");
  const std::string name = collection_of(context);
  FindRequest find = read_request(context, name);
  if (context.transaction != nullptr && find.tailable)
    throw CommandError(72, "It is illegal to open a tailable cursor in a transaction");
  if (context.transaction != nullptr && name == "system.views")
    throw CommandError(51071, "Cannot query system.views within a transaction");
  const Readable readable(context, context.request.db, name);
  if (replays_oplog(context, readable, object(context, "filter"))) {
    find.options = {};
    find.projection = {};
    find.sort = {};
  }
  if (!readable.exists()) return reply_nothing(context, name);
  find.projection.optimize();
  if (find.tailable) return reply_tailing(context, readable, name, std::move(find));
  std::vector<wire::Document> results = results_of(context, readable, find);
  const auto limit = static_cast<std::size_t>(find.options.limit);
  if (limit != 0 && results.size() == limit) find.cursor.end = CursorOptions::End::Known;
  reply_with_cursor(context, context.request.db, name, std::move(results), find.cursor);
  return Replied{};
}

void explain(const Context& context, wire::DocumentBuilder& out, wire::DocumentView command, Verbosity verbosity) {
  const Arguments arguments(command, "FindCommandRequest");
  PlannedQuery query;
  query.collection = explained_collection(context, command);
  query.filter = arguments.object("filter");
  query.sort = arguments.object("sort");
  query.projection = arguments.object("projection");
  query.skip = arguments.count("skip").value_or(0);
  query.limit = arguments.count("limit").value_or(0);
  query.hint = command["hint"];
  query.collation = command["collation"];
  append_plan(out, context, query, verbosity);
}

// The unstable ones of the server's find_command.idl.
constexpr std::array unstable{std::string_view("max"),         std::string_view("min"),
                              std::string_view("returnKey"),   std::string_view("showRecordId"),
                              std::string_view("tailable"),    std::string_view("oplogReplay"),
                              std::string_view("awaitData"),   std::string_view("noCursorTimeout"),
                              std::string_view("options"),     std::string_view("term"),
                              std::string_view("readOnce"),    std::string_view("allowPartialResults"),
                              std::string_view("resumeAfter"), std::string_view("requestResumeToken")};

}  // namespace

extern constinit const CommandSpec find_command{.name = "find",
                                                .runs_on = RunsOn::SecondaryIfAllowed,
                                                .in_transaction = InTransaction::Allowed,
                                                .read_concern = ReadConcernLevels::All,
                                                .api_version_1 = ApiVersion1::Yes,
                                                .unstable_fields = unstable,
                                                .idl_name = "FindCommandRequest",
                                                .profiled_as = "query",
                                                .authorized = on_collection<Action::Find>,
                                                .run = run,
                                                .explain = explain,
                                                .help = "Reads documents by a filter."};

}  // namespace emulator
