#include "emulator/collation_by_hand.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "emulator/collation_locale.h"
#include "emulator/command_error.h"
#include "emulator/error_codes.h"
#include "emulator/number.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

using wire::Type;
using wire::ValueView;

enum class Form { Text, Flag, Strength };

struct Field {
  std::string_view name;
  Form form = Form::Flag;
  std::span<const std::string_view> values{};  // of a text; none: any
  std::string_view advice{};                   // what else than those meets
};
constexpr std::string_view case_first[] = {"upper", "lower", "off"};
constexpr std::string_view alternate[] = {"non-ignorable", "shifted"};
constexpr std::string_view max_variable[] = {"punct", "space"};
// In the order in which they are read, after the locale.
constexpr Field fields[] = {
    {"caseLevel"},
    {"caseFirst", Form::Text, case_first, "'upper', 'lower', or 'off'"},
    {"strength", Form::Strength},
    {"numericOrdering"},
    {"alternate", Form::Text, alternate, "'non-ignorable' or 'shifted'"},
    {"maxVariable", Form::Text, max_variable, "'punct' or 'space'"},
    {"normalization"},
    {"backwards"},
    {"version", Form::Text},
};

void check_type(std::string_view field, ValueView value, Type type) {
  if (!value.is(type))
    throw CommandError(code::type_mismatch, fmt::format("\"{}\" had the wrong type. Expected {}, found {}", field,
                                                        wire::type_name(type), wire::type_name(value.type())));
}

void check_locale(wire::DocumentView spec) {
  constexpr int no_such_key = 4;
  const ValueView locale = spec["locale"];
  if (locale.missing()) throw CommandError(no_such_key, "Missing expected field \"locale\"");
  check_type("locale", locale, Type::String);
  if (locale.as_string() != "simple") return check_collation_locale(locale.as_string(), spec);
  if (spec.count() > 1)
    throw CommandError(code::failed_to_parse,
                       fmt::format("If locale=simple, no other fields should be present in: {}", bson_text(spec)));
}

void check_strength(ValueView strength) {
  if (!strength.is_number())
    throw CommandError(code::type_mismatch,
                       fmt::format("Expected field \"strength\" to have numeric type, but found {}",
                                   wire::type_name(strength.type())));
  const std::optional<std::int64_t> whole = exact_int64(strength);
  if (!whole)
    throw CommandError(code::bad_value,
                       fmt::format("Expected field \"strength\" to have a value exactly representable as a 64-bit "
                                   "integer, but found {}",
                                   bson_text(wire::Element{"strength", strength})));
  if (*whole < 1 || *whole > 5)
    throw CommandError(code::failed_to_parse,
                       fmt::format("Field 'strength' must be an integer 1 through 5. Got: {}", *whole));
}

void check(const Field& field, ValueView value) {
  if (field.form == Form::Strength) return check_strength(value);
  check_type(field.name, value, field.form == Form::Flag ? Type::Bool : Type::String);
  if (!field.values.empty() && std::ranges::find(field.values, value.as_string()) == field.values.end())
    throw CommandError(code::failed_to_parse,
                       fmt::format("Field '{}' must be {}. Got: {}", field.name, field.advice, value.as_string()));
}

}  // namespace

void check_collation_by_hand(wire::DocumentView spec) {
  check_locale(spec);
  for (const Field& field : fields)
    if (const ValueView value = spec[field.name]) check(field, value);
  for (const wire::Element& element : spec)
    if (element.name != "locale" && std::ranges::find(fields, element.name, &Field::name) == std::end(fields))
      throw CommandError(code::failed_to_parse,
                         fmt::format("Collation spec contains unknown field. Collation spec: {}", bson_text(spec)));
}

}  // namespace emulator
