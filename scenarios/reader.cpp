#include "scenarios/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "emulator/faults/argument.h"
#include "scenarios/regex.h"

namespace scenarios {
namespace {

// Levenshtein's distance.
std::size_t distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < left.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < right.size(); ++j) {
      const bool same =
          std::tolower(static_cast<unsigned char>(left[i])) == std::tolower(static_cast<unsigned char>(right[j]));
      const std::size_t replaced = diagonal + (same ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::string joined(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

bool is_name(std::string_view text) {
  static constexpr std::string_view reserved[] = {"any", "none", "now", "last"};
  if (text.empty() || !std::isalpha(static_cast<unsigned char>(text[0])) ||
      std::ranges::find(reserved, text) != std::end(reserved))
    return false;
  return std::ranges::all_of(
      text, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; });
}

// "", "2", "invalidate", "fragment1", and after a number of a repeat's round one of them again.
bool is_selector(std::string_view text) {
  const auto digits = [](std::string_view part) {
    return !part.empty() && std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
  };
  return digits(text) || text == "invalidate" || (text.starts_with("fragment") && digits(text.substr(8)));
}

const Node::List no_items;
const Node nothing;

}  // namespace

bool is_absent(const Node& node) { return &node == &nothing; }

std::string_view nearest(std::string_view word, std::span<const std::string_view> words) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string_view candidate : words) {
    if (word.size() >= 3 && candidate.starts_with(word)) return candidate;
    const std::size_t far = distance(word, candidate);
    if (far < best_distance && far < candidate.size()) {
      best = candidate;
      best_distance = far;
    }
  }
  return best;
}

void Reader::wrong(const Node& node, std::string sentence) {
  if (!is_absent(node)) problem(node.at, std::move(sentence));
}

void Reader::unknown(Position at, std::string_view what, std::string_view word,
                     std::span<const std::string_view> words) {
  const std::string_view near = nearest(word, words);
  if (near.empty())
    problem(at, fmt::format("there is no {} \"{}\"; there is {}", what, word, joined(words)));
  else
    problem(at, fmt::format("there is no {} \"{}\"; did you mean {}?", what, word, near));
}

std::string Reader::text(const Node& node, std::string_view what) {
  if (const std::string* text = node.text()) return *text;
  wrong(node, fmt::format("{} must be a string, not {}", what, kind_name(node)));
  return {};
}

std::int64_t Reader::count(const Node& node, std::string_view what) {
  if (const std::int64_t* value = node.integer(); value != nullptr && *value >= 0) return *value;
  wrong(node, fmt::format("{} must be a whole number, 0 or more, not {}", what, flow_text(node, 40)));
  return 0;
}

double Reader::fraction(const Node& node, std::string_view what) {
  if (const double* value = node.number(); value != nullptr && *value >= 0 && *value <= 1) return *value;
  if (const std::int64_t* value = node.integer(); value != nullptr && (*value == 0 || *value == 1))
    return static_cast<double>(*value);
  wrong(node, fmt::format("{} must be a number between 0 and 1, not {}", what, flow_text(node, 40)));
  return 0;
}

std::chrono::nanoseconds Reader::duration(const Node& node, std::string_view what) {
  if (const std::string* text = node.text())
    if (const auto duration = emulator::parse_duration(*text)) return *duration;
  wrong(node, fmt::format("{} must be a duration as 200ms, 30s, 10m, 2h, not {}", what, flow_text(node, 40)));
  return {};
}

const Node::List& Reader::list(const Node& node, std::string_view what) {
  if (const Node::List* list = node.list()) return *list;
  wrong(node, fmt::format("{} must be a list, not {}", what, kind_name(node)));
  return no_items;
}

