#include "emulator/faults/argument.h"
#include "emulator/faults/table.h"

namespace emulator {
namespace {

class Hold : public Fault {
 public:
  explicit Hold(Moment at) : at_(at) {}
  Moment moment() const override { return at_; }
  bool holds() const override { return true; }

 private:
  Moment at_;
};

std::unique_ptr<Fault> make(wire::ValueView argument, std::optional<Moment> at) {
  if (argument.is(wire::Type::String))
    at = argument_moment(argument, "");
  else
    argument_none(argument);
  return std::make_unique<Hold>(moment_among(at, Moment::Arrival, {Moment::Arrival, Moment::Reply}));
}

}  // namespace

extern constinit const FaultSpec hold_fault{
    .name = "hold",
    .make = make,
    .help = "The request stays unrun (or, at: reply, its reply unsent) until the step release names this fault.",
    .example = "inject: {fault: hold, for: {command: getMore}, as: gate}",
};

}  // namespace emulator
