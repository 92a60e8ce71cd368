#include "emulator/faults/argument.h"
#include "emulator/faults/table.h"

namespace emulator {
namespace {

class Close : public Fault {
 public:
  explicit Close(Moment at) : at_(at) {}
  Moment moment() const override { return at_; }
  bool decides() const override { return true; }
  void arrive(Arrival& arrival) const override { arrival.decision = Decision::Close; }
  void deliver(Delivery& delivery) const override {
    if (at_ == Moment::Reply) delivery.then = Delivery::Then::CloseUnsent;
    if (at_ == Moment::End) delivery.then = Delivery::Then::Close;
  }

 private:
  Moment at_;
};

std::unique_ptr<Fault> make(wire::ValueView argument, std::optional<Moment> at) {
  if (!argument.missing()) at = argument_moment(argument, "");
  return std::make_unique<Close>(at.value_or(Moment::Arrival));
}

}  // namespace

extern constinit const FaultSpec close_fault{
    .name = "close",
    .make = make,
    .help =
        "The server closes the connection (FIN) before the request runs (arrival, the default), after it ran (reply) "
        "or after its reply (end).",
    .example = "inject: {fault: {close: reply}, for: {command: insert}}",
};

}  // namespace emulator
