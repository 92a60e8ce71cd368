#include "emulator/faults/argument.h"
#include "emulator/faults/table.h"

namespace emulator {
namespace {

class Blackhole : public Fault {
 public:
  Moment moment() const override { return Moment::Arrival; }
  bool decides() const override { return true; }
  void arrive(Arrival& arrival) const override { arrival.decision = Decision::Blackhole; }
};

std::unique_ptr<Fault> make(wire::ValueView argument, std::optional<Moment> at) {
  argument_none(argument);
  moment_among(at, Moment::Arrival, {Moment::Arrival});
  return std::make_unique<Blackhole>();
}

}  // namespace

extern constinit const FaultSpec blackhole_fault{
    .name = "blackhole",
    .make = make,
    .help = "The request is never run nor answered; the connection stays up.",
    .example = "inject: {fault: blackhole, for: {command: getMore}}",
};

}  // namespace emulator
