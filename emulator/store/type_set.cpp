#include "emulator/store/type_set.h"

#include <fmt/format.h>

#include <array>

#include "emulator/command_error.h"
#include "emulator/store/match_node.h"
#include "emulator/value_text.h"
#include "wire/decimal.h"

namespace emulator {
namespace {

using wire::Type;

constexpr std::array all_types{Type::Double,     Type::String, Type::Document,
                               Type::Array,      Type::Binary, Type::Undefined,
                               Type::ObjectId,   Type::Bool,   Type::DateTime,
                               Type::Null,       Type::Regex,  Type::DbPointer,
                               Type::JavaScript, Type::Symbol, Type::Int32,
                               Type::Timestamp,  Type::Int64,  Type::Decimal128,
                               Type::MinKey,     Type::MaxKey, Type::JavaScriptWithScope};

double code_of(wire::ValueView value) {
  switch (value.type()) {
    case Type::Int32:
      return value.as_int32();
    case Type::Int64:
      return static_cast<double>(value.as_int64());
    case Type::Double:
      return value.as_double();
    default:
      return wire::decimal_to_double(value.as_decimal());
  }
}

}  // namespace

TypeSet TypeSet::parse(std::string_view path, wire::ValueView value) {
  TypeSet set;
  if (!value.is(Type::Array)) {
    set.add(value);
    return set;
  }
  for (const wire::Element& each : value.as_document()) set.add(each.value);
  if (set.types_.none()) throw CommandError(9, fmt::format("{} must match at least one type", path));
  return set;
}

void TypeSet::add(wire::ValueView value) {
  if (value.is(Type::String)) {
    const std::string_view name = value.as_string();
    if (name == "number") {
      for (const Type type : {Type::Double, Type::Int32, Type::Int64, Type::Decimal128}) add(type);
      return;
    }
    for (const Type type : all_types)
      if (wire::type_name(type) == name) return add(type);
    throw CommandError(2, fmt::format("Unknown type name alias: {}", name));
  }
  if (!value.is_number()) throw CommandError(14, "type must be represented as a number or a string");
  const double code = code_of(value);
  if (code == 0) throw CommandError(2, "Invalid numerical type code: 0. Instead use {$exists:false}.");
  for (const Type type : all_types) {
    const double its_code = type == Type::MinKey ? -1 : static_cast<double>(static_cast<std::uint8_t>(type));
    if (its_code == code) return add(type);
  }
  throw CommandError(2, fmt::format("Invalid numerical type code: {}", expression_text(value)));
}

}  // namespace emulator
