// $type, $convert, $toString, $toInt, $toLong, $toDouble, $toDecimal, $toBool, $toDate, $toObjectId.
#include <fmt/format.h>

#include "emulator/conversion.h"
#include "emulator/expressions/table.h"
#include "emulator/number.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

// The types that $convert knows by name or code; all others are refused when they are tried.
constexpr Type all_types[] = {Type::Double,     Type::String, Type::Document,
                              Type::Array,      Type::Binary, Type::Undefined,
                              Type::ObjectId,   Type::Bool,   Type::DateTime,
                              Type::Null,       Type::Regex,  Type::DbPointer,
                              Type::JavaScript, Type::Symbol, Type::Int32,
                              Type::Timestamp,  Type::Int64,  Type::Decimal128,
                              Type::MinKey,     Type::MaxKey, Type::JavaScriptWithScope};

Type target_type(ValueView to) {
  if (to.is(Type::String)) {
    for (const Type type : all_types)
      if (wire::type_name(type) == to.as_string()) return type;
    throw CommandError(2, fmt::format("Unknown type name: {}", to.as_string()));
  }
  if (!to.is_number())
    throw CommandError(
        9, fmt::format("$convert's 'to' argument must be a string or number, but is {}", wire::type_name(to.type())));
  const std::optional<std::int64_t> code = exact_int64(to);
  if (!code) throw CommandError(9, "In $convert, numeric 'to' argument is not an integer");
  for (const Type type : all_types)
    if ((type == Type::MinKey ? -1 : static_cast<std::int64_t>(type)) == *code) return type;
  throw CommandError(9,
                     fmt::format("In $convert, numeric value for 'to' does not correspond to a BSON type: {}", *code));
}

class ConvertNode final : public Expression {
 public:
  ConvertNode(const Profile& profile, ExpressionPtr input, ExpressionPtr to, ExpressionPtr on_error,
              ExpressionPtr on_null)
      : profile_(profile),
        input_(std::move(input)),
        to_(std::move(to)),
        on_error_(std::move(on_error)),
        on_null_(std::move(on_null)) {}
  Value evaluate(Variables& variables) const override {
    const Value to = to_->evaluate(variables);
    const Value input = input_->evaluate(variables);
    const std::optional<Type> target = to.view().is_nullish() ? std::nullopt : std::optional(target_type(to));
    if (input.view().is_nullish()) return on_null_ ? on_null_->evaluate(variables) : Value::null();
    if (!target) return Value::null();
    try {
      return convert(input, *target, profile_);
    } catch (const CommandError& error) {
      if (error.code != 241 || !on_error_) throw;
    }
    return on_error_->evaluate(variables);
  }

 private:
  const Profile& profile_;
  ExpressionPtr input_;
  ExpressionPtr to_;
  ExpressionPtr on_error_;
  ExpressionPtr on_null_;
};

ExpressionPtr parse_convert(const ExpressionInput& input) {
  static constexpr NamedArgument names[] = {{"input", 9, "Missing 'input' parameter to $convert"},
                                            {"to", 9, "Missing 'to' parameter to $convert"},
                                            {"onError"},
                                            {"onNull"}};
  const std::string not_object = fmt::format("$convert expects an object of named arguments but found: {}",
                                             wire::type_name(input.argument.type()));
  std::vector<ExpressionPtr> members =
      parse_members(input, names, {9, not_object, 9, "$convert found an unknown argument: "});
  return std::make_unique<ConvertNode>(*input.scope.context.profile, std::move(members[0]), std::move(members[1]),
                                       std::move(members[2]), std::move(members[3]));
}

template <Type to>
ExpressionPtr parse_shorthand(const ExpressionInput& input) {
  std::vector<ExpressionPtr> arguments = input.scope.parse_arguments(input.argument);
  if (arguments.size() != 1)
    throw CommandError(50723, fmt::format("{} requires a single argument, got {}", input.name, arguments.size()));
  return make_call(input, std::move(arguments), [](const Call& call) {
    return call[0].view().is_nullish() ? Value::null() : convert(call[0], to, call.profile);
  });
}

constexpr ExpressionOperator operators[] = {
    {"$type", 1, 1, [](const Call& call) { return Value::string(wire::type_name(call[0].type())); }},
    {.name = "$convert", .parse = parse_convert},
    {.name = "$toString", .parse = parse_shorthand<Type::String>},
    {.name = "$toInt", .parse = parse_shorthand<Type::Int32>},
    {.name = "$toLong", .parse = parse_shorthand<Type::Int64>},
    {.name = "$toDouble", .parse = parse_shorthand<Type::Double>},
    {.name = "$toDecimal", .parse = parse_shorthand<Type::Decimal128>},
    {.name = "$toBool", .parse = parse_shorthand<Type::Bool>},
    {.name = "$toDate", .parse = parse_shorthand<Type::DateTime>},
    {.name = "$toObjectId", .parse = parse_shorthand<Type::ObjectId>},
};

}  // namespace

extern constinit const ExpressionSpec type_expression{operators};

}  // namespace emulator
