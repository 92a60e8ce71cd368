#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "scenarios/node.h"

namespace scenarios {
namespace {

constexpr int depth_max = 100;

Position position(const YAML::Mark& mark) {
  if (mark.is_null()) return {};
  return {mark.line + 1, mark.column + 1};
}

bool all_of(std::string_view text, bool (*is)(char)) { return !text.empty() && std::ranges::all_of(text, is); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// YAML 1.2 core schema, rule "int".
bool parse_integer(std::string_view text, Node::Content& content) {
  int base = 10;
  std::string digits;
  if (text.starts_with("0x") || text.starts_with("0o")) {
    base = text[1] == 'x' ? 16 : 8;
    digits = text.substr(2);
  } else {
    const bool is_signed = text.starts_with('+') || text.starts_with('-');
    if (!all_of(text.substr(is_signed ? 1 : 0), is_digit)) return false;
    digits = text.starts_with('+') ? text.substr(1) : text;
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc() || end != digits.data() + digits.size()) return false;
  content = value;
  return true;
}

// Rule "float".
bool parse_number(std::string_view text, Node::Content& content) {
  std::string_view unsigned_text = text;
  if (text.starts_with('+') || text.starts_with('-')) unsigned_text.remove_prefix(1);
  if (unsigned_text == ".inf" || unsigned_text == ".Inf" || unsigned_text == ".INF") {
    content =
        text.starts_with('-') ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    return true;
  }
  if (text == ".nan" || text == ".NaN" || text == ".NAN") {
    content = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  if (unsigned_text.empty() || !(is_digit(unsigned_text[0]) || (unsigned_text[0] == '.' && unsigned_text.size() > 1)))
    return false;
  double value = 0;
  const auto [end, error] = std::from_chars(unsigned_text.data(), unsigned_text.data() + unsigned_text.size(), value);
  if (error != std::errc() || end != unsigned_text.data() + unsigned_text.size()) return false;
  content = text.starts_with('-') ? -value : value;
  return true;
}

// What a plain scalar is by the core schema: `on`, `off`, `no` and dates are strings.
Node::Content plain_scalar(const std::string& text) {
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  if (Node::Content content; parse_integer(text, content) || parse_number(text, content)) return content;
  return text;
}

class YamlReader {
 public:
  explicit YamlReader(std::vector<Problem>& problems) : problems_(problems) {}

  Node read(const YAML::Node& node, int depth) {
    Node out;
    out.at = position(node.Mark());
    if (++count_ > nodes_max || depth > depth_max) {
      if (!too_much_)
        problems_.push_back({out.at, depth > depth_max ? "nested too deeply"
                                                       : "the file has more than 200000 values, anchors counted"});
      too_much_ = true;
      return out;
    }
    if (node.IsScalar()) out.content = scalar(node);
    if (node.IsSequence()) out.content = list(node, depth);
    if (node.IsMap()) out.content = map(node, depth);
    return out;
  }

 private:
  Node::Content scalar(const YAML::Node& node) {
    const std::string& tag = node.Tag();
    if (tag == "?" || tag.empty()) return plain_scalar(node.Scalar());
    if (tag == "!" || tag == "tag:yaml.org,2002:str") return node.Scalar();
    Node::Content content;
    if (tag == "tag:yaml.org,2002:int" && parse_integer(node.Scalar(), content)) return content;
    if (tag == "tag:yaml.org,2002:float" && parse_number(node.Scalar(), content)) return content;
    problems_.push_back({position(node.Mark()), "the tag " + tag + " does not fit or is unknown"});
    return node.Scalar();
  }

  Node::List list(const YAML::Node& node, int depth) {
    Node::List items;
    for (const YAML::Node& item : node) {
      if (too_much_) break;
      items.push_back(read(item, depth + 1));
    }
    return items;
  }

  Node::Map map(const YAML::Node& node, int depth) {
    Node::Map fields;
    std::set<std::string> seen;
    for (const auto& field : node) {
      if (too_much_) break;
      const Position at = position(field.first.Mark());
      if (!field.first.IsScalar()) {
        problems_.push_back({at, "a key must be a word"});
        continue;
      }
      if (!seen.insert(field.first.Scalar()).second) {
        problems_.push_back({at, "the key \"" + field.first.Scalar() + "\" stands twice"});
        continue;
      }
      fields.emplace_back(Key{field.first.Scalar(), at}, read(field.second, depth + 1));
    }
    return fields;
  }

  std::vector<Problem>& problems_;
  std::size_t count_ = 0;
  bool too_much_ = false;
};

}  // namespace

Node read_yaml(std::string_view text, std::vector<Problem>& problems) {
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(text));
    if (documents.size() == 1) return YamlReader(problems).read(documents[0], 0);
    problems.push_back({{1, 1}, documents.empty() ? "the file is empty" : "the file has more than one document"});
  } catch (const YAML::Exception& error) {
    problems.push_back({position(error.mark), "not YAML: " + error.msg});
  }
  return {};
}

}  // namespace scenarios
