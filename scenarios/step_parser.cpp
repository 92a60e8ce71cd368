#include "scenarios/step_parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/steps/table.h"

namespace scenarios {
namespace {

constexpr std::int64_t rounds_max = 10'000;
// What a file may grow to by repeats.
constexpr std::size_t steps_max = 100'000;

std::string node_text(const Node& node) {
  std::string text;
  if (node.is_null()) return text;
  return flow_text(node, 1000);
}

// A string with its ${words} replaced; alone in it, the value keeps its type.
Node substituted_text(const Node& node, const std::string& text, const Node::Map& values) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t begin = text.find("${", at);
    const std::size_t end = begin == std::string::npos ? begin : text.find('}', begin);
    if (end == std::string::npos) break;
    const std::string word = text.substr(begin + 2, end - begin - 2);
    const auto value =
        std::ranges::find(values, word, [](const auto& field) -> const std::string& { return field.first.name; });
    out += text.substr(at, begin - at);
    at = end + 1;
    if (value == values.end()) {
      out += text.substr(begin, end + 1 - begin);
      continue;
    }
    if (begin == 0 && at == text.size()) {
      Node whole = value->second;
      whole.at = node.at;
      return whole;
    }
    out += node_text(value->second);
  }
  return {out + text.substr(at), node.at};
}

bool becomes_null(const Node& before, const Node& after) { return after.is_null() && before.text() != nullptr; }

void parse_named(Reader& reader, const Node& node, const Key& key, const Node& value, std::vector<PlacedStep>& steps) {
  const StepSpec* spec = find_step(key.name);
  if (spec == nullptr) {
    std::vector<std::string_view> known;
    for (const StepSpec* one : all_steps()) known.push_back(one->name);
    reader.unknown(key.at, "step", key.name, known);
    return;
  }
  if (reader.in_given && spec->in_given == InGiven::Refused)
    reader.problem(key.at, fmt::format("{} may not stand in given: data, history and time only", key.name));
  if (reader.in_always && spec->in_always == InAlways::Refused)
    reader.problem(key.at, fmt::format("{} may not stand in always: limit and expect only", key.name));
  PlacedStep placed;
  placed.step = spec->parse(reader, value);
  placed.at = node.at;
  placed.text = fmt::format("{}: {}", key.name, flow_text(value));
  if (placed.step != nullptr) steps.push_back(std::move(placed));
}

void parse_repeat(Reader& reader, const Node& value, std::vector<PlacedStep>& steps) {
  static constexpr std::string_view words[] = {"times", "steps"};
  const Words repeat(reader, value, "repeat", words);
  if (!repeat.is_map()) return;
  const std::int64_t times = reader.count(repeat.need("times"), "times");
  const Node& body = repeat.need("steps");
  if (times < 1 || times > rounds_max) {
    reader.problem(value.at, fmt::format("repeat takes 1 to {} times", rounds_max));
    return;
  }
  for (std::int64_t round = 1; round <= times && steps.size() < steps_max; ++round) {
    const Node::Map values{{Key{"round", {}}, Node{round, {}}}};
    const std::size_t problems = reader.problem_count();
    reader.later_round = round > 1;
    for (const Node& node : reader.list(body, "steps")) parse_step(reader, substituted(node, values), steps);
    reader.later_round = false;
    // The same mistake a thousand times says no more.
    if (reader.problem_count() > problems) return;
  }
}

}  // namespace

void parse_step(Reader& reader, const Node& node, std::vector<PlacedStep>& steps) {
  if (node.is_null()) return;
  if (node.map() == nullptr || node.map()->size() != 1) {
    reader.problem(node.at, node.map() == nullptr
                                ? fmt::format("a step is a map with one key, its name, not {}", kind_name(node))
                                : "a step has one key, its name");
    return;
  }
  const auto& [key, value] = node.map()->front();
  if (key.name == "repeat")
    parse_repeat(reader, value, steps);
  else
    parse_named(reader, node, key, value, steps);
}

std::vector<PlacedStep> parse_steps(Reader& reader, const Node& list) {
  std::vector<PlacedStep> steps;
  for (const Node& node : reader.list(list, "steps")) parse_step(reader, node, steps);
  return steps;
}

Node substituted(const Node& node, const Node::Map& values) {
  if (const std::string* text = node.text()) return substituted_text(node, *text, values);
  Node out = node;
  if (const Node::List* list = node.list()) {
    Node::List items;
    for (const Node& item : *list) {
      Node changed = substituted(item, values);
      if (!becomes_null(item, changed)) items.push_back(std::move(changed));
    }
    out.content = std::move(items);
  }
  if (const Node::Map* map = node.map()) {
    Node::Map fields;
    for (const auto& [key, value] : *map) {
      Node changed = substituted(value, values);
      if (!becomes_null(value, changed)) fields.emplace_back(key, std::move(changed));
    }
    out.content = std::move(fields);
  }
  return out;
}

}  // namespace scenarios
