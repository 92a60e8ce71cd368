#include "emulator/faults/argument.h"
#include "emulator/faults/table.h"

namespace emulator {
namespace {

class Truncate : public Fault {
 public:
  explicit Truncate(std::size_t bytes) : bytes_(bytes) {}
  Moment moment() const override { return Moment::Reply; }
  bool decides() const override { return true; }
  void deliver(Delivery& delivery) const override {
    delivery.bytes_max = bytes_;
    delivery.then = Delivery::Then::Close;
  }

 private:
  std::size_t bytes_;
};

std::unique_ptr<Fault> make(wire::ValueView argument, std::optional<Moment> at) {
  moment_among(at, Moment::Reply, {Moment::Reply});
  return std::make_unique<Truncate>(static_cast<std::size_t>(argument_count(argument, "")));
}

}  // namespace

extern constinit const FaultSpec truncate_fault{
    .name = "truncate",
    .make = make,
    .help = "So many bytes of the reply are sent (16 is the header), then the connection is closed.",
    .example = "inject: {fault: {truncate: 7}, for: {command: getMore}}",
};

}  // namespace emulator
