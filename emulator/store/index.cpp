#include "emulator/store/index.h"

#include <algorithm>
#include <charconv>

#include "emulator/arguments.h"
#include "emulator/collation.h"
#include "emulator/command_error.h"

namespace emulator {
namespace {

// One field of the pattern on its way through a document.
struct Walk {
  wire::ValueView at;     // where it stands; the value itself once `rest` is empty
  std::string_view rest;  // of the path
};

// Follows the path through documents, up to its end, nothing, or an array. A number may name an array's element.
void advance(Walk& walk) {
  while (!walk.rest.empty()) {
    const auto dot = walk.rest.find('.');
    const std::string_view name = walk.rest.substr(0, dot);
    const std::string_view rest = dot == std::string_view::npos ? std::string_view{} : walk.rest.substr(dot + 1);
    if (walk.at.is(wire::Type::Document) || (walk.at.is(wire::Type::Array) && walk.at.as_document().has(name))) {
      walk = {walk.at.as_document().find(name), rest};
    } else if (walk.at.is(wire::Type::Array)) {
      return;
    } else {
      walk = {};
    }
  }
}

// False: two paths go through different arrays, and no key can be made.
bool expand(std::vector<Walk> walks, std::vector<std::vector<wire::Value>>& out) {
  wire::ValueView array;
  for (Walk& walk : walks) {
    advance(walk);
    if (!walk.at.is(wire::Type::Array)) continue;
    if (array && array.bytes().data() != walk.at.bytes().data()) return false;
    array = walk.at;
  }
  if (!array) {
    std::vector<wire::Value>& key = out.emplace_back();
    for (const Walk& walk : walks) key.emplace_back(walk.at);
    return true;
  }
  const auto with = [&](wire::ValueView element, wire::ValueView at_end) {
    std::vector<Walk> next = walks;
    for (Walk& walk : next) {
      if (walk.at.bytes().data() != array.bytes().data()) continue;
      const bool goes_on = element.is(wire::Type::Document) && !walk.rest.empty();
      walk = goes_on ? Walk{element, walk.rest} : Walk{walk.rest.empty() ? at_end : wire::ValueView{}, {}};
    }
    // An array inside the array is a value, not to be opened again.
    std::vector<wire::Value>& key = out.emplace_back();
    bool open = false;
    for (Walk& walk : next) {
      advance(walk);
      open = open || (walk.at.is(wire::Type::Array) && walk.at.bytes().data() != element.bytes().data());
      key.emplace_back(walk.at);
    }
    if (!open) return true;
    out.pop_back();
    return expand(std::move(next), out);
  };
  const wire::DocumentView elements = array.as_document();
  if (elements.empty()) {
    static constexpr std::array<std::uint8_t, 0> nothing{};
    return with({}, wire::ValueView(wire::Type::Undefined, nothing));
  }
  for (const wire::Element& element : elements)
    if (!with(element.value, element.value)) return false;
  return true;
}

}  // namespace

bool has_parallel_arrays(wire::DocumentView document, std::span<const std::string_view> paths) {
  std::vector<Walk> walks;
  const wire::ValueView whole(wire::Type::Document, document.bytes());
  for (const std::string_view path : paths) walks.push_back({whole, path});
  std::vector<std::vector<wire::Value>> ignored_keys;
  return !expand(std::move(walks), ignored_keys);
}

IndexSpec::IndexSpec(wire::Document document)
    : name(document["name"].as_string()),
      key(document["key"].as_document()),
      spec(document),
      unique(is_truthy(document["unique"])),
      sparse(is_truthy(document["sparse"])) {
  if (const wire::ValueView given = document["collation"]; given.is(wire::Type::Document))
    collation = Collation::parse(given.as_document());
}

std::vector<wire::Document> Index::keys(wire::DocumentView document) const {
  if (spec_.covers && !spec_.covers(document)) return {};
  std::vector<Walk> walks;
  const wire::ValueView whole(wire::Type::Document, document.bytes());
  for (const wire::Element& field : spec_.key) walks.push_back({whole, field.name});
  std::vector<std::vector<wire::Value>> expanded;
  if (!expand(std::move(walks), expanded)) throw CommandError(171, "cannot index parallel arrays");
  std::vector<wire::Document> keys;
  for (const std::vector<wire::Value>& values : expanded) {
    const bool all_missing = std::ranges::all_of(values, [](const wire::Value& value) { return value.missing(); });
    if (spec_.sparse && all_missing) continue;
    wire::DocumentBuilder key;
    for (const wire::Value& value : values) {
      if (value.missing())
        key.append_null("");
      else
        key.append("", spec_.collation ? spec_.collation->key(value) : value);
    }
    wire::Document made = key.finish();
    const auto same = [&](const wire::Document& other) { return same_key(other, made); };
    if (std::ranges::none_of(keys, same)) keys.push_back(std::move(made));
  }
  return keys;
}

wire::Document Index::named(wire::DocumentView key) const {
  wire::DocumentBuilder named;
  auto value = key.begin();
  for (const wire::Element& field : spec_.key) {
    named.append(field.name, value->value);
    ++value;
  }
  return named.finish();
}

void Index::leave(const wire::Document& key, RecordId record) {
  auto [from, to] = records_.equal_range(wire::Value::document(key));
  for (; from != to; ++from) {
    if (from->second != record) continue;
    records_.erase(from);
    return;
  }
}

}  // namespace emulator
