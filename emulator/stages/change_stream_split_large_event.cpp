// $changeStreamSplitLargeEvent: where it may stand. The cutting itself is the stream's (Pipeline::splits_large_events).
#include <fmt/format.h>

#include "emulator/facts/stream_facts.h"
#include "emulator/stages/table.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

StagePtr parse(const StageInput& input) {
  if (!input.argument.is(wire::Type::Document))
    throw CommandError(7182899, fmt::format("{} must take a nested object but found: {}", input.name,
                                            bson_text(wire::Element{input.name, input.argument})));
  if (!input.argument.as_document().empty())
    throw CommandError(7182800, fmt::format("{} spec should be an empty object", input.name));
  return nullptr;  // does nothing to a document
}

constexpr StageName names[] = {
    {.name = "$changeStreamSplitLargeEvent",
     .parse = parse,
     .after_change_stream = AfterChangeStream::Allowed,
     .known = [](const ParseContext& context) { return context.profile->streams.split_large_event; },
     .inner = InnerUse::Refused}};

}  // namespace

extern constinit const StageSpec change_stream_split_large_event_stage{names};

}  // namespace emulator
