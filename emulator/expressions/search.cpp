// $indexOfBytes, $indexOfCP, $regexMatch, $regexFind, $regexFindAll, $replaceOne, $replaceAll.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/array_builder.h"
#include "emulator/expressions/table.h"
#include "emulator/number.h"
#include "emulator/regex.h"
#include "emulator/utf8_text.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

std::string_view type_of(ValueView value) { return wire::type_name(value.type()); }

std::size_t index_bound(const Call& call, std::size_t i) {
  const std::string_view which = i == 2 ? "starting" : "ending";
  const std::optional<std::int32_t> number = exact_int32(call[i]);
  if (!number)
    throw CommandError(40096, fmt::format("{}requires an integral {} index, found a value of type: {}, with value: {}",
                                          call.name, which, type_of(call[i]), expression_text(call[i])));
  if (*number < 0)
    throw CommandError(40097, fmt::format("{} requires a nonnegative {} index, found: {}", call.name, which, *number));
  return static_cast<std::size_t>(*number);
}

Value index_of(const Call& call) {
  const bool bytes = call.name == "$indexOfBytes";
  if (call[0].view().is_nullish()) return Value::null();
  for (std::size_t i = 0; i < 2; ++i)
    if (call[i].type() != Type::String)
      throw CommandError((bytes ? 40091 : 40093) + static_cast<int>(i),
                         fmt::format("{} requires a string as the {} argument, found: {}", call.name,
                                     i == 0 ? "first" : "second", type_of(call[i])));
  const std::string_view text = call[0].view().as_string();
  const std::size_t length = bytes ? text.size() : code_point_count(text);
  const std::size_t begin = call.count() > 2 ? index_bound(call, 2) : 0;
  const std::size_t end = std::min(length, call.count() > 3 ? index_bound(call, 3) : length);
  if (begin > length || end < begin) return Value::int32(-1);
  const std::size_t from = bytes ? begin : offset_of_code_point(text, begin);
  const std::string_view searched = text.substr(0, bytes ? end : offset_of_code_point(text, end));
  const std::size_t found = searched.find(call[1].view().as_string(), from);
  if (found == std::string_view::npos) return Value::int32(-1);
  return Value::int32(static_cast<std::int32_t>(bytes ? found : code_point_count(text.substr(0, found))));
}

// The regular expression of a call; nullopt: it is null, and so is the match.
std::optional<Regex> regex_of(const Call& call) {
  const ValueView regex = call[1];
  const bool has_options = call.count() > 2;
  const RegexErrors errors{fmt::format("Invalid Regex in {}: ", call.name),
                           fmt::format("{} invalid flag in regex options: ", call.name), 51111, 51108};
  if (!regex.is_nullish() && !regex.is(Type::String) && !regex.is(Type::Regex))
    throw CommandError(51105, fmt::format("{} needs 'regex' to be of type string or regex", call.name));
  std::string options;
  const bool gives_options = has_options && !call[2].view().is_nullish();
  if (gives_options) {
    if (call[2].type() != Type::String)
      throw CommandError(51106, fmt::format("{} needs 'options' to be of type string", call.name));
    options = call[2].view().as_string();
  }
  if (regex.is_nullish()) {
    Regex("", options, errors);  // the flags are judged even so
    return std::nullopt;
  }
  const std::string_view pattern = regex.is(Type::String) ? regex.as_string() : regex.as_regex().pattern;
  if (pattern.find('\0') != std::string_view::npos)
    throw CommandError(51109, fmt::format("{}: regular expression cannot contain an embedded null byte", call.name));
  if (regex.is(Type::Regex) && !regex.as_regex().options.empty()) {
    if (gives_options)
      throw CommandError(
          51107, fmt::format("{}: found regex option(s) specified in both 'regex' and 'option' fields", call.name));
    options = regex.as_regex().options;
  }
  return Regex(pattern, options, errors);
}

Value found_document(std::string_view text, const std::vector<Regex::Group>& groups) {
  wire::DocumentBuilder out;
  out.append_string("match", text.substr(groups[0].begin, groups[0].end - groups[0].begin));
  out.append_int32("idx", static_cast<std::int32_t>(code_point_count(text.substr(0, groups[0].begin))));
  out.begin_array("captures");
  for (std::size_t i = 1; i < groups.size(); ++i)
    out.item(groups[i].set ? Value::string(text.substr(groups[i].begin, groups[i].end - groups[i].begin))
                           : Value::null());
  out.end();
  return Value::document(out.view());
}

