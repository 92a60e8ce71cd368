// $sample: in the order of the deployment's own random stream, so that the same run draws the same documents.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/arguments.h"
#include "emulator/stages/set_stage.h"
#include "emulator/stages/table.h"

namespace emulator {
namespace {

class SampleStage final : public SetStage {
 public:
  SampleStage(std::size_t size, RandomStream* random) : size_(size), random_(random) {}
  std::vector<wire::Document> run(std::vector<wire::Document> documents) const override {
    // Fisher and Yates, as far as is asked for.
    const std::size_t wanted = std::min(size_, documents.size());
    for (std::size_t i = 0; i < wanted && random_ != nullptr; ++i)
      std::swap(documents[i], documents[i + static_cast<std::size_t>(random_->next() % (documents.size() - i))]);
    documents.resize(wanted);
    return documents;
  }

 private:
  std::size_t size_;
  RandomStream* random_;
};

StagePtr parse(const StageInput& input) {
  if (!input.argument.is(wire::Type::Document))
    throw CommandError(28745, "the $sample stage specification must be an object");
  std::optional<std::int64_t> size;
  for (const auto& [name, value] : input.argument.as_document()) {
    if (name != "size") throw CommandError(28748, fmt::format("unrecognized option to $sample: {}", name));
    if (!value.is_number()) throw CommandError(28746, "size argument to $sample must be a number");
    size = whole_number(value);
    if (*size < 0) throw CommandError(28747, "size argument to $sample must not be negative");
  }
  if (!size) throw CommandError(28749, "$sample stage must specify a size");
  return std::make_unique<SampleStage>(static_cast<std::size_t>(*size), input.context.random);
}

constexpr StageName names[] = {{"$sample", parse}};

}  // namespace

extern constinit const StageSpec sample_stage{names};

}  // namespace emulator
