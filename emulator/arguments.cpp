#include "emulator/arguments.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "emulator/number.h"
#include "wire/decimal.h"

namespace emulator {
namespace {

std::int64_t cut(double value) {
  if (std::isnan(value)) return 0;
  if (value >= 9223372036854775807.0) return std::numeric_limits<std::int64_t>::max();
  if (value <= -9223372036854775808.0) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(value);
}

}  // namespace

std::int64_t whole_number(wire::ValueView value) {
  switch (value.type()) {
    case wire::Type::Int32:
      return value.as_int32();
    case wire::Type::Int64:
      return value.as_int64();
    case wire::Type::Double:
      return cut(value.as_double());
    case wire::Type::Decimal128:
      if (const auto whole = wire::decimal_to_int64(value.as_decimal(), wire::Rounding::TiesToEven)) return *whole;
      return cut(std::strtod(wire::decimal_to_string(value.as_decimal()).c_str(), nullptr));
    default:
      return 0;
  }
}

bool is_truthy(wire::ValueView value) {
  if (value.is_nullish()) return false;
  if (value.is(wire::Type::Bool)) return value.as_bool();
  return !value.is_number() || !is_zero_number(value);
}

void Arguments::wrong_type(std::string_view field, wire::Type type, std::string_view expected) const {
  throw CommandError(14, "BSON field '" + path_ + "." + std::string(field) + "' is the wrong type '" +
                             std::string(wire::type_name(type)) + "', expected " + std::string(expected));
}

void Arguments::only(std::span<const std::string_view> fields) const {
  for (const wire::Element& element : document_)
    if (std::ranges::find(fields, element.name) == fields.end())
      throw CommandError(40415, "BSON field '" + path_ + "." + std::string(element.name) + "' is an unknown field.");
}

wire::ValueView Arguments::required(std::string_view field) const {
  const wire::ValueView value = document_[field];
  if (value.missing())
    throw CommandError(40414, "BSON field '" + path_ + "." + std::string(field) + "' is missing but a required field");
  return value;
}

wire::ValueView Arguments::present(std::string_view field) const {
  const wire::ValueView value = document_[field];
  return value.is_nullish() ? wire::ValueView() : value;
}

bool Arguments::boolean(std::string_view field, bool otherwise) const {
  const wire::ValueView value = present(field);
  if (value.missing()) return otherwise;
  if (!value.is(wire::Type::Bool)) wrong_type(field, value.type(), "type 'bool'");
  return value.as_bool();
}

bool Arguments::flag(std::string_view field, bool otherwise) const {
  const wire::ValueView value = present(field);
  if (value.missing()) return otherwise;
  if (!value.is(wire::Type::Bool) && !value.is_number())
    wrong_type(field, value.type(), "types '[bool, long, int, decimal, double']");
  return is_truthy(value);
}

std::optional<std::int64_t> Arguments::whole(std::string_view field) const {
  const wire::ValueView value = present(field);
  if (value.missing()) return std::nullopt;
  if (!value.is_number()) wrong_type(field, value.type(), "types '[long, int, decimal, double']");
  return whole_number(value);
}

std::optional<std::int64_t> Arguments::count(std::string_view field) const {
  const std::optional<std::int64_t> value = whole(field);
  if (value && *value < 0)
    throw CommandError(51024, "BSON field '" + std::string(field) + "' value must be >= 0, actual value '" +
                                  std::to_string(*value) + "'");
  return value;
}

wire::DocumentView Arguments::object(std::string_view field) const {
  const wire::ValueView value = present(field);
  if (value.missing()) return {};
  if (!value.is(wire::Type::Document)) wrong_type(field, value.type(), "type 'object'");
  return value.as_document();
}

std::optional<wire::DocumentView> Arguments::array(std::string_view field) const {
  const wire::ValueView value = present(field);
  if (value.missing()) return std::nullopt;
  if (!value.is(wire::Type::Array)) wrong_type(field, value.type(), "type 'array'");
  return value.as_document();
}

std::optional<std::string_view> Arguments::text(std::string_view field) const {
  const wire::ValueView value = present(field);
  if (value.missing()) return std::nullopt;
  if (!value.is(wire::Type::String)) wrong_type(field, value.type(), "type 'string'");
  return value.as_string();
}

}  // namespace emulator
