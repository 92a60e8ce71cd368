#include "emulator/update_arithmetic.h"

namespace emulator {
namespace {

std::unique_ptr<Modifier> parse(std::string_view field, wire::ValueView argument, const ParseContext&) {
  return parse_arithmetic(Arithmetic::Increment, field, argument);
}

}  // namespace

extern constinit const UpdateOperatorSpec inc_operator{
    .name = "$inc", .parse = parse, .help = "Adds to a number; a missing field becomes the operand."};

}  // namespace emulator
