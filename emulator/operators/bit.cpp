#include <vector>

#include "emulator/command_error.h"
#include "emulator/operators/table.h"
#include "wire/value_text.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

enum class Bitwise : std::uint8_t { And, Or, Xor };
struct Operation {
  Bitwise bitwise;
  ValueView operand;
};

bool is_integer(ValueView value) { return value.is(Type::Int32) || value.is(Type::Int64); }
std::int64_t integer(ValueView value) { return value.is(Type::Int32) ? value.as_int32() : value.as_int64(); }

class Bit : public Modifier {
 public:
  explicit Bit(std::vector<Operation> operations) : operations_(std::move(operations)) {}

  UpdateOutcome modify(const UpdateTarget& target) const override {
    if (target.value && !is_integer(target.value))
      throw CommandError(2, "Cannot apply $bit to a value of non-integral type." +
                                target.id_text("INVALID-MUTABLE-ELEMENT") + " has the field " +
                                std::string(target.name) + " of non-integer type " +
                                std::string(type_name(target.value.type())));
    Type type = target.value ? target.value.type() : Type::Int32;
    std::int64_t result = target.value ? integer(target.value) : 0;
    for (const Operation& operation : operations_) {
      if (operation.operand.is(Type::Int64)) type = Type::Int64;
      std::int64_t operand = integer(operation.operand);
      if (operation.bitwise == Bitwise::And) result &= operand;
      if (operation.bitwise == Bitwise::Or) result |= operand;
      if (operation.bitwise == Bitwise::Xor) result ^= operand;
    }
    Value value = type == Type::Int32 ? Value::int32(static_cast<std::int32_t>(result)) : Value::int64(result);
    if (target.value.identical(value)) return {};
    return UpdateOutcome::changed(std::move(value));
  }

 private:
  std::vector<Operation> operations_;
};

Bitwise bitwise_of(std::string_view name, ValueView operand) {
  if (name == "and") return Bitwise::And;
  if (name == "or") return Bitwise::Or;
  if (name == "xor") return Bitwise::Xor;
  throw CommandError(2, "The $bit modifier only supports 'and', 'or', and 'xor', not '" + std::string(name) +
                            "' which is an unknown operator: {" + std::string(name) + ": " +
                            wire::shell_value_text(operand) + "}");
}

std::unique_ptr<Modifier> parse(std::string_view, ValueView argument, const ParseContext&) {
  if (!argument.is(Type::Document))
    throw CommandError(2, "The $bit modifier is not compatible with a " + std::string(type_name(argument.type())) +
                              ". You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}");
  std::vector<Operation> operations;
  for (const auto& [name, operand] : argument.as_document()) {
    Bitwise bitwise = bitwise_of(name, operand);
    if (!is_integer(operand))
      throw CommandError(2, "The $bit modifier field must be an Integer(32/64 bit); a '" +
                                std::string(type_name(operand.type())) + "' is not supported here: {" +
                                std::string(name) + ": " + wire::shell_value_text(operand) + "}");
    operations.push_back({bitwise, operand});
  }
  if (operations.empty())
    throw CommandError(
        2, "You must pass in at least one bitwise operation. The format is: {$bit: {field: {and/or/xor: #}}");
  return std::make_unique<Bit>(std::move(operations));
}

}  // namespace

extern constinit const UpdateOperatorSpec bit_operator{
    .name = "$bit", .parse = parse, .help = "Combines an integer bitwise: and, or, xor; a missing field counts as 0."};

}  // namespace emulator
