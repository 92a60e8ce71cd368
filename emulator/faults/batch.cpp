#include <algorithm>
#include <limits>

#include "emulator/faults/argument.h"
#include "emulator/faults/table.h"

namespace emulator {
namespace {

class Batch : public Fault {
 public:
  explicit Batch(std::vector<int> sizes) : sizes_(std::move(sizes)) {}
  Moment moment() const override { return Moment::Reply; }
  bool edits_batch() const override { return true; }
  void batch(BatchEdit& edit, std::uint64_t nth) const override {
    const int size = sizes_[std::min<std::size_t>(nth, sizes_.size() - 1)];
    edit.events_max = std::min(size, edit.events_max.value_or(size));
  }
  std::optional<std::uint64_t> times_max() const override { return sizes_.size(); }

 private:
  std::vector<int> sizes_;
};

std::unique_ptr<Fault> make(wire::ValueView argument, std::optional<Moment> at) {
  moment_among(at, Moment::Reply, {Moment::Reply});
  std::vector<int> sizes;
  if (!argument.is(wire::Type::Array)) throw FaultArgumentError("its argument must be a list of sizes, as [2, 0, 3]");
  for (const auto& [index, size] : argument.as_document()) {
    const std::int64_t count = argument_count(size, index);
    sizes.push_back(static_cast<int>(std::min<std::int64_t>(count, std::numeric_limits<int>::max())));
  }
  if (sizes.empty()) throw FaultArgumentError("needs at least one size");
  return std::make_unique<Batch>(std::move(sizes));
}

}  // namespace

extern constinit const FaultSpec batch_fault{
    .name = "batch",
    .make = make,
    .help = "The next replies of a stream hold at most so many events, one size a reply; then it is over.",
    .example = "inject: {fault: {batch: [2, 0, 3]}, for: {command: getMore}}",
};

}  // namespace emulator
