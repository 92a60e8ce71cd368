#include <map>
#include <string>

#include "emulator/command_error.h"
#include "emulator/diff.h"
#include "emulator/limits.h"

namespace emulator {
namespace {

using wire::DocumentBuilder;
using wire::DocumentView;
using wire::Type;
using wire::ValueView;

[[noreturn]] void malformed(const std::string& what) {
  throw CommandError(9, "The diff of an update is malformed: " + what);
}

DocumentView document_of(ValueView value, std::string_view name) {
  if (!value.is(Type::Document)) malformed("'" + std::string(name) + "' is no document");
  return value.as_document();
}

bool is_array_diff(DocumentView diff) { return diff.first().name == "a" && diff.first().value.is(Type::Bool); }

struct Change {
  enum class Kind : std::uint8_t { Remove, Update, Insert, Nested } kind;
  ValueView value;
};

void apply_object(DocumentView pre, DocumentView diff, DocumentBuilder& out);
void apply_array(DocumentView pre, DocumentView diff, DocumentBuilder& out);

// A nested difference of something else than it was made from changes nothing.
void apply_nested(std::string_view name, ValueView pre, DocumentView diff, DocumentBuilder& out) {
  if (is_array_diff(diff) && pre.is(Type::Array)) {
    out.begin_array(name);
    apply_array(pre.as_document(), diff, out);
    out.end();
  } else if (!is_array_diff(diff) && pre.is(Type::Document)) {
    out.begin_document(name);
    apply_object(pre.as_document(), diff, out);
    out.end();
  } else {
    out.append(name, pre);
  }
}

std::map<std::string_view, Change> changes_of(DocumentView diff) {
  std::map<std::string_view, Change> changes;
  for (const auto& [name, value] : diff) {
    if (name.empty()) malformed("an empty section name");
    DocumentView section = document_of(value, name);
    if (name[0] == 's') {
      changes.insert_or_assign(name.substr(1), Change{Change::Kind::Nested, value});
      continue;
    }
    if (name != "d" && name != "u" && name != "b" && name != "i")
      malformed("unknown section '" + std::string(name) + "'");
    Change::Kind kind = name == "d" ? Change::Kind::Remove : name == "i" ? Change::Kind::Insert : Change::Kind::Update;
    for (const auto& field : section) changes.insert_or_assign(field.name, Change{kind, field.value});
  }
  return changes;
}

void apply_object(DocumentView pre, DocumentView diff, DocumentBuilder& out) {
  std::map<std::string_view, Change> changes = changes_of(diff);
  // Measured on 6.0.5: where a difference only inserts, nobody looks whether the fields are there already; they are twice then.
  if (diff.count() == 1 && diff.first().name == "i") {
    out.append_all(pre);
    out.append_all(diff.first().value.as_document());
    return;
  }
  for (const auto& [name, value] : pre) {
    auto found = changes.find(name);
    if (found == changes.end()) {
      out.append(name, value);
      continue;
    }
    Change& change = found->second;
    if (change.kind == Change::Kind::Nested) apply_nested(name, value, change.value.as_document(), out);
    if (change.kind != Change::Kind::Update) continue;  // an inserted field moves to the end
    if (change.value) out.append(name, change.value);
    change.value = {};
  }
  for (const auto& [name, value] : diff) {
    if (name != "u" && name != "b" && name != "i") continue;
    for (const auto& field : value.as_document()) {
      Change& change = changes.at(field.name);
      if (change.kind != Change::Kind::Update && change.kind != Change::Kind::Insert) continue;
      if (change.value) out.append(field.name, change.value);
      change.value = {};
    }
  }
}

struct ArrayDiff {
  std::optional<std::size_t> length;
  std::map<std::size_t, Change> items;
};

ArrayDiff array_diff_of(DocumentView diff) {
  ArrayDiff read;
  for (const auto& [name, value] : diff) {
    if (name == "a") continue;
    if (name == "l") {
      if (!value.is(Type::Int32) || value.as_int32() < 0) malformed("'l' is no length");
      read.length = static_cast<std::size_t>(value.as_int32());
      continue;
    }
    std::optional<std::size_t> index = name.empty() ? std::nullopt : strict_index(name.substr(1));
    if (!index || (name[0] != 'u' && name[0] != 's')) malformed("unknown array field '" + std::string(name) + "'");
    if (name[0] == 's') document_of(value, name);
    read.items.insert_or_assign(*index, Change{name[0] == 's' ? Change::Kind::Nested : Change::Kind::Update, value});
  }
  return read;
}

void pad(std::size_t from, std::size_t to, DocumentBuilder& out) {
  for (; from < to; ++from) {
    out.append_null(out.item_name());
    if (out.size() > static_cast<std::size_t>(document_internal_bytes_max))
      throw CommandError(10334, "The diff of an update pads an array beyond the largest document");
  }
}

void apply_array(DocumentView pre, DocumentView diff, DocumentBuilder& out) {
  ArrayDiff read = array_diff_of(diff);
  std::size_t index = 0;
  for (const auto& element : pre) {
    if (read.length && index >= *read.length) break;
    auto found = read.items.find(index++);
    if (found == read.items.end())
      out.item(element.value);
    else if (found->second.kind == Change::Kind::Update)
      out.item(found->second.value);
    else
      apply_nested(out.item_name(), element.value, found->second.value.as_document(), out);
  }
  for (auto item = read.items.lower_bound(index); item != read.items.end(); ++item) {
    if (item->second.kind != Change::Kind::Update) continue;
    pad(index, item->first, out);
    out.item(item->second.value);
    index = item->first + 1;
  }
  if (read.length) pad(index, *read.length, out);
}

}  // namespace

wire::Document apply_diff(DocumentView pre, DocumentView diff) {
  if (is_array_diff(diff)) malformed("an array's at top level");
  DocumentBuilder out;
  apply_object(pre, diff, out);
  return out.finish();
}

}  // namespace emulator
