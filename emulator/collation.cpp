#include "emulator/collation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "emulator/arguments.h"
#include "emulator/array_builder.h"
#include "emulator/collation_by_hand.h"
#include "emulator/collation_locale.h"
#include "emulator/collation_weights.h"
#include "emulator/command_error.h"
#include "emulator/store/collection.h"
#include "emulator/utf8_text.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

void check_enumeration(const Arguments& arguments, std::string_view field,
                       std::initializer_list<std::string_view> values) {
  const std::optional<std::string_view> text = arguments.text(field);
  if (!text) return;
  if (std::ranges::find(values, *text) == values.end())
    throw CommandError(
        2, fmt::format("Enumeration value '{}' for field 'collation.{}' is not a valid value.", *text, field));
  if (*text != *values.begin()) not_built(fmt::format("the collation option {}: {}", field, *text));
}

int read_strength(const Arguments& arguments) {
  const ValueView given = arguments["strength"];
  if (given.missing()) return 3;
  if (!given.is_number())
    throw CommandError(14, fmt::format("BSON field 'collation.strength' is the wrong type '{}', expected types '[long, "
                                       "int, decimal, double']",
                                       wire::type_name(given.type())));
  const std::int64_t strength = whole_number(given);
  if (strength < 1)
    throw CommandError(51024, fmt::format("BSON field 'strength' value must be >= 1, actual value '{}'", strength));
  if (strength > 5)
    throw CommandError(51024, fmt::format("BSON field 'strength' value must be <= 5, actual value '{}'", strength));
  if (strength > 3) not_built(fmt::format("collations of strength {}", strength));
  return static_cast<int>(strength);
}

void append_weight(std::string& out, std::uint16_t weight) {
  out += static_cast<char>(weight >> 8);
  out += static_cast<char>(weight & 0xFF);
}

char32_t code_point(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  if (bytes.size() == 1) return byte(0);
  if (bytes.size() == 2) return static_cast<char32_t>((byte(0) & 0x1F) << 6 | (byte(1) & 0x3F));
  return 0xFFFD;  // beyond the table anyway
}

}  // namespace

CollationPtr Collation::parse(wire::DocumentView spec, Wording wording) {
  if (spec.empty()) return nullptr;
  if (wording <= Wording::V4_4) check_collation_by_hand(spec);
  static constexpr std::array fields{std::string_view("locale"),          std::string_view("caseLevel"),
                                     std::string_view("caseFirst"),       std::string_view("strength"),
                                     std::string_view("numericOrdering"), std::string_view("alternate"),
                                     std::string_view("maxVariable"),     std::string_view("normalization"),
                                     std::string_view("backwards"),       std::string_view("version")};
  const Arguments arguments(spec, "collation");
  arguments.only(fields);
  arguments.required("locale");
  const std::string_view locale = arguments.text("locale").value_or("");
  for (const std::string_view option : {"caseLevel", "numericOrdering", "normalization", "backwards"})
    if (arguments.boolean(option) && locale != "simple") not_built(fmt::format("the collation option {}", option));
  if (locale == "simple") return nullptr;
  check_collation_locale(locale, spec);
  check_enumeration(arguments, "caseFirst", {"off", "upper", "lower"});
  check_enumeration(arguments, "alternate", {"non-ignorable", "shifted"});
  const int strength = read_strength(arguments);
  return CollationPtr(new Collation(wire::Document(spec), strength));
}

// Primary weights, then accents, then case, each level after a zero, as ICU's sort keys are.
std::string Collation::text_key(std::string_view text) const {
  std::string primary;
  std::string secondary;
  std::string tertiary;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = code_point_bytes(text, at);
    const Weights found = weights_of(code_point(text.substr(at, bytes)));
    if (!found.known) not_built("the collation of text beyond Latin letters");
    for (std::size_t i = 0; i < found.count; ++i) {
      append_weight(primary, found.weights[i].primary);
      secondary += static_cast<char>(found.weights[i].secondary + 1);
      tertiary += static_cast<char>(found.weights[i].tertiary + 1);
    }
    at += bytes;
  }
  std::string key = std::move(primary);
  if (strength_ >= 2) key.append(2, '\0').append(secondary);
  if (strength_ >= 3) key.append(1, '\0').append(tertiary);
  return key;
}

Value Collation::key(ValueView value) const {
  switch (value.type()) {
    case Type::String:
      return Value::string(text_key(value.as_string()));
    case Type::Array: {
      ArrayBuilder out;
      for (const wire::Element& element : value.as_document()) out.add(key(element.value));
      return out.finish();
    }
    case Type::Document: {
      wire::DocumentBuilder out;
      for (const wire::Element& element : value.as_document()) out.append(element.name, key(element.value));
      return Value::document(out.view());
    }
    default:
      return value;
  }
}

CollationPtr collation_for(ValueView given, const Collection* collection, Wording wording) {
  if (given.is(Type::Document) && !given.as_document().empty()) return Collation::parse(given.as_document(), wording);
  if (collection == nullptr) return nullptr;
  const ValueView own = collection->options()["collation"];
  return own.is(Type::Document) ? Collation::parse(own.as_document()) : nullptr;
}

wire::Document whole_collation(wire::DocumentView given) {
  const ValueView locale = given["locale"];
  if (given.empty() || (locale.is(Type::String) && locale.as_string() == "simple")) return {};
  wire::DocumentBuilder out;
  const auto field = [&](std::string_view name, const Value& otherwise) {
    const ValueView value = given[name];
    out.append(name, value ? value : otherwise.view());
  };
  field("locale", Value::string("en"));
  field("caseLevel", Value::boolean(false));
  field("caseFirst", Value::string("off"));
  field("strength", Value::int32(3));
  field("numericOrdering", Value::boolean(false));
  field("alternate", Value::string("non-ignorable"));
  field("maxVariable", Value::string("punct"));
  field("normalization", Value::boolean(false));
  field("backwards", Value::boolean(false));
  field("version", Value::string("57.1"));
  return out.finish();
}

}  // namespace emulator
