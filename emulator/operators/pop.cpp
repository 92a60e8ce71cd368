#include <cmath>

#include "emulator/command_error.h"
#include "emulator/operators/array_parts.h"
#include "emulator/operators/table.h"
#include "wire/decimal.h"
#include "wire/value_text.h"

namespace emulator {
namespace {

using wire::Type;
using wire::ValueView;

enum class End : std::uint8_t { First, Last };

class Pop : public Modifier {
 public:
  explicit Pop(End end) : end_(end) {}
  UpdateOutcome modify(const UpdateTarget& target) const override {
    if (!target.value.is(Type::Array))
      throw CommandError(14, "Path '" + std::string(target.path) + "' contains an element of non-array type '" +
                                 std::string(type_name(target.value.type())) + "'");
    std::vector<ValueView> elements = elements_of(target.value);
    if (elements.empty()) return {};
    elements.erase(end_ == End::First ? elements.begin() : elements.end() - 1);
    return UpdateOutcome::changed(array_of(elements));
  }

 private:
  End end_;
};

std::int64_t integer_of(std::string_view field, ValueView argument) {
  std::string element = std::string(field) + ": " + wire::shell_value_text(argument);
  if (!argument.is_number()) throw CommandError(9, "Expected a number in: " + element);
  if (argument.is(Type::Int32)) return argument.as_int32();
  if (argument.is(Type::Int64)) return argument.as_int64();
  double number = argument.is(Type::Double) ? argument.as_double() : wire::decimal_to_double(argument.as_decimal());
  constexpr double bound = 9223372036854775808.0;
  if (number != std::trunc(number) || !(number >= -bound && number < bound))
    throw CommandError(9, "Expected an integer: " + element);
  return static_cast<std::int64_t>(number);
}

std::unique_ptr<Modifier> parse(std::string_view field, ValueView argument, const ParseContext&) {
  std::int64_t end = integer_of(field, argument);
  if (end != 1 && end != -1) throw CommandError(9, "$pop expects 1 or -1, found: " + std::to_string(end));
  return std::make_unique<Pop>(end == 1 ? End::Last : End::First);
}

}  // namespace

extern constinit const UpdateOperatorSpec pop_operator{.name = "$pop",
                                                       .on_missing = OnMissing::NotViable28,
                                                       .parse = parse,
                                                       .help = "Removes the first or last element of an array."};

}  // namespace emulator
