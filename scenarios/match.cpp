#include "scenarios/match.h"

#include <algorithm>

#include "scenarios/regex.h"
#include "scenarios/values.h"
#include "wire/compare.h"
#include "wire/extended_json.h"
#include "wire/resume_token.h"

namespace scenarios {
namespace {

constexpr std::string_view matchers[] = {"$$exists",
                                         "$$type",
                                         "$$unsetOrMatches",
                                         "$$matchesHexBytes",
                                         "$$lt",
                                         "$$lte",
                                         "$$gt",
                                         "$$gte",
                                         "$$in",
                                         "$$not",
                                         "$$matches",
                                         "$$contains",
                                         "$$exactly",
                                         "$$token",
                                         "$$highWater",
                                         "$$clusterTime",
                                         "$$event",
                                         "$$cursor",
                                         "$$filler"};

bool is_matcher(std::string_view name) {
  const auto* const values = std::ranges::find(matchers, "$$token");
  return std::find(std::begin(matchers), values, name) != values;
}
bool is_comparison(std::string_view name) {
  return name == "$$lt" || name == "$$lte" || name == "$$gt" || name == "$$gte";
}

bool is_token(wire::ValueView value) {
  return value.is(wire::Type::Document) && value.as_document()["_data"].is(wire::Type::String);
}

// {_data: HEX} as a script writes it, with or without type bits.
bool is_token_literal(const Node& node) {
  const Node* text = node.find("_data");
  return text != nullptr && text->text() != nullptr && node.map()->size() <= 2;
}

std::string shown(wire::ValueView value) {
  if (value.missing()) return "missing";
  std::string text = wire::to_json(value, wire::JsonForm::Relaxed);
  if (text.size() > 400) text = text.substr(0, 400) + "…";
  return text;
}

std::string joined(const std::string& path, std::string_view field) {
  return path.empty() ? std::string(field) : path + "." + std::string(field);
}

class Matcher {
 public:
  explicit Matcher(const Names& names) : names_(names) {}

  // Each returns what differs first.
  std::optional<Mismatch> compare(const Node& expected, wire::ValueView actual, const std::string& path) {
    if (is_conditions(expected)) {
      for (const auto& [key, argument] : *expected.map())
        if (auto differs = special(key.name, argument, actual, path)) return differs;
      return std::nullopt;
    }
    if (is_extended(expected) || expected.special() != nullptr) return compare_scalar(expected, actual, path);
    if (is_token_literal(expected) && is_token(actual)) return compare_scalar(expected, actual, path);
    if (expected.map() != nullptr) return compare_document(expected, actual, path);
    if (expected.list() != nullptr) return compare_array(expected, actual, path);
    return compare_scalar(expected, actual, path);
  }

 private:
  // {$$gte: 1, $$lt: 5}: matchers, all of which must hold.
  static bool is_conditions(const Node& node) {
    const Node::Map* map = node.map();
    return map != nullptr && !map->empty() &&
           std::ranges::all_of(*map, [](const auto& field) { return is_matcher(field.first.name); });
  }

  static Mismatch differs(const Node& expected, wire::ValueView actual, const std::string& path) {
    return {path, flow_text(expected, 400), shown(actual)};
  }
  static Mismatch differs(std::string_view word, const Node& argument, wire::ValueView actual,
                          const std::string& path) {
    return {path, "{" + std::string(word) + ": " + flow_text(argument, 400) + "}", shown(actual)};
  }

  std::optional<Mismatch> compare_scalar(const Node& expected, wire::ValueView actual, const std::string& path) {
    try {
      if (!actual.missing() && same_value(to_value(expected, names_), actual)) return std::nullopt;
    } catch (const Unresolved&) {
      // A name that is not set matches nothing.
    }
    return differs(expected, actual, path);
  }

  std::optional<Mismatch> compare_document(const Node& expected, wire::ValueView actual, const std::string& path) {
    if (!actual.is(wire::Type::Document)) return differs(expected, actual, path);
    for (const auto& [key, value] : *expected.map())
      if (auto different = compare(value, actual.as_document()[key.name], joined(path, key.name))) return different;
    return std::nullopt;
  }

  std::optional<Mismatch> compare_array(const Node& expected, wire::ValueView actual, const std::string& path) {
    const Node::List& items = *expected.list();
    if (!actual.is(wire::Type::Array) || actual.as_document().count() != items.size())
      return differs(expected, actual, path);
    std::size_t i = 0;
    for (const auto& [name, value] : actual.as_document())
      if (auto different = compare(items[i++], value, joined(path, name))) return different;
    return std::nullopt;
  }

  bool matches(const Node& expected, wire::ValueView actual) { return !compare(expected, actual, {}); }

  std::optional<Mismatch> special(std::string_view word, const Node& argument, wire::ValueView actual,
                                  const std::string& path) {
    if (word == "$$exactly") return exactly(argument, actual, path);
    if (word == "$$unsetOrMatches") return actual.missing() ? std::nullopt : compare(argument, actual, path);
    return holds(word, argument, actual) ? std::nullopt : std::optional(differs(word, argument, actual, path));
  }

