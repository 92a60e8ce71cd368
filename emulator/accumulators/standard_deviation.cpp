// $stdDevPop and $stdDevSamp.
#include "emulator/standard_deviation.h"

#include "emulator/accumulators/table.h"

namespace emulator {
namespace {

enum class Over { Population, Sample };

class DeviationAccumulator final : public Accumulator {
 public:
  explicit DeviationAccumulator(Over over) : over_(over) {}
  void add(wire::ValueView value) override { deviation_.add(value); }
  wire::Value result() const override {
    return over_ == Over::Population ? deviation_.population() : deviation_.sample();
  }

 private:
  Over over_;
  StandardDeviation deviation_;
};

template <Over over>
std::unique_ptr<Accumulator> make(std::string_view) {
  return std::make_unique<DeviationAccumulator>(over);
}

constexpr AccumulatorName names[] = {{"$stdDevPop", make<Over::Population>}, {"$stdDevSamp", make<Over::Sample>}};

}  // namespace

extern constinit const AccumulatorSpec standard_deviation_accumulator{names};

}  // namespace emulator