std::string Reader::ns(const Node& node, NsForm form) {
  const std::string name = text(node, "ns");
  if (node.text() == nullptr) return name;
  const std::size_t dot = name.find('.');
  const bool is_collection = dot != std::string::npos && dot > 0 && dot + 1 < name.size();
  const bool is_database = dot == std::string::npos && !name.empty();
  if (form == NsForm::Collection && !is_collection)
    problem(node.at, fmt::format("ns must be db.collection, not \"{}\"", name));
  if (form == NsForm::DatabaseOrCollection && !is_collection && !is_database)
    problem(node.at, fmt::format("ns must be db or db.collection, not \"{}\"", name));
  return name;
}

std::vector<std::string> Reader::texts(const Node& node, std::string_view what) {
  if (node.list() == nullptr) return {text(node, what)};
  std::vector<std::string> all;
  for (const Node& item : *node.list()) all.push_back(text(item, what));
  if (all.empty()) problem(node.at, fmt::format("{} must not be an empty list", what));
  return all;
}

std::string Reader::regex(const Node& node, std::string_view what) {
  // A number alone is a pattern, too: output: 42.
  const std::string pattern = node.integer() != nullptr ? std::to_string(*node.integer()) : text(node, what);
  if (const auto fault = regex_fault(pattern))
    problem(node.at, fmt::format("{} is no regular expression: {}", what, *fault));
  return pattern;
}

void Reader::set_name(const Node& node, NameKind kind) {
  const std::string name = text(node, "as");
  if (node.text() == nullptr) return;
  if (!is_name(name))
    problem(node.at,
            fmt::format("\"{}\" is no name: a letter, then letters, digits, _ and -; not any, none, now, last", name));
  else if (!names_.emplace(name, kind).second && !later_round)
    problem(node.at, fmt::format("the name {} is set twice", name));
}

std::string Reader::use_name(const Node& node, std::string_view what) {
  const std::string reference = text(node, what);
  return node.text() == nullptr ? reference : use_name(reference, node.at);
}

std::string Reader::use_name(const std::string& reference, Position at) {
  const std::string name = reference.substr(0, reference.find('.'));
  std::string_view selectors = std::string_view(reference).substr(std::min(reference.size(), name.size() + 1));
  while (!selectors.empty()) {
    const std::string_view selector = selectors.substr(0, selectors.find('.'));
    if (!is_selector(selector)) {
      static constexpr std::string_view known[] = {"invalidate", "fragment1"};
      unknown(at, "part of a name", selector, known);
    }
    selectors.remove_prefix(std::min(selectors.size(), selector.size() + 1));
  }
  if (names_.contains(name)) return reference;
  if (order_ == NameOrder::SetAnywhere) {
    deferred_.emplace_back(name, at);
    return reference;
  }
  std::vector<std::string_view> known;
  for (const auto& [set, kind] : names_) known.push_back(set);
  const std::string_view near = nearest(name, known);
  problem(at, near.empty() ? fmt::format("the name {} is not set before this", name)
                           : fmt::format("the name {} is not set before this; did you mean {}?", name, near));
  return reference;
}

void Reader::finish_names() {
  for (const auto& [name, at] : deferred_)
    if (!names_.contains(name)) problem(at, fmt::format("the name {} is never set", name));
  deferred_.clear();
}

Words::Words(Reader& reader, const Node& node, std::string_view what, std::span<const std::string_view> known)
    : reader_(reader), node_(node), what_(what) {
  if (node.map() == nullptr) {
    reader.problem(node.at, fmt::format("{} takes a map with {}, not {}", what, joined(known), kind_name(node)));
    return;
  }
  for (const auto& [key, value] : *node.map())
    if (std::ranges::find(known, key.name) == known.end())
      reader.unknown(key.at, fmt::format("word of {}", what), key.name, known);
}

const Node& Words::need(std::string_view word) const {
  if (const Node* node = find(word)) return *node;
  if (is_map()) reader_.problem(node_.at, fmt::format("{} needs {}", what_, word));
  return nothing;
}

}  // namespace scenarios
