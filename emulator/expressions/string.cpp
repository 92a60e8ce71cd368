// $concat, $toLower, $toUpper, $strcasecmp, $strLenBytes, $strLenCP, $substr, $substrBytes, $substrCP, $split, $trim, $ltrim, $rtrim.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "emulator/array_builder.h"
#include "emulator/conversion.h"
#include "emulator/date_parts.h"
#include "emulator/expressions/table.h"
#include "emulator/number.h"
#include "emulator/utf8_text.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

std::string_view type_of(ValueView value) { return wire::type_name(value.type()); }

std::string text_of(const Call& call, std::size_t i) {
  const ValueView value = call[i];
  if (!value.is(Type::DateTime)) return coerced_text(value);
  try {
    return date_string(value.as_date_ms());
  } catch (CommandError& error) {
    if (call.profile.wording > Wording::V4_4)
      error.message = "failed while coercing date to string :: caused by :: " + error.message;
    throw;
  }
}

Value concat(const Call& call) {
  std::string out;
  for (const Value& argument : call) {
    if (argument.view().is_nullish()) return Value::null();
    if (argument.type() != Type::String)
      throw CommandError(16702, fmt::format("$concat only supports strings, not {}", type_of(argument)));
    out += argument.view().as_string();
  }
  return Value::string(out);
}

Value strcasecmp(const Call& call) {
  const int order = upper_text(text_of(call, 0)).compare(upper_text(text_of(call, 1)));
  return Value::int32(order < 0 ? -1 : order > 0 ? 1 : 0);
}

Value string_length(const Call& call) {
  const bool bytes = call.name == "$strLenBytes";
  if (call[0].type() != Type::String)
    throw CommandError(bytes ? 34473 : 34471,
                       fmt::format("{} requires a string argument, found: {}", call.name, type_of(call[0])));
  const std::string_view text = call[0].view().as_string();
  return Value::int32(static_cast<std::int32_t>(bytes ? text.size() : code_point_count(text)));
}

// $substr is another name of it, which no message knows.
Value substr_bytes(const Call& call) {
  const std::string text = text_of(call, 0);
  const bool knows_decimals = call.profile.wording > Wording::V4_4;
  const auto is_numeric = [&](ValueView value) {
    return value.is_number() && (knows_decimals || !value.is(Type::Decimal128));
  };
  if (!is_numeric(call[1]))
    throw CommandError(
        16034, fmt::format("$substrBytes:  starting index must be a numeric type (is BSON type {})", type_of(call[1])));
  if (!is_numeric(call[2]))
    throw CommandError(16035,
                       fmt::format("$substrBytes:  length must be a numeric type (is BSON type {})", type_of(call[2])));
  const std::int64_t begin = coerced_long(call[1]);
  const std::int64_t length = coerced_long(call[2]);
  if (begin < 0)
    throw CommandError(50752, fmt::format("$substrBytes:  starting index must be non-negative (got: {})", begin));
  const auto from = static_cast<std::size_t>(begin);
  if (from >= text.size()) return Value::string("");
  if (is_continuation(text[from]))
    throw CommandError(28656, "$substrBytes:  Invalid range, starting index is a UTF-8 continuation byte.");
  // A negative length is all the rest.
  const std::size_t count = std::min(static_cast<std::size_t>(length), text.size() - from);
  if (from + count < text.size() && is_continuation(text[from + count]))
    throw CommandError(28657, "$substrBytes:  Invalid range, ending index is in the middle of a UTF-8 character.");
  return Value::string(std::string_view(text).substr(from, count));
}

std::int32_t code_point_number(ValueView value, std::string_view what, int not_numeric_code) {
  if (!value.is_number())
    throw CommandError(not_numeric_code,
                       fmt::format("$substrCP: {} must be a numeric type (is BSON type {})", what, type_of(value)));
  const std::optional<std::int32_t> number = exact_int32(value);
  if (!number)
    throw CommandError(not_numeric_code + 1,
                       fmt::format("$substrCP: {} cannot be represented as a 32-bit integral value: {}", what,
                                   expression_text(value)));
  return *number;
}

Value substr_code_points(const Call& call) {
  const std::string text = text_of(call, 0);
  const std::int32_t begin = code_point_number(call[1], "starting index", 34450);
  const std::int32_t length = code_point_number(call[2], "length", 34452);
  if (length < 0) throw CommandError(34454, "$substrCP: length must be a nonnegative integer.");
  if (begin < 0) throw CommandError(34455, "$substrCP: the starting index must be nonnegative integer.");
  const std::size_t from = offset_of_code_point(text, static_cast<std::size_t>(begin));
  const std::string_view rest = std::string_view(text).substr(from);
  return Value::string(rest.substr(0, offset_of_code_point(rest, static_cast<std::size_t>(length))));
}

