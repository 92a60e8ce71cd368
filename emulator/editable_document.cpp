#include "emulator/editable_document.h"

#include <algorithm>
#include <charconv>

namespace emulator {

using wire::DocumentBuilder;
using wire::Type;
using wire::ValueView;

std::optional<std::size_t> array_index(std::string_view name) {
  std::uint32_t index = 0;
  auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return index;
}

EditableValue::EditableValue(ValueView value) : value_(value) {}
EditableValue::EditableValue(EditableValue&&) noexcept = default;
EditableValue& EditableValue::operator=(EditableValue&&) noexcept = default;
EditableValue::~EditableValue() = default;

std::vector<EditableValue::Field>& EditableValue::fields() {
  if (!taken_apart_) {
    taken_apart_ = true;
    for (const auto& [name, value] : value_.as_document()) fields_.push_back({name, EditableValue(value)});
  }
  return fields_;
}

EditableValue::Field* EditableValue::find_field(std::string_view name) {
  if (is_array()) {
    std::optional<std::size_t> index = array_index(name);
    return index && *index < fields().size() ? &fields()[*index] : nullptr;
  }
  if (!is_object()) return nullptr;
  auto found = std::ranges::find(fields(), name, &Field::name);
  return found == fields().end() ? nullptr : &*found;
}

EditableValue* EditableValue::find(std::string_view name) {
  Field* found = find_field(name);
  return found == nullptr ? nullptr : &found->value;
}

void EditableValue::append_fields_to(DocumentBuilder& out) const {
  for (const Field& field : fields_) field.value.append_to(out, is_array() ? out.item_name() : field.name);
}

wire::Value EditableValue::whole() const {
  if (!taken_apart_) return value_;
  DocumentBuilder out;
  if (!is_array()) {
    append_fields_to(out);
    return wire::Value::document(out.view());
  }
  out.begin_array("");
  append_fields_to(out);
  out.end();
  return out.view().first().value;
}

void EditableValue::set(ValueView value) {
  value_ = value;
  taken_apart_ = false;
  fields_.clear();
}

void EditableValue::append_to(DocumentBuilder& out, std::string_view name) const {
  if (!taken_apart_) {
    out.append(name, value_);
    return;
  }
  if (is_array())
    out.begin_array(name);
  else
    out.begin_document(name);
  append_fields_to(out);
  out.end();
}

wire::Document EditableDocument::finish() const {
  DocumentBuilder out;
  if (root_.taken_apart_)
    root_.append_fields_to(out);
  else
    out.append_all(root_.value_.as_document());
  return out.finish();
}

}  // namespace emulator
