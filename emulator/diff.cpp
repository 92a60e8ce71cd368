#include "emulator/diff.h"

#include <charconv>
#include <memory>
#include <set>
#include <string_view>

#include "emulator/diff_tree.h"

namespace emulator {
namespace {

using wire::DocumentView;
using wire::Type;
using wire::ValueView;

// Room that doc_diff adds for the entry's own fields before it compares with the whole document (kDiffMetadataPadding).
constexpr std::size_t metadata_bytes = 15;

using Tree = std::unique_ptr<DiffTree>;

// nullptr: not worth it, report the whole value.
Tree compare_objects(DocumentView pre, DocumentView post, std::size_t padding_bytes);
Tree compare_arrays(DocumentView pre, DocumentView post);

Tree compare_nested(ValueView pre, ValueView post) {
  if (pre.is(Type::Document) && post.is(Type::Document))
    return compare_objects(pre.as_document(), post.as_document(), 0);
  if (pre.is(Type::Array) && post.is(Type::Array)) return compare_arrays(pre.as_document(), post.as_document());
  return nullptr;
}

template <class Key>
void change(DiffTree& tree, Key key, ValueView pre, ValueView post) {
  if (Tree nested = compare_nested(pre, post))
    tree.nest(key, std::move(nested));
  else
    tree.update(key, post);
}

Tree compare_objects(DocumentView pre, DocumentView post, std::size_t padding_bytes) {
  auto tree = std::make_unique<DiffTree>(DiffTree::Level::Object);
  std::set<std::string_view> removed;
  auto old_field = pre.begin();
  auto new_field = post.begin();
  while (old_field != pre.end() && new_field != post.end()) {
    if (old_field->name != new_field->name) {
      removed.insert(old_field->name);
      ++old_field;
      continue;
    }
    if (!old_field->value.identical(new_field->value))
      change(*tree, old_field->name, old_field->value, new_field->value);
    ++old_field;
    ++new_field;
    // It only grows: the rest need not be compared.
    if (post.size() < tree->size_bytes() + padding_bytes) return nullptr;
  }
  for (; old_field != pre.end(); ++old_field) tree->remove(old_field->name);
  for (; new_field != post.end(); ++new_field) {
    tree->insert(new_field->name, new_field->value);
    removed.erase(new_field->name);
  }
  for (std::string_view name : removed) tree->remove(name);
  return post.size() > tree->size_bytes() + padding_bytes ? std::move(tree) : nullptr;
}

Tree compare_arrays(DocumentView pre, DocumentView post) {
  auto tree = std::make_unique<DiffTree>(DiffTree::Level::Array);
  auto old_item = pre.begin();
  auto new_item = post.begin();
  std::size_t index = 0;
  for (; old_item != pre.end() && new_item != post.end(); ++old_item, ++new_item, ++index) {
    if (!old_item->value.identical(new_item->value)) change(*tree, index, old_item->value, new_item->value);
    if (post.size() < tree->size_bytes()) return nullptr;
  }
  if (old_item != pre.end()) tree->truncate(static_cast<std::int32_t>(index));
  for (; new_item != post.end(); ++new_item, ++index) tree->update(index, new_item->value);
  return post.size() > tree->size_bytes() ? std::move(tree) : nullptr;
}

}  // namespace

std::optional<wire::Document> compute_diff(DocumentView pre, DocumentView post) {
  if (pre.identical(post)) return wire::Document();
  Tree tree = compare_objects(pre, post, metadata_bytes);
  if (!tree) return std::nullopt;
  wire::DocumentBuilder out;
  tree->write(out);
  return out.finish();
}

std::optional<std::size_t> strict_index(std::string_view name) {
  if (name.empty() || (name[0] == '0' && name.size() > 1)) return std::nullopt;
  std::uint32_t index = 0;
  auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return index;
}

}  // namespace emulator
