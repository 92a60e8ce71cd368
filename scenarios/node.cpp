#include "scenarios/node.h"

#include <fmt/format.h>

#include <algorithm>

namespace scenarios {
namespace {

struct FlowText {
  std::string out;
  std::size_t characters_max;

  bool full() const { return out.size() > characters_max; }
  void operator()(std::nullptr_t) { out += "null"; }
  void operator()(bool value) { out += value ? "true" : "false"; }
  void operator()(std::int64_t value) { out += std::to_string(value); }
  void operator()(double value) { out += fmt::format("{}", value); }
  void operator()(const std::string& text) { out += text; }
  void operator()(const wire::Value& value) { out += wire::type_name(value.type()); }
  void operator()(const Node::List& list) {
    out += '[';
    for (std::size_t i = 0; i < list.size() && !full(); ++i) {
      if (i > 0) out += ", ";
      std::visit([this](const auto& item) { (*this)(item); }, list[i].content);
    }
    out += ']';
  }
  void operator()(const Node::Map& map) {
    out += '{';
    for (std::size_t i = 0; i < map.size() && !full(); ++i) {
      if (i > 0) out += ", ";
      out += map[i].first.name + ": ";
      std::visit([this](const auto& item) { (*this)(item); }, map[i].second.content);
    }
    out += '}';
  }
};

Node read_value(wire::ValueView value) {
  switch (value.type()) {
    case wire::Type::Null:
    case wire::Type::EndOfDocument:
      return {nullptr, {}};
    case wire::Type::Bool:
      return {value.as_bool(), {}};
    case wire::Type::Int32:
      return {std::int64_t{value.as_int32()}, {}};
    case wire::Type::Int64:
      return {value.as_int64(), {}};
    case wire::Type::Double: {
      // JavaScript shells send whole numbers as doubles.
      const double number = value.as_double();
      if (number >= -9e15 && number <= 9e15 && number == static_cast<double>(static_cast<std::int64_t>(number)))
        return {static_cast<std::int64_t>(number), {}};
      return {number, {}};
    }
    case wire::Type::String:
      return {std::string(value.as_string()), {}};
    case wire::Type::Document:
      return read_document(value.as_document());
    case wire::Type::Array: {
      Node::List list;
      for (const auto& [name, item] : value.as_document()) list.push_back(read_value(item));
      return {std::move(list), {}};
    }
    default:
      return {wire::Value(value), {}};
  }
}

}  // namespace

const Node* Node::find(std::string_view name) const {
  const Map* fields = map();
  if (fields == nullptr) return nullptr;
  const auto found =
      std::ranges::find(*fields, name, [](const auto& field) -> std::string_view { return field.first.name; });
  return found == fields->end() ? nullptr : &found->second;
}

const std::pair<Key, Node>* Node::special() const {
  const Map* fields = map();
  return fields != nullptr && fields->size() == 1 && fields->front().first.name.starts_with("$$") ? &fields->front()
                                                                                                  : nullptr;
}

std::string_view kind_name(const Node& node) {
  static constexpr std::string_view names[] = {"nothing",  "true or false", "a whole number", "a number",
                                               "a string", "a list",        "a map",          "a value"};
  return names[node.content.index()];
}

std::string flow_text(const Node& node, std::size_t characters_max) {
  FlowText text{{}, characters_max};
  std::visit([&text](const auto& content) { text(content); }, node.content);
  if (text.out.size() > characters_max) text.out = text.out.substr(0, characters_max) + "…";
  return text.out;
}

Node read_document(wire::DocumentView document) {
  Node::Map map;
  for (const auto& [name, value] : document) map.emplace_back(Key{std::string(name), {}}, read_value(value));
  return {std::move(map), {}};
}

std::string render(std::string_view file, const Problem& problem) {
  if (problem.at.line == 0) return fmt::format("{}: {}", file, problem.sentence);
  return fmt::format("{}:{}:{}: {}", file, problem.at.line, problem.at.column, problem.sentence);
}

}  // namespace scenarios
