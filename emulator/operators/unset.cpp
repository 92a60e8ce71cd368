#include "emulator/operators/table.h"

namespace emulator {
namespace {

class Unset : public Modifier {
 public:
  UpdateOutcome modify(const UpdateTarget&) const override { return {UpdateOutcome::Kind::Removed, {}, 0}; }
};

std::unique_ptr<Modifier> parse(std::string_view, wire::ValueView, const ParseContext&) {
  return std::make_unique<Unset>();
}

}  // namespace

extern constinit const UpdateOperatorSpec unset_operator{.name = "$unset",
                                                         .on_missing = OnMissing::Nothing,
                                                         .parse = parse,
                                                         .help = "Removes a field; an array element becomes null."};

}  // namespace emulator
