// $first and $last.
#include "emulator/accumulators/table.h"

namespace emulator {
namespace {

using wire::Value;
using wire::ValueView;

enum class End { First, Last };

class EndAccumulator final : public Accumulator {
 public:
  explicit EndAccumulator(End end) : end_(end) {}
  void add(ValueView value) override {
    if (seen_ && end_ == End::First) return;
    seen_ = true;
    value_ = value;
  }
  Value result() const override { return value_ ? value_ : Value::null(); }

 private:
  End end_;
  bool seen_ = false;
  Value value_;
};

template <End end>
std::unique_ptr<Accumulator> make(std::string_view) {
  return std::make_unique<EndAccumulator>(end);
}

constexpr AccumulatorName names[] = {
    {"$first", make<End::First>},
    {"$last", make<End::Last>},
};

}  // namespace

extern constinit const AccumulatorSpec end_accumulator{names};

}  // namespace emulator
