// A value of a scenario as it was written: scalars, lists and maps with their places. YAML, JSON and documents that come over
// the wire all become this. Knows no meaning of words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/position.h"
#include "wire/document.h"

namespace scenarios {

struct Node;

struct Key {
  std::string name;
  Position at;
};

struct Node {
  using List = std::vector<Node>;
  using Map = std::vector<std::pair<Key, Node>>;
  // A wire::Value is what came over the wire and JSON cannot say (an ObjectId, a date).
  using Content = std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, List, Map, wire::Value>;

  Content content = nullptr;
  Position at;

  bool is_null() const { return std::holds_alternative<std::nullptr_t>(content); }
  const bool* boolean_value() const { return std::get_if<bool>(&content); }
  const std::int64_t* integer() const { return std::get_if<std::int64_t>(&content); }
  const double* number() const { return std::get_if<double>(&content); }
  const std::string* text() const { return std::get_if<std::string>(&content); }
  const List* list() const { return std::get_if<List>(&content); }
  const Map* map() const { return std::get_if<Map>(&content); }
  // The field of a map, or nullptr.
  const Node* find(std::string_view name) const;
  // The only field of a map that has one and whose name begins with "$$", or nullptr: {$$token: X}.
  const std::pair<Key, Node>* special() const;
};

// What it is, for messages: "a string", "a list", …
std::string_view kind_name(const Node& node);
// In one line, as YAML's flow style would say it; at most `characters_max`, then "…".
std::string flow_text(const Node& node, std::size_t characters_max = 120);

// How many values a file may have, anchors expanded: what bounds an alias bomb.
inline constexpr std::size_t nodes_max = 200'000;

// Each adds what is wrong to `problems` and returns null where nothing can be read.
Node read_yaml(std::string_view text, std::vector<Problem>& problems);
Node read_json(std::string_view text, std::vector<Problem>& problems);
// A document from the wire.
Node read_document(wire::DocumentView document);

}  // namespace scenarios
