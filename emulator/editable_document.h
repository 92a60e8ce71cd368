// A document while an update changes it: levels are taken apart only where a path leads. Knows no operators and no rules of paths.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/document.h"

namespace emulator {

// One value: bytes as they were, or, once taken apart, the fields of a document or the elements of an array.
class EditableValue {
 public:
  struct Field;

  explicit EditableValue(wire::ValueView value);
  EditableValue(EditableValue&&) noexcept;
  EditableValue& operator=(EditableValue&&) noexcept;
  ~EditableValue();

  wire::Type type() const { return value_.type(); }
  bool is_array() const { return value_.is(wire::Type::Array); }
  bool is_object() const { return value_.is(wire::Type::Document); }
  // Documents and arrays only.
  std::vector<Field>& fields();
  // The same of a value that is taken apart already; nullptr: it is not.
  const std::vector<Field>* taken_apart() const { return taken_apart_ ? &fields_ : nullptr; }
  // A field of a document, an element of an array by its index in digits; nullptr: none, or a value without fields.
  Field* find_field(std::string_view name);
  EditableValue* find(std::string_view name);
  // The value as it stands, whole.
  wire::Value whole() const;
  void set(wire::ValueView value);
  void append_to(wire::DocumentBuilder& out, std::string_view name) const;

 private:
  void append_fields_to(wire::DocumentBuilder& out) const;
  wire::ValueView value_;  // once taken apart only its type counts
  bool taken_apart_ = false;
  std::vector<Field> fields_;
  friend class EditableDocument;
};

// The name of an array's element counts for messages alone: its index where it is stored, or what it was put there by.
struct EditableValue::Field {
  std::string_view name;
  EditableValue value;
};

class EditableDocument {
 public:
  // `original` and every name must outlive it.
  explicit EditableDocument(wire::DocumentView original) : root_(as_value(original)) {}
  EditableDocument(const EditableDocument&) = delete;
  EditableDocument& operator=(const EditableDocument&) = delete;

  EditableValue& root() { return root_; }
  // Keeps a new value alive as long as the document.
  wire::ValueView keep(wire::Value value) { return kept_.emplace_back(std::move(value)); }
  wire::Document finish() const;

  static wire::ValueView as_value(wire::DocumentView document) { return {wire::Type::Document, document.bytes()}; }

 private:
  EditableValue root_;
  std::deque<wire::Value> kept_;
};

// Decimal digits, leading zeros allowed, as paths into arrays are read; nullopt: none, or beyond any array.
std::optional<std::size_t> array_index(std::string_view name);

}  // namespace emulator