  bool holds(std::string_view word, const Node& argument, wire::ValueView actual) {
    if (word == "$$exists") return *argument.boolean_value() != actual.missing();
    if (word == "$$not") return !matches(argument, actual);
    if (actual.missing()) return false;
    if (word == "$$type") return of_type(argument, actual);
    if (word == "$$in")
      return std::ranges::any_of(*argument.list(), [&](const Node& one) { return matches(one, actual); });
    if (word == "$$matches")
      return actual.is(wire::Type::String) && Regex(*argument.text()).found_in(actual.as_string());
    if (word == "$$matchesHexBytes") return hex_matches(*argument.text(), actual);
    if (word == "$$contains") return contains(*argument.list(), actual);
    return is_comparison(word) && compares(word, argument, actual);
  }

  static bool of_type(const Node& argument, wire::ValueView actual) {
    const auto is = [&](const Node& name) {
      return *name.text() == wire::type_name(actual.type()) || (*name.text() == "number" && actual.is_number());
    };
    return argument.list() != nullptr ? std::ranges::any_of(*argument.list(), is) : is(argument);
  }

  static bool hex_matches(std::string_view hex, wire::ValueView actual) {
    if (!actual.is(wire::Type::Binary)) return false;
    std::string digits;
    for (const std::uint8_t byte : actual.as_binary().bytes) {
      digits += "0123456789ABCDEF"[byte >> 4];
      digits += "0123456789ABCDEF"[byte & 15];
    }
    return std::ranges::equal(digits, hex, {}, {},
                              [](char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); });
  }

  // Each of the list is matched by an element of its own.
  bool contains(const Node::List& wanted, wire::ValueView actual) {
    if (!actual.is(wire::Type::Array)) return false;
    std::vector<wire::ValueView> left;
    for (const auto& [name, value] : actual.as_document()) left.push_back(value);
    for (const Node& one : wanted) {
      const auto found = std::ranges::find_if(left, [&](wire::ValueView value) { return matches(one, value); });
      if (found == left.end()) return false;
      left.erase(found);
    }
    return true;
  }

  bool compares(std::string_view word, const Node& argument, wire::ValueView actual) {
    try {
      const auto order = ordered(actual, to_value(argument, names_));
      if (!order) return false;
      if (word == "$$lt") return *order < 0;
      if (word == "$$lte") return *order <= 0;
      if (word == "$$gt") return *order > 0;
      return *order >= 0;
    } catch (const Unresolved&) {
      return false;
    }
  }

  std::optional<Mismatch> exactly(const Node& argument, wire::ValueView actual, const std::string& path) {
    if (auto different = compare(argument, actual, path)) return different;
    if (actual.is(wire::Type::Document))
      for (const auto& [name, value] : actual.as_document())
        if (argument.find(name) == nullptr)
          return Mismatch{joined(path, name), "no such field ($$exactly)", shown(value)};
    return std::nullopt;
  }

  const Names& names_;
};

void check_argument(Reader& reader, std::string_view word, const Node& argument) {
  if (word == "$$exists") {
    if (argument.boolean_value() == nullptr) reader.problem(argument.at, "$$exists takes true or false");
  } else if (word == "$$matches") {
    reader.regex(argument, word);
  } else if (word == "$$matchesHexBytes") {
    reader.text(argument, word);
  } else if (word == "$$type") {
    reader.texts(argument, word);
  } else if (word == "$$in" || word == "$$contains") {
    for (const Node& one : reader.list(argument, word)) check_matcher(reader, one);
  } else if (is_comparison(word)) {
    check_value(reader, argument);
  } else {
    check_matcher(reader, argument);
  }
}

}  // namespace

bool same_value(wire::ValueView expected, wire::ValueView actual) {
  if (is_token(expected) && is_token(actual))
    return wire::compare_tokens(expected.as_document(), actual.as_document()) == 0;
  return wire::equal_values(expected, actual);
}

std::optional<std::weak_ordering> ordered(wire::ValueView left, wire::ValueView right) {
  if (is_token(left) && is_token(right)) return wire::compare_tokens(left.as_document(), right.as_document());
  if (wire::canonical_type(left.type()) != wire::canonical_type(right.type())) return std::nullopt;
  return wire::compare_values(left, right);
}

void check_matcher(Reader& reader, const Node& expected) {
  if (const Node::List* list = expected.list()) {
    for (const Node& item : *list) check_matcher(reader, item);
    return;
  }
  if (is_extended(expected) || expected.map() == nullptr) {
    check_value(reader, expected);
    return;
  }
  for (const auto& [key, value] : *expected.map()) {
    if (is_matcher(key.name))
      check_argument(reader, key.name, value);
    else if (!key.name.starts_with("$$"))
      check_matcher(reader, value);
    else if (std::ranges::find(matchers, key.name) == std::end(matchers))
      reader.unknown(key.at, "matcher", key.name, matchers);
    else
      check_value(reader, expected);
  }
}

std::optional<Mismatch> mismatch(const Node& expected, wire::ValueView actual, const Names& names) {
  return Matcher(names).compare(expected, actual, {});
}

}  // namespace scenarios