Value regex_search(const Call& call) {
  const bool only_tests = call.name == "$regexMatch";
  const bool all = call.name == "$regexFindAll";
  const auto nothing = [&] {
    return only_tests ? Value::boolean(false) : all ? ArrayBuilder().finish() : Value::null();
  };
  const ValueView input = call[0];
  if (!input.is_nullish() && !input.is(Type::String))
    throw CommandError(51104, fmt::format("{} needs 'input' to be of type string", call.name));
  const std::optional<Regex> regex = regex_of(call);
  if (!regex || input.is_nullish()) return nothing();
  const std::string_view text = input.as_string();
  auto groups = regex->find(text);
  if (only_tests) return Value::boolean(groups.has_value());
  if (!all) return groups ? found_document(text, *groups) : Value::null();
  ArrayBuilder out;
  while (groups) {
    out.add(found_document(text, *groups));
    const Regex::Group& match = groups->front();
    std::size_t next = match.end;
    // An empty match moves on by a character, and none is looked for at the very end.
    if (match.begin == match.end) next += next < text.size() ? code_point_bytes(text, next) : 1;
    if (next >= text.size()) break;
    groups = regex->find(text, next);
  }
  return out.finish();
}

// A constant regular expression is compiled when its call is optimized, whatever its input is.
void optimize_regex(const ExpressionInput& input, std::span<const ExpressionPtr> arguments) {
  std::vector<ExpressionPtr> constants;
  constants.push_back(make_constant(Value::null()));
  for (const ExpressionPtr& argument : arguments.subspan(1)) {
    if (argument->constant() == nullptr) return;
    constants.push_back(make_constant(*argument->constant()));
  }
  input.scope.optimize(*make_call(input, std::move(constants), [](const Call& call) {
    regex_of(call);
    return Value();
  }));
}

ExpressionPtr parse_regex_search(const ExpressionInput& input) {
  if (!input.argument.is(Type::Document))
    throw CommandError(51103, fmt::format("{} expects an object of named arguments but found: {}", input.name,
                                          type_of(input.argument)));
  const std::string no_input = fmt::format("{} requires 'input' parameter", input.name);
  const std::string no_regex = fmt::format("{} requires 'regex' parameter", input.name);
  const std::string unknown = fmt::format("{} found an unknown argument: ", input.name);
  const NamedArgument names[] = {{"input", 31022, no_input}, {"regex", 31023, no_regex}, {"options"}};
  std::vector<ExpressionPtr> arguments = parse_members(input, names, {51103, "", 31024, unknown});
  if (!arguments.back()) arguments.pop_back();
  optimize_regex(input, arguments);
  return make_call(input, std::move(arguments), regex_search);
}

Value replace(const Call& call) {
  static constexpr std::pair<std::string_view, int> parts[] = {
      {"input", 51746}, {"find", 51745}, {"replacement", 51744}};
  bool nullish = false;
  for (std::size_t i = 0; i < 3; ++i) {
    nullish |= call[i].view().is_nullish();
    if (!call[i].view().is_nullish() && call[i].type() != Type::String)
      throw CommandError(parts[i].second, fmt::format("{} requires that '{}' be a string, found: {}", call.name,
                                                      parts[i].first, expression_text(call[i])));
  }
  if (nullish) return Value::null();
  const std::string_view text = call[0].view().as_string();
  const std::string_view find = call[1].view().as_string();
  std::string out;
  std::size_t from = 0;
  for (std::size_t at; (at = text.find(find, from)) != std::string_view::npos;) {
    out.append(text.substr(from, at - from)).append(call[2].view().as_string());
    from = at + find.size();
    if (call.name == "$replaceOne") break;
    if (find.empty()) {
      if (from >= text.size()) break;
      out.append(text.substr(from, code_point_bytes(text, from)));
      from += code_point_bytes(text, from);
    }
  }
  return Value::string(out.append(text.substr(std::min(from, text.size()))));
}

ExpressionPtr parse_replace(const ExpressionInput& input) {
  if (!input.argument.is(Type::Document))
    throw CommandError(
        51751, fmt::format("{} requires an object as an argument, found: {}", input.name, type_of(input.argument)));
  const std::string no_input = fmt::format("{} requires 'input' to be specified", input.name);
  const std::string no_find = fmt::format("{} requires 'find' to be specified", input.name);
  const std::string no_replacement = fmt::format("{} requires 'replacement' to be specified", input.name);
  const std::string unknown = fmt::format("{} found an unknown argument: ", input.name);
  const NamedArgument names[] = {
      {"input", 51749, no_input}, {"find", 51748, no_find}, {"replacement", 51747, no_replacement}};
  return parse_named_call(input, names, {51751, "", 51750, unknown}, replace);
}

constexpr ExpressionOperator operators[] = {
    {"$indexOfBytes", 2, 4, index_of, nullptr, Arguments::InTurn},
    {"$indexOfCP", 2, 4, index_of, nullptr, Arguments::InTurn},
    {.name = "$regexMatch", .parse = parse_regex_search, .wire_version_min = 8, .folding = Folding::Never},
    {.name = "$regexFind", .parse = parse_regex_search, .wire_version_min = 8, .folding = Folding::Never},
    {.name = "$regexFindAll", .parse = parse_regex_search, .wire_version_min = 8, .folding = Folding::Never},
    {.name = "$replaceOne", .parse = parse_replace, .wire_version_min = 9, .folding = Folding::Never},
    {.name = "$replaceAll", .parse = parse_replace, .wire_version_min = 9, .folding = Folding::Never},
};

}  // namespace

extern constinit const ExpressionSpec search_expression{operators};

}  // namespace emulator
