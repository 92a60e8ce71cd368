#include "emulator/diff_tree.h"

#include <algorithm>
#include <string>

namespace emulator {
namespace {

constexpr std::size_t empty_object_bytes = 5;
constexpr std::size_t empty_array_diff_bytes = 9;  // {a: true}
constexpr std::size_t section_bytes = 8;           // type, one-letter name, NUL, an empty document
constexpr std::size_t length_bytes = 7;            // {l: int32}
constexpr std::size_t type_and_nul_bytes = 2;

std::size_t item_name_bytes(std::size_t index) {
  std::size_t bytes = 2;
  for (; index >= 10; index /= 10) ++bytes;
  return bytes;
}

bool is_object_of_diff(wire::ValueView value, DiffTree::Level level) {
  return value.is(level == DiffTree::Level::Array ? wire::Type::Array : wire::Type::Document);
}

}  // namespace

DiffTree::DiffTree(Level level)
    : level_(level), size_bytes_(level == Level::Object ? empty_object_bytes : empty_array_diff_bytes) {}

bool DiffTree::empty() const {
  return removed_.empty() && updated_.empty() && inserted_.empty() && nested_.empty() && items_.empty() && !length_;
}

void DiffTree::remove(std::string_view name) {
  size_bytes_ += (removed_.empty() ? section_bytes : 0) + name.size() + type_and_nul_bytes + 1;
  removed_.push_back(name);
}

void DiffTree::update(std::string_view name, wire::ValueView value) {
  size_bytes_ += (updated_.empty() ? section_bytes : 0) + name.size() + type_and_nul_bytes + value.bytes().size();
  updated_.push_back({name, value});
}

void DiffTree::insert(std::string_view name, wire::ValueView value) {
  size_bytes_ += (inserted_.empty() ? section_bytes : 0) + name.size() + type_and_nul_bytes + value.bytes().size();
  inserted_.push_back({name, value});
}

void DiffTree::nest(std::string_view name, std::unique_ptr<DiffTree> tree) {
  size_bytes_ += 1 + name.size() + type_and_nul_bytes + tree->size_bytes();
  nested_.push_back({name, std::move(tree)});
}

void DiffTree::update(std::size_t index, wire::ValueView value) {
  size_bytes_ += item_name_bytes(index) + type_and_nul_bytes + value.bytes().size();
  items_[index] = {value, nullptr};
}

void DiffTree::nest(std::size_t index, std::unique_ptr<DiffTree> tree) {
  size_bytes_ += item_name_bytes(index) + type_and_nul_bytes + tree->size_bytes();
  items_[index] = {{}, std::move(tree)};
}

void DiffTree::truncate(std::int32_t length) {
  size_bytes_ += length_bytes;
  length_ = length;
}

DiffTree* DiffTree::descend(std::string_view name, Level level) {
  auto reported = [name](const Field& field) { return field.name == name; };
  if (std::ranges::any_of(updated_, reported) || std::ranges::any_of(inserted_, reported)) return nullptr;
  auto found = std::ranges::find(nested_, name, &Nested::name);
  if (found != nested_.end()) return found->tree.get();
  nested_.push_back({name, std::make_unique<DiffTree>(level)});
  return nested_.back().tree.get();
}

DiffTree* DiffTree::descend(std::size_t index, Level level) {
  auto [item, is_new] = items_.try_emplace(index);
  if (is_new) item->second.tree = std::make_unique<DiffTree>(level);
  return item->second.tree.get();
}

void DiffTree::resolve(wire::DocumentView post) {
  for (Field& field : updated_) field.value = post.find(field.name);
  for (Field& field : inserted_) field.value = post.find(field.name);
  for (Nested& nested : nested_)
    if (wire::ValueView value = post.find(nested.name); is_object_of_diff(value, nested.tree->level()))
      nested.tree->resolve(value.as_document());
  std::size_t index = 0;
  auto item = items_.begin();
  for (auto element = post.begin(); element != post.end() && item != items_.end(); ++element, ++index) {
    if (item->first != index) continue;
    if (item->second.tree)
      item->second.tree->resolve(element->value.as_document());
    else
      item->second.value = element->value;
    ++item;
  }
}

void DiffTree::write(wire::DocumentBuilder& out) const {
  if (level_ == Level::Object)
    write_object(out);
  else
    write_array(out);
}

void DiffTree::write_object(wire::DocumentBuilder& out) const {
  if (!removed_.empty()) {
    out.begin_document("d");
    for (std::string_view name : removed_) out.append_bool(name, false);
    out.end();
  }
  auto section = [&out](std::string_view letter, const std::vector<Field>& fields) {
    if (fields.empty()) return;
    out.begin_document(letter);
    for (const Field& field : fields) out.append(field.name, field.value);
    out.end();
  };
  section("u", updated_);
  section("i", inserted_);
  std::string name;
  for (const Nested& nested : nested_) {
    name.assign(1, 's').append(nested.name);
    out.begin_document(name);
    nested.tree->write(out);
    out.end();
  }
}

void DiffTree::write_array(wire::DocumentBuilder& out) const {
  out.append_bool("a", true);
  if (length_) out.append_int32("l", *length_);
  for (const auto& [index, item] : items_) {
    std::string name = (item.tree ? 's' : 'u') + std::to_string(index);
    if (!item.tree) {
      out.append(name, item.value);
      continue;
    }
    out.begin_document(name);
    item.tree->write(out);
    out.end();
  }
}

}  // namespace emulator
