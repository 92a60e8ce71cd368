#include "emulator/array_filter.h"

#include <algorithm>
#include <memory>
#include <string>

#include "emulator/command_error.h"
#include "emulator/store/matcher.h"

namespace emulator {
namespace {

using wire::DocumentView;
using wire::Type;
using wire::ValueView;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_alphanumeric(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

// {$all: []}, which has no path once it is parsed.
bool matches_nothing(ValueView value) {
  if (!value.is(Type::Document) || value.as_document().count() != 1) return false;
  const wire::Element only = value.as_document().first();
  return only.name == "$all" && only.value.is(Type::Array) && only.value.as_document().empty();
}

// The first component that all paths of the filter share; empty: there are no paths.
std::string_view id_of(DocumentView filter, std::string_view found) {
  for (const auto& [name, value] : filter) {
    if (name.starts_with('$')) {
      if (!value.is(Type::Array)) continue;
      for (const auto& branch : value.as_document())
        if (branch.value.is(Type::Document)) found = id_of(branch.value.as_document(), found);
      continue;
    }
    if (matches_nothing(value)) continue;
    std::string_view id = name.substr(0, name.find('.'));
    if (!found.empty() && id != found)
      throw CommandError(9, "Expected a single top-level field name, found '" + std::string(found) + "' and '" +
                                std::string(id) + "'");
    found = id;
  }
  return found;
}

struct ArrayFilter {
  std::string_view id;
  std::shared_ptr<const Matcher> matcher;
};

ArrayFilter parse_filter(DocumentView filter, const ParseContext& context) {
  try {
    auto matcher = std::make_shared<const Matcher>(Matcher::parse(filter, {MatchPlace::ArrayFilter, context}));
    std::string_view id = id_of(filter, {});
    if (id.empty() || (is_lower(id[0]) && std::ranges::all_of(id, is_alphanumeric))) return {id, matcher};
    throw CommandError(
        2, "The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '" +
               std::string(id) + "'");
  } catch (CommandError& error) {
    error.message = "Error parsing array filter :: caused by :: " + error.message;
    throw;
  }
}

}  // namespace

ArrayFilters parse_array_filters(DocumentView filters, const ParseContext& context) {
  ArrayFilters parsed;
  for (const auto& element : filters) {
    if (!element.value.is(Type::Document)) continue;
    ArrayFilter filter = parse_filter(element.value.as_document(), context);
    std::string_view id = filter.id;
    if (id.empty()) throw CommandError(9, "Cannot use an expression without a top-level field name in arrayFilters");
    auto matches = [id, matcher = filter.matcher](ValueView value) {
      wire::DocumentBuilder out;
      return matcher->matches(out.append(id, value).view());
    };
    if (!parsed.emplace(id, std::move(matches)).second)
      throw CommandError(9, "Found multiple array filters with the same top-level field name " + std::string(id));
  }
  return parsed;
}

}  // namespace emulator
