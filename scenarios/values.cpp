#include "scenarios/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "wire/extended_json.h"

namespace scenarios {
namespace {

constexpr std::string_view extended_keys[] = {
    "$oid",       "$date",   "$numberLong", "$numberInt", "$numberDouble",      "$numberDecimal",
    "$binary",    "$uuid",   "$timestamp",  "$minKey",    "$regularExpression", "$maxKey",
    "$undefined", "$symbol", "$code",       "$dbPointer"};
constexpr std::string_view references[] = {"$$token", "$$highWater", "$$clusterTime", "$$event", "$$cursor"};
constexpr std::string_view special_values[] = {"$$token", "$$highWater", "$$clusterTime",
                                               "$$event", "$$cursor",    "$$filler"};
constexpr std::int64_t filler_max = 16 * 1024 * 1024;

// The wrapper as JSON text, for the one reader of Extended JSON. Wrappers are small.
void append_json(std::string& out, const Node& node) {
  if (const auto* map = node.map()) {
    out += '{';
    for (std::size_t i = 0; i < map->size(); ++i) {
      if (i > 0) out += ',';
      wire::append_json_string(out, (*map)[i].first.name);
      out += ':';
      append_json(out, (*map)[i].second);
    }
    out += '}';
  } else if (const std::string* text = node.text()) {
    wire::append_json_string(out, *text);
  } else {
    out += flow_text(node);
  }
}

wire::Value extended_value(const Node& node) {
  std::string json;
  append_json(json, node);
  return wire::value_from_json(json);
}

wire::Value build(const Node& node, const Names* names);

struct Builder {
  const Names* names;  // nullptr: only the shape is wanted

  wire::Value operator()(std::nullptr_t) const { return wire::Value::null(); }
  wire::Value operator()(bool value) const { return wire::Value::boolean(value); }
  wire::Value operator()(std::int64_t value) const {
    if (value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max())
      return wire::Value::int32(static_cast<std::int32_t>(value));
    return wire::Value::int64(value);
  }
  wire::Value operator()(double value) const { return wire::Value::number(value); }
  wire::Value operator()(const std::string& text) const { return wire::Value::string(text); }
  wire::Value operator()(const wire::Value& value) const { return value; }
  wire::Value operator()(const Node::List& list) const {
    wire::DocumentBuilder out;
    for (std::size_t i = 0; i < list.size(); ++i) out.append(std::to_string(i), build(list[i], names));
    return wire::Value::array(out.view());
  }
  wire::Value operator()(const Node::Map& map) const {
    wire::DocumentBuilder out;
    for (const auto& [key, value] : map) out.append(key.name, build(value, names));
    return wire::Value::document(out.view());
  }
};

template <class T>
const T& resolved(const std::optional<T>& found, std::string_view word, const std::string& reference) {
  if (!found) throw Unresolved(fmt::format("{{{}: {}}}: the name is not set, or has none", word, reference));
  return *found;
}

wire::Value reference_value(std::string_view word, const std::string& reference, const Names& names) {
  if (word == "$$token") return wire::Value::document(resolved(names.token(reference), word, reference));
  if (word == "$$highWater") return wire::Value::document(resolved(names.high_water(reference), word, reference));
  if (word == "$$clusterTime") return wire::Value::timestamp(resolved(names.cluster_time(reference), word, reference));
  if (word == "$$cursor") return wire::Value::int64(resolved(names.cursor(reference), word, reference));
  return wire::Value::document(resolved(names.event_document(reference), word, reference));
}

wire::Value reference_shape(std::string_view word) {
  if (word == "$$clusterTime") return wire::Value::timestamp({});
  if (word == "$$cursor") return wire::Value::int64(0);
  return wire::Value::document({});
}

wire::Value build(const Node& node, const Names* names) {
  if (const auto* special = node.special()) {
    const auto& [key, argument] = *special;
    if (key.name == "$$filler")
      return wire::Value::string(
          std::string(static_cast<std::size_t>(argument.integer() ? *argument.integer() : 0), 'x'));
    if (names == nullptr) return reference_shape(key.name);
    if (argument.text() != nullptr) return reference_value(key.name, *argument.text(), *names);
  }
  if (is_extended(node)) return extended_value(node);
  return std::visit([names](const auto& content) { return Builder{names}(content); }, node.content);
}

}  // namespace

bool is_extended(const Node& node) {
  const Node::Map* map = node.map();
  return map != nullptr && !map->empty() &&
         std::ranges::find(extended_keys, map->front().first.name) != std::end(extended_keys);
}

void check_value(Reader& reader, const Node& node) {
  if (const auto* special = node.special()) {
    const auto& [key, argument] = *special;
    if (std::ranges::find(references, key.name) != std::end(references))
      reader.use_name(argument, key.name);
    else if (key.name == "$$filler") {
      if (reader.count(argument, "$$filler") > filler_max) reader.problem(argument.at, "$$filler makes at most 16 MiB");
    } else
      reader.unknown(key.at, "special value", key.name, special_values);
    return;
  }
  if (is_extended(node)) {
    try {
      extended_value(node);
    } catch (const wire::JsonError& error) {
      reader.problem(node.at, "not Extended JSON: " + error.message());
    }
    return;
  }
  if (const Node::List* list = node.list())
    for (const Node& item : *list) check_value(reader, item);
  if (const Node::Map* map = node.map())
    for (const auto& [key, value] : *map) {
      if (key.name.starts_with("$$")) reader.problem(key.at, fmt::format("{} must stand alone in its map", key.name));
      check_value(reader, value);
    }
}

void check_document(Reader& reader, const Node& node, std::string_view what) {
  if (node.map() == nullptr)
    reader.wrong(node, fmt::format("{} must be a document, not {}", what, kind_name(node)));
  else
    check_value(reader, node);
}

wire::Value to_value(const Node& node, const Names& names) { return build(node, &names); }

wire::Value shape_of(const Node& node) {
  try {
    return build(node, nullptr);
  } catch (const wire::JsonError&) {
    return wire::Value::null();  // noted by check_value
  }
}

wire::Document to_document(const Node& node, const Names& names) {
  const wire::Value value = to_value(node, names);
  return value.type() == wire::Type::Document ? wire::Document(value.view().as_document()) : wire::Document();
}

}  // namespace scenarios
