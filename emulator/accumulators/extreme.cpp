// $min and $max.
#include "emulator/accumulators/table.h"
#include "wire/compare.h"

namespace emulator {
namespace {

using wire::Value;
using wire::ValueView;

enum class Extreme { Least, Greatest };

class ExtremeAccumulator final : public Accumulator {
 public:
  explicit ExtremeAccumulator(Extreme extreme) : extreme_(extreme) {}
  void add(ValueView value) override {
    if (value.is_nullish()) return;
    const bool better = best_.missing() || (extreme_ == Extreme::Least ? wire::compare_values(value, best_) < 0
                                                                       : wire::compare_values(value, best_) > 0);
    if (better) best_ = value;
  }
  Value result() const override { return best_ ? best_ : Value::null(); }

 private:
  Extreme extreme_;
  Value best_;
};

template <Extreme extreme>
std::unique_ptr<Accumulator> make(std::string_view) {
  return std::make_unique<ExtremeAccumulator>(extreme);
}

constexpr AccumulatorName names[] = {
    {"$min", make<Extreme::Least>, nullptr, true},
    {"$max", make<Extreme::Greatest>, nullptr, true},
};

}  // namespace

extern constinit const AccumulatorSpec extreme_accumulator{names};

}  // namespace emulator
