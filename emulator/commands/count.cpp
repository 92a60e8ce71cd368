#include <array>
#include <cstdlib>
#include <limits>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/explain.h"
#include "emulator/index_scan.h"
#include "emulator/query.h"
#include "emulator/readable.h"
#include "emulator/transaction.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("query"),  std::string_view("limit"),    std::string_view("skip"),
                            std::string_view("hint"),   std::string_view("comment"),  std::string_view("collation"),
                            std::string_view("fields"), std::string_view("maxTimeMS")};

// A negative limit counts as its absolute value does.
std::int64_t limit_of(const Arguments& arguments) {
  const std::int64_t limit = arguments.whole("limit").value_or(0);
  if (limit == std::numeric_limits<std::int64_t>::min())
    throw CommandError(2, "limit value for count cannot be min long");
  return std::abs(limit);
}

Outcome run(Context& context) {
  const Arguments arguments(context.request.body, "count");
  const std::string name = context.collection_name();
  arguments.object("collation");
  const Collection* named = find_collection(context, context.request.db, name);
  const Matcher filter = Matcher::parse(arguments.object("query"),
                                        match_context(context, MatchPlace::Find, arguments["collation"], named));
  QueryOptions options{arguments.count("skip").value_or(0), limit_of(arguments)};
  const IndexScan::Wish wish = IndexScan::read(arguments);
  const Readable readable(context, context.request.db, name);
  std::optional<IndexScan> scan;
  if (const Collection* collection = readable.collection())
    scan = IndexScan::plan(*collection, wish, {filter, IndexScan::CollationShown::No});
  options.by = scan ? &*scan : nullptr;
  context.reply.append_int32("n", static_cast<std::int32_t>(readable.count(filter, options)));
  return Replied{};
}

void explain(const Context& context, wire::DocumentBuilder& out, wire::DocumentView command, Verbosity verbosity) {
  const Arguments arguments(command, "count");
  PlannedQuery query;
  query.collection = explained_collection(context, command);
  query.filter = arguments.object("query");
  query.skip = arguments.count("skip").value_or(0);
  query.limit = limit_of(arguments);
  query.hint = command["hint"];
  query.collation = command["collation"];
  query.over = PlanOver::Count;
  append_plan(out, context, query, verbosity);
}

}  // namespace

extern constinit const CommandSpec count_command{.name = "count",
                                                 .runs_on = RunsOn::SecondaryIfAllowed,
                                                 .read_concern = ReadConcernLevels::AllButSnapshot,
                                                 .api_version_1 = ApiVersion1::Yes,
                                                 .fields = fields,
                                                 .unknown_until_4_4 = unknown_field,
                                                 .profiled_as = "command",
                                                 .authorized = on_collection<Action::Find>,
                                                 .run = run,
                                                 .explain = explain,
                                                 .help = "Counts documents."};

}  // namespace emulator
