#include "emulator/faults/argument.h"
#include "emulator/faults/table.h"

namespace emulator {
namespace {

class Reset : public Fault {
 public:
  explicit Reset(Moment at) : at_(at) {}
  Moment moment() const override { return at_; }
  bool decides() const override { return true; }
  void arrive(Arrival& arrival) const override { arrival.decision = Decision::Reset; }
  void deliver(Delivery& delivery) const override {
    if (at_ == Moment::Reply) delivery.then = Delivery::Then::ResetUnsent;
    if (at_ == Moment::End) delivery.then = Delivery::Then::Reset;
  }

 private:
  Moment at_;
};

std::unique_ptr<Fault> make(wire::ValueView argument, std::optional<Moment> at) {
  if (!argument.missing()) at = argument_moment(argument, "");
  return std::make_unique<Reset>(at.value_or(Moment::Arrival));
}

}  // namespace

extern constinit const FaultSpec reset_fault{
    .name = "reset",
    .make = make,
    .help =
        "The server resets the connection (RST) before the request runs (arrival, the default), after it ran (reply) "
        "or after its reply (end).",
    .example = "inject: {fault: {reset: reply}, for: {command: insert}}",
};

}  // namespace emulator
