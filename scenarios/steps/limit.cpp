#include <fmt/format.h>

#include <deque>

#include "scenarios/steps/table.h"

namespace scenarios {
namespace {

constexpr std::string_view own_words[] = {"connects", "atMost", "per", "apart"};

struct Bounds {
  std::optional<std::uint64_t> at_most;
  std::optional<std::chrono::nanoseconds> per;
  std::optional<std::chrono::nanoseconds> apart;
};

class CountingLimit : public Limit {
 public:
  CountingLimit(std::optional<Filter> filter, Bounds bounds) : filter_(std::move(filter)), bounds_(bounds) {}

  std::optional<std::string> arrived(const Seen& seen, const Names& names, emulator::RealTime at) override {
    if (!filter_ || filter_->needs_reply() || !holds(*filter_, seen, names)) return std::nullopt;
    return count(at);
  }
  std::optional<std::string> over(const Seen& seen, const Names& names, emulator::RealTime at) override {
    if (!filter_ || !filter_->needs_reply() || !holds(*filter_, seen, names)) return std::nullopt;
    return count(at);
  }
  std::optional<std::string> connected(const Seen&, const Names&, emulator::RealTime at) override {
    if (filter_) return std::nullopt;
    return count(at);
  }

 private:
  static double seconds(std::chrono::nanoseconds duration) { return std::chrono::duration<double>(duration).count(); }

  std::optional<std::string> count(emulator::RealTime at) {
    ++count_;
    if (bounds_.apart && last_ && at - *last_ < *bounds_.apart)
      return fmt::format("two came {:.3f}s apart, less than {:.3f}s", seconds(at - *last_), seconds(*bounds_.apart));
    last_ = at;
    if (!bounds_.at_most) return std::nullopt;
    if (!bounds_.per) {
      if (count_ > *bounds_.at_most) return fmt::format("{} came; at most {} may", count_, *bounds_.at_most);
      return std::nullopt;
    }
    recent_.push_back(at);
    while (at - recent_.front() >= *bounds_.per) recent_.pop_front();
    if (recent_.size() > *bounds_.at_most)
      return fmt::format("{} came within {:.3f}s; at most {} may", recent_.size(), seconds(*bounds_.per),
                         *bounds_.at_most);
    return std::nullopt;
  }

  std::optional<Filter> filter_;  // nullopt: connections
  Bounds bounds_;
  std::uint64_t count_ = 0;
  std::optional<emulator::RealTime> last_;
  std::deque<emulator::RealTime> recent_;
};

class SetLimit : public Step {
 public:
  SetLimit(std::optional<Filter> filter, Bounds bounds) : filter_(std::move(filter)), bounds_(bounds) {}
  bool watches() const override { return true; }
  Progress perform(Stage& stage) const override {
    const PlacedStep& step = stage.placed_step();
    stage.limits().push_back({std::make_unique<CountingLimit>(filter_, bounds_), step.at, step.text});
    return Progress::Done;
  }

 private:
  std::optional<Filter> filter_;
  Bounds bounds_;
};

std::unique_ptr<Step> parse(Reader& reader, const Node& value) {
  std::vector<std::string_view> known(filter_words().begin(), filter_words().end());
  known.insert(known.end(), std::begin(own_words), std::end(own_words));
  const Words limit(reader, value, "limit", known);
  if (!limit.is_map()) return nullptr;
  const NameOrder before = reader.order();
  reader.order(NameOrder::SetAnywhere);
  std::optional<Filter> filter;
  if (limit.find("connects") == nullptr) filter = read_filter(reader, value);
  reader.order(before);
  Bounds bounds;
  if (const Node* at_most = limit.find("atMost"))
    bounds.at_most = static_cast<std::uint64_t>(reader.count(*at_most, "atMost"));
  if (const Node* per = limit.find("per")) bounds.per = reader.duration(*per, "per");
  if (const Node* apart = limit.find("apart")) bounds.apart = reader.duration(*apart, "apart");
  if (!bounds.at_most && !bounds.apart) reader.problem(value.at, "limit needs atMost or apart");
  if (bounds.per && !bounds.at_most) reader.problem(value.at, "per needs atMost");
  return std::make_unique<SetLimit>(std::move(filter), bounds);
}

}  // namespace

extern constinit const StepSpec limit_step{
    .name = "limit",
    .in_always = InAlways::Allowed,
    .parse = parse,
    .help = "From here to the end at most so many requests (in any `per`), or none sooner than `apart` after another.",
    .example = "limit: {command: open, atMost: 2, per: 1s}",
};

}  // namespace scenarios