Value split(const Call& call) {
  if (call[0].view().is_nullish() || call[1].view().is_nullish()) return Value::null();
  for (std::size_t i = 0; i < 2; ++i)
    if (call[i].type() != Type::String)
      throw CommandError(
          40085 + static_cast<int>(i),
          fmt::format("$split requires an expression that evaluates to a string as a {} argument, found: {}",
                      i == 0 ? "first" : "second", type_of(call[i])));
  const std::string_view text = call[0].view().as_string();
  const std::string_view separator = call[1].view().as_string();
  if (separator.empty()) throw CommandError(40087, "$split requires a non-empty separator");
  ArrayBuilder out;
  std::size_t from = 0;
  for (std::size_t at; (at = text.find(separator, from)) != std::string_view::npos; from = at + separator.size())
    out.add(Value::string(text.substr(from, at - from)));
  return out.add(Value::string(text.substr(from))).finish();
}

// What is trimmed when no characters are named (the manual's list for $trim).
constexpr std::string_view white_space[] = {std::string_view("\0", 1),
                                            "\t",
                                            "\n",
                                            "\v",
                                            "\f",
                                            "\r",
                                            " ",
                                            "\u00A0",
                                            "\u1680",
                                            "\u2000",
                                            "\u2001",
                                            "\u2002",
                                            "\u2003",
                                            "\u2004",
                                            "\u2005",
                                            "\u2006",
                                            "\u2007",
                                            "\u2008",
                                            "\u2009",
                                            "\u200A"};

bool is_trimmed(std::string_view code_point, const Value& characters) {
  if (characters.missing())
    return std::find(std::begin(white_space), std::end(white_space), code_point) != std::end(white_space);
  const std::string_view set = characters.view().as_string();
  for (std::size_t at = 0; at < set.size(); at += code_point_bytes(set, at))
    if (set.substr(at, code_point_bytes(set, at)) == code_point) return true;
  return false;
}

// The missing third argument tells that no characters are named; null characters give null.
Value trim(const Call& call) {
  const ValueView input = call[0];
  if (input.is_nullish()) return Value::null();
  if (!input.is(Type::String))
    throw CommandError(50699, fmt::format("{} requires its input to be a string, got {} (of type {}) instead.",
                                          call.name, expression_text(input), type_of(input)));
  const bool named = call.count() > 1;
  if (named && call[1].view().is_nullish()) return Value::null();
  if (named && call[1].type() != Type::String)
    throw CommandError(50700, fmt::format("{} requires 'chars' to be a string, got {} (of type {}) instead.", call.name,
                                          expression_text(call[1]), type_of(call[1])));
  const Value characters = named ? call[1] : Value();
  std::string_view text = input.as_string();
  if (call.name != "$rtrim")
    while (!text.empty() && is_trimmed(text.substr(0, code_point_bytes(text, 0)), characters))
      text.remove_prefix(code_point_bytes(text, 0));
  if (call.name != "$ltrim") {
    while (!text.empty()) {
      std::size_t last = text.size() - 1;
      while (last > 0 && is_continuation(text[last])) --last;
      if (!is_trimmed(text.substr(last), characters)) break;
      text = text.substr(0, last);
    }
  }
  return Value::string(text);
}

ExpressionPtr parse_trim(const ExpressionInput& input) {
  if (!input.argument.is(Type::Document))
    throw CommandError(
        50696, fmt::format("{} only supports an object as an argument, found {}", input.name, type_of(input.argument)));
  const std::string absent = fmt::format("{} requires an 'input' field", input.name);
  const std::string unknown = fmt::format("{} found an unknown argument: ", input.name);
  const NamedArgument names[] = {{"input", 50695, absent}, {"chars"}};
  std::vector<ExpressionPtr> arguments = parse_members(input, names, {50696, "", 50694, unknown});
  if (!arguments.back()) arguments.pop_back();
  return make_call(input, std::move(arguments), trim, Arguments::InTurn);
}

constexpr ExpressionOperator operators[] = {
    {.name = "$concat",
     .arguments_max = any_number,
     .evaluate = concat,
     .arguments = Arguments::InTurn,
     .folding = Folding::Neighbours},
    {"$toLower", 1, 1, [](const Call& call) { return Value::string(lower_text(text_of(call, 0))); }},
    {"$toUpper", 1, 1, [](const Call& call) { return Value::string(upper_text(text_of(call, 0))); }},
    {"$strcasecmp", 2, 2, strcasecmp},
    {"$strLenBytes", 1, 1, string_length},
    {"$strLenCP", 1, 1, string_length},
    {"$substr", 3, 3, substr_bytes},
    {"$substrBytes", 3, 3, substr_bytes},
    {"$substrCP", 3, 3, substr_code_points},
    {"$split", 2, 2, split},
    {.name = "$trim", .parse = parse_trim},
    {.name = "$ltrim", .parse = parse_trim},
    {.name = "$rtrim", .parse = parse_trim},
};

}  // namespace

extern constinit const ExpressionSpec string_expression{operators};

}  // namespace emulator
