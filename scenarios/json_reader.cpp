#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "scenarios/node.h"

namespace scenarios {
namespace {

// Walks the text and lets everyone see where it is: nlohmann's events come without places.
struct Counted {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  const char* at = nullptr;
  const char** seen = nullptr;
  reference operator*() const { return *at; }
  Counted& operator++() {
    ++at;
    if (seen != nullptr) *seen = at;
    return *this;
  }
  Counted operator++(int) {
    Counted before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Counted& other) const { return at == other.at; }
  bool operator!=(const Counted& other) const { return at != other.at; }
};

class JsonReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonReader(std::string_view text, std::vector<Problem>& problems) : text_(text), problems_(problems) {}

  const char* seen = nullptr;
  Node root;

  bool null() override { return add(nullptr, scalar_start()); }
  bool boolean(bool value) override { return add(value, scalar_start()); }
  bool number_integer(number_integer_t value) override { return add(std::int64_t{value}, scalar_start()); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max()))
      return add(static_cast<double>(value), scalar_start());
    return add(static_cast<std::int64_t>(value), scalar_start());
  }
  bool number_float(number_float_t value, const string_t&) override { return add(value, scalar_start()); }
  bool string(string_t& value) override { return add(value, string_start()); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Node::Map{}); }
  bool start_array(std::size_t) override { return open(Node::List{}); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    key_ = {name, place(string_start())};
    const Node::Map* map = open_.back().map();
    if (std::ranges::any_of(*map, [&](const auto& field) { return field.first.name == name; }))
      problems_.push_back({key_.at, "the key \"" + name + "\" stands twice"});
    return true;
  }
  bool parse_error(std::size_t byte, const std::string&, const nlohmann::json::exception&) override {
    const std::size_t offset = std::min(byte == 0 ? 0 : byte - 1, text_.size());
    problems_.push_back(
        {place(offset), offset == text_.size() ? "not JSON: it ends too early" : "not JSON from here on"});
    return false;
  }

 private:
  std::size_t offset() const { return static_cast<std::size_t>(seen - text_.data()); }
  // Where the string begins that has just been read.
  std::size_t string_start() const {
    std::size_t at = offset() < 2 ? 0 : offset() - 2;
    for (; at > 0; --at) {
      if (text_[at] != '"') continue;
      std::size_t slashes = 0;
      while (slashes < at && text_[at - 1 - slashes] == '\\') ++slashes;
      if (slashes % 2 == 0) break;
    }
    return at;
  }
  // Where the number or word begins; the lexer may have seen one character more.
  std::size_t scalar_start() const {
    const auto belongs = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '+';
    };
    std::size_t at = std::min(offset(), text_.size());
    if (at > 0 && !belongs(text_[at - 1])) --at;
    while (at > 0 && belongs(text_[at - 1])) --at;
    return at;
  }
  // Places are asked for from front to back: counts on from the last one.
  Position place(std::size_t offset) {
    for (; counted_to_ < offset; ++counted_to_)
      if (text_[counted_to_] == '\n') {
        ++line_;
        line_start_ = counted_to_ + 1;
      }
    return {line_, static_cast<int>(offset - std::min(line_start_, offset)) + 1};
  }
  bool add(Node::Content content, std::size_t start) { return put({std::move(content), place(start)}); }
  bool put(Node node) {
    if (++count_ > nodes_max) {
      problems_.push_back({node.at, "the file has more than 200000 values"});
      return false;
    }
    if (open_.empty())
      root = std::move(node);
    else if (auto* map = std::get_if<Node::Map>(&open_.back().content))
      map->emplace_back(std::move(key_), std::move(node));
    else
      std::get<Node::List>(open_.back().content).push_back(std::move(node));
    return true;
  }
  bool open(Node::Content content) {
    if (open_.size() > 100) {
      problems_.push_back({place(offset()), "nested too deeply"});
      return false;
    }
    keys_.push_back(std::move(key_));
    open_.push_back({std::move(content), place(offset() == 0 ? 0 : offset() - 1)});
    return true;
  }
  bool close() {
    Node node = std::move(open_.back());
    open_.pop_back();
    key_ = std::move(keys_.back());
    keys_.pop_back();
    return put(std::move(node));
  }

  std::string_view text_;
  std::vector<Problem>& problems_;
  std::vector<Node> open_;
  std::vector<Key> keys_;
  Key key_;
  std::size_t count_ = 0;
  std::size_t counted_to_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
};

}  // namespace

Node read_json(std::string_view text, std::vector<Problem>& problems) {
  JsonReader reader(text, problems);
  reader.seen = text.data();
  const Counted first{text.data(), &reader.seen};
  const Counted last{text.data() + text.size(), nullptr};
  nlohmann::json::sax_parse(first, last, &reader);
  return std::move(reader.root);
}

}  // namespace scenarios
