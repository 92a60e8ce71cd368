#include "emulator/faults/argument.h"
#include "emulator/faults/table.h"

namespace emulator {
namespace {

class Split : public Fault {
 public:
  explicit Split(std::vector<std::size_t> pieces) : pieces_(std::move(pieces)) {}
  Moment moment() const override { return Moment::Reply; }
  void deliver(Delivery& delivery) const override { delivery.pieces = pieces_; }

 private:
  std::vector<std::size_t> pieces_;
};

std::unique_ptr<Fault> make(wire::ValueView argument, std::optional<Moment> at) {
  moment_among(at, Moment::Reply, {Moment::Reply});
  std::vector<std::size_t> pieces;
  if (!argument.is(wire::Type::Array))
    throw FaultArgumentError("its argument must be a list of sizes in bytes, as [1, 15, 100]");
  for (const auto& [index, size] : argument.as_document()) {
    const std::int64_t bytes = argument_count(size, index);
    if (bytes == 0) throw FaultArgumentError("a piece has at least one byte", std::string(index));
    pieces.push_back(static_cast<std::size_t>(bytes));
  }
  if (pieces.empty()) throw FaultArgumentError("needs at least one size");
  return std::make_unique<Split>(std::move(pieces));
}

}  // namespace

extern constinit const FaultSpec split_fault{
    .name = "split",
    .make = make,
    .help = "The reply is written in pieces of so many bytes, the rest in one.",
    .example = "inject: {fault: {split: [1, 15]}, for: {command: getMore}}",
};

}  // namespace emulator
