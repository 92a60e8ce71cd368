#include <array>
#include <charconv>
#include <map>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/collation.h"
#include "emulator/commands/table.h"
#include "emulator/executor_error.h"
#include "emulator/explain.h"
#include "emulator/index_scan.h"
#include "emulator/query.h"
#include "emulator/readable.h"
#include "emulator/reply.h"
#include "emulator/snapshot_read.h"
#include "emulator/transaction.h"
#include "wire/compare.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("key"),  std::string_view("query"),   std::string_view("collation"),
                            std::string_view("hint"), std::string_view("comment"), std::string_view("maxTimeMS")};
// The values by what they compare by.
struct Values {
  CollationPtr collation;
  std::map<wire::Value, wire::Value, wire::ValueLess> by_key{};
  void insert(wire::ValueView value) {
    by_key.try_emplace(collation ? collation->key(value) : wire::Value(value), value);
  }
};

// The values at the path: through documents, array elements and indexes; an array at the end stands for its elements.
void collect(wire::ValueView value, std::string_view path, Values& out) {
  if (path.empty()) {
    if (!value.is(wire::Type::Array)) {
      if (value) out.insert(value);
      return;
    }
    for (const wire::Element& element : value.as_document()) out.insert(element.value);
    return;
  }
  const auto dot = path.find('.');
  const std::string_view rest = dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
  if (value.is(wire::Type::Document)) return collect(value.as_document()[path.substr(0, dot)], rest, out);
  if (!value.is(wire::Type::Array)) return;
  if (const wire::ValueView indexed = value.as_document()[path.substr(0, dot)]) return collect(indexed, rest, out);
  for (const wire::Element& element : value.as_document())
    if (element.value.is(wire::Type::Document)) collect(element.value, path, out);
}

Outcome run(Context& context) {
  const Arguments arguments(context.request.body, "distinct");
  const std::string name = context.collection_name();
  constexpr int first_wire_version_with_hint = 22;  // 7.1
  if (arguments["hint"] && context.profile().max_wire_version < first_wire_version_with_hint)
    throw CommandError(40415, "BSON field 'distinct.hint' is an unknown field.");
  arguments.required("key");
  const std::string_view key = arguments.text("key").value_or("");
  arguments.object("collation");
  const Collection* named = find_collection(context, context.request.db, name);
  const MatchContext match = match_context(context, MatchPlace::Find, arguments["collation"], named);
  const Matcher filter = Matcher::parse(arguments.object("query"), match);
  const IndexScan::Wish wish = IndexScan::read(arguments);
  const Readable readable(context, context.request.db, name);
  std::optional<IndexScan> scan;
  if (const Collection* collection = readable.collection())
    scan = IndexScan::plan(*collection, wish, {filter, IndexScan::CollationShown::No});
  Values values{match.expressions.collation};
  executed(context, readable.is_view() ? Executor::Aggregate : Executor::Distinct, name, [&] {
    for (const Found& found : readable.find(filter, {}, {0, 0, scan ? &*scan : nullptr}))
      collect(wire::ValueView(wire::Type::Document, found.document.view().bytes()), key, values);
  });
  context.reply.begin_array("values");
  for (const auto& [key_of_value, value] : values.by_key) context.reply.append(context.reply.item_name(), value);
  context.reply.end();
  if (readable.is_view()) {
    // It is read by an aggregate: what is made of its reply has no time of it, and an `ok` that is no double.
    context.reply.append_int32("ok", 1);
    append_times(context.reply, context.deployment, std::nullopt);
    answer_reply(context.exchange, context.reply.finish());
  } else if (context.snapshot) {
    context.reply.append_timestamp("atClusterTime", context.snapshot->time());
  }
  return Replied{};
}

void explain(const Context& context, wire::DocumentBuilder& out, wire::DocumentView command, Verbosity verbosity) {
  PlannedQuery query;
  query.collection = explained_collection(context, command);
  query.filter = Arguments(command, "distinct").object("query");
  query.collation = command["collation"];
  query.over = PlanOver::Distinct;
  append_plan(out, context, query, verbosity);
}

}  // namespace

extern constinit const CommandSpec distinct_command{.name = "distinct",
                                                    .runs_on = RunsOn::SecondaryIfAllowed,
                                                    .in_transaction = InTransaction::Allowed,
                                                    .read_concern = ReadConcernLevels::All,
                                                    .fields = fields,
                                                    .unknown_until_4_4 = unknown_field,
                                                    .profiled_as = "command",
                                                    .authorized = on_collection<Action::Find>,
                                                    .run = run,
                                                    .explain = explain,
                                                    .help = "Lists the distinct values of a field."};

}  // namespace emulator
