#include "emulator/faults/argument.h"
#include "emulator/faults/table.h"

namespace emulator {
namespace {

class Delay : public Fault {
 public:
  Delay(std::chrono::nanoseconds duration, Moment at) : duration_(duration), at_(at) {}
  Moment moment() const override { return at_; }
  void arrive(Arrival& arrival) const override { arrival.delay += duration_; }
  void deliver(Delivery& delivery) const override {
    if (at_ == Moment::Reply) delivery.delay += duration_;
  }

 private:
  std::chrono::nanoseconds duration_;
  Moment at_;
};

std::unique_ptr<Fault> make(wire::ValueView argument, std::optional<Moment> at) {
  return std::make_unique<Delay>(argument_duration(argument, ""),
                                 moment_among(at, Moment::Arrival, {Moment::Arrival, Moment::Reply}));
}

}  // namespace

extern constinit const FaultSpec delay_fault{
    .name = "delay",
    .make = make,
    .help =
        "The request runs (at: arrival, the default) or its reply leaves (at: reply) so much later; real time and "
        "advances count.",
    .example = "inject: {fault: {delay: 2s, at: reply}, for: {command: getMore}}",
};

}  // namespace emulator
