#include "scenarios/steps/table.h"

namespace scenarios {
namespace {

constexpr std::string_view words[] = {"stream"};
constexpr int cursor_killed = 237;

class KillCursors : public Step {
 public:
  explicit KillCursors(std::string stream) : stream_(std::move(stream)) {}
  Progress perform(Stage& stage) const override {
    const auto id = stage.names().cursor(stream_);
    if (!id) throw StepFailed(stream_ + " opened no stream");
    emulator::Cursor* cursor = stage.deployment().cursors.find(*id);
    if (cursor == nullptr) return Progress::Done;
    if (cursor->pinned_by != 0)
      stage.deployment().touch(emulator::TouchedCursor{*id, cursor_killed});
    else
      stage.deployment().cursors.remove(*id);
    return Progress::Done;
  }

 private:
  std::string stream_;
};

std::unique_ptr<Step> parse(Reader& reader, const Node& value) {
  const Words kill(reader, value, "killCursors", words);
  if (!kill.is_map()) return nullptr;
  return std::make_unique<KillCursors>(reader.use_name(kill.need("stream"), "stream"));
}

}  // namespace

extern constinit const StepSpec kill_cursors_step{
    .name = "killCursors",
    .parse = parse,
    .help = "Kills a stream's cursor: its next getMore gets 43, one that waits 237.",
    .example = "killCursors: {stream: opened}",
};

}  // namespace scenarios
