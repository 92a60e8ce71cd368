#include "emulator/pipeline_read_concern.h"

#include <algorithm>

#include "emulator/error_codes.h"
#include "emulator/read_concern.h"
#include "emulator/stages/table.h"

namespace emulator {
namespace {

// Up to 4.2.
std::string said_until_4_2(const std::string& who, std::string_view wanted, std::string_view level) {
  return who + " cannot run with a readConcern other than '" + std::string(wanted) +
         "', or in a multi-document transaction. Current readConcern: { readConcern: { level: \"" + std::string(level) +
         "\" } }";
}

// `who` runs with level "local" only; `said`: as what the server names the level.
CommandError only_local(const Context& context, const std::string& who, std::string_view said, std::string_view level) {
  if (context.profile().wording <= Wording::V4_2) return {code::invalid_options, said_until_4_2(who, "local", level)};
  return read_concern_refused(context, who + " cannot run with a readConcern other than 'local'. Current " +
                                           std::string(said) + ": " + std::string(level));
}

void check_stream(const Context& context, std::string_view level) {
  if (level == "majority") return;
  if (context.profile().wording <= Wording::V4_2)
    throw CommandError(code::invalid_options, streams_not_with_read_concern(level));
  throw read_concern_refused(context,
                             "Aggregation stage $changeStream cannot run with a readConcern other than 'majority'. "
                             "Current readConcern: " +
                                 std::string(level));
}

void check_stage(const Context& context, std::string_view name, std::string_view level) {
  ParseContext parsing;
  parsing.profile = &context.profile();
  const StageName* stage = find_stage(name, parsing);
  if (stage == nullptr) return;
  const bool is_local_only = stage->read_concern == StageReadConcern::LocalOnly;
  if (is_local_only && context.profile().wording <= Wording::V4_2 && level != "local" && level != "majority")
    throw read_concern_refused(context, "");
  if (is_local_only && level != "local")
    throw only_local(context, "Aggregation stage " + std::string(name), "readConcern", level);
  if (stage->read_concern == StageReadConcern::NotLinearizable && level == "linearizable") {
    const std::string reason = std::string(name) + " cannot be used with a 'linearizable' read concern level";
    if (context.profile().wording <= Wording::V4_2) throw CommandError(code::invalid_options, reason);
    throw read_concern_refused(context, reason);
  }
}

}  // namespace

std::string streams_not_with_read_concern(std::string_view level) {
  return said_until_4_2("$changeStream", "majority", level);
}

void refuse_read_concern_of_pipeline(const Context& context) {
  const std::string_view level = read_concern_of(context.request).level;
  // There it is the level itself that is refused next.
  const bool snapshot_in_4_2 = level == "snapshot" && context.profile().wording <= Wording::V4_2;
  const wire::ValueView explained = context.request["explain"];
  if (!snapshot_in_4_2 && explained.is(wire::Type::Bool) && explained.as_bool() && level != "local")
    throw only_local(context, "Explain for the aggregate command", "readConcern level", level);
  const wire::ValueView pipeline = context.request["pipeline"];
  if (!pipeline.is(wire::Type::Array)) return;
  for (const wire::Element& element : pipeline.as_document()) {
    if (!element.value.is(wire::Type::Document)) continue;
    const std::string_view name = element.value.as_document().first().name;
    if (name != "$changeStream")
      check_stage(context, name, level);
    else if (!snapshot_in_4_2)
      check_stream(context, level);
  }
}

}  // namespace emulator
