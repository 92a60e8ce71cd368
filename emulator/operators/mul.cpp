#include "emulator/update_arithmetic.h"

namespace emulator {
namespace {

std::unique_ptr<Modifier> parse(std::string_view field, wire::ValueView argument, const ParseContext&) {
  return parse_arithmetic(Arithmetic::Multiply, field, argument);
}

}  // namespace

extern constinit const UpdateOperatorSpec mul_operator{
    .name = "$mul", .parse = parse, .help = "Multiplies a number; a missing field counts as 0."};

}  // namespace emulator
