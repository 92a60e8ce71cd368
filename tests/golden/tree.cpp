#include "tests/golden/tree.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

namespace golden {
namespace {

constexpr char volatile_mark = '\x01';  // begins no field name of a server
constexpr std::size_t shown_bytes_max = 600;

std::string shown(const Json& value) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > shown_bytes_max) text.resize(shown_bytes_max);
  return text;
}

Json keys(const Json& object) {
  Json out = Json::array();
  for (const auto& [name, value] : object.items()) out.push_back(name);
  return out;
}

bool is_volatile(const Json& value) {
  return value.is_object() && value.size() == 1 && value.begin().key().front() == volatile_mark;
}

class Numbering {
 public:
  void scan(const Json& value) {
    if (is_volatile(value)) {
      note(value.begin().key().substr(1), value.begin().value());
    } else if (value.is_structured()) {
      for (const Json& item : value) scan(item);
    }
  }

  Json put(const Json& value) const {
    if (is_volatile(value))
      return {{"$$" + value.begin().key().substr(1), number(value.begin().key().substr(1), value.begin().value())}};
    if (!value.is_structured()) return value;
    Json out = value;
    for (auto& item : out.items()) item.value() = put(item.value());
    return out;
  }

 private:
  void note(const std::string& kind, const Json& key) {
    if (kind == "clusterTime") {
      times_.insert(key.get<std::uint64_t>());
    } else {
      auto& seen = seen_[kind];
      seen.try_emplace(key.dump(), seen.size() + 1);
    }
  }

  std::size_t number(const std::string& kind, const Json& key) const {
    if (kind != "clusterTime") return seen_.at(kind).at(key.dump());
    return static_cast<std::size_t>(std::distance(times_.begin(), times_.find(key.get<std::uint64_t>()))) + 1;
  }

  std::set<std::uint64_t> times_;
  std::map<std::string, std::map<std::string, std::size_t>> seen_;
};

}  // namespace

std::vector<std::string> differences(const Json& want, const Json& got, const std::string& path) {
  std::vector<std::string> out;
  const auto append = [&](std::vector<std::string> more) { out.insert(out.end(), more.begin(), more.end()); };
  if (want.is_object() && got.is_object()) {
    if (keys(want) != keys(got)) out.push_back(path + ": fields " + shown(keys(want)) + ", got " + shown(keys(got)));
    for (const auto& [name, value] : want.items())
      if (got.contains(name)) append(differences(value, got[name], path + "." + name));
    return out;
  }
  if (want.is_array() && got.is_array()) {
    if (want.size() != got.size())
      out.push_back(path + ": " + std::to_string(want.size()) + " items, got " + std::to_string(got.size()));
    for (std::size_t n = 0; n < std::min(want.size(), got.size()); ++n)
      append(differences(want[n], got[n], path + "." + std::to_string(n)));
    return out;
  }
  if (want != got) out.push_back(path + ": " + shown(want) + ", got " + shown(got));
  return out;
}

Json volatile_leaf(std::string_view kind, Json key) {
  return Json::object({{volatile_mark + std::string(kind), std::move(key)}});
}

Json number_volatile_leaves(const Json& tree) {
  Numbering numbering;
  numbering.scan(tree);
  return numbering.put(tree);
}

}  // namespace golden
