// DocumentBuilder: appends to one buffer, lengths filled in as documents close.
#include <cassert>
#include <charconv>
#include <cstring>

#include "wire/document.h"

namespace wire {

DocumentBuilder::DocumentBuilder() { clear(); }

void DocumentBuilder::clear() {
  buffer_.resize(4);
  open_.clear();
  finished_ = false;
}

void DocumentBuilder::header(Type type, std::string_view name) {
  if (finished_) clear();
  const std::size_t at = buffer_.size();
  buffer_.resize(at + name.size() + 2);
  buffer_[at] = static_cast<std::uint8_t>(type);
  if (!name.empty()) std::memcpy(buffer_.data() + at + 1, name.data(), name.size());
  buffer_.back() = 0;
}

template <class T>
DocumentBuilder& DocumentBuilder::scalar(Type type, std::string_view name, const T& value) {
  return append(name, ValueView(type, {reinterpret_cast<const std::uint8_t*>(&value), sizeof value}));
}

DocumentBuilder& DocumentBuilder::append(std::string_view name, ValueView value) {
  assert(!value.missing());
  header(value.type(), name);
  buffer_.insert(buffer_.end(), value.bytes().begin(), value.bytes().end());
  return *this;
}

DocumentBuilder& DocumentBuilder::append_all(DocumentView document) {
  if (finished_) clear();
  buffer_.insert(buffer_.end(), document.data() + 4, document.data() + document.size() - 1);
  return *this;
}

DocumentBuilder& DocumentBuilder::append_double(std::string_view name, double value) {
  return scalar(Type::Double, name, value);
}
DocumentBuilder& DocumentBuilder::append_int32(std::string_view name, std::int32_t value) {
  return scalar(Type::Int32, name, value);
}
DocumentBuilder& DocumentBuilder::append_int64(std::string_view name, std::int64_t value) {
  return scalar(Type::Int64, name, value);
}
DocumentBuilder& DocumentBuilder::append_bool(std::string_view name, bool value) {
  return scalar(Type::Bool, name, static_cast<std::uint8_t>(value ? 1 : 0));
}
DocumentBuilder& DocumentBuilder::append_null(std::string_view name) {
  header(Type::Null, name);
  return *this;
}
DocumentBuilder& DocumentBuilder::append_date(std::string_view name, std::int64_t ms) {
  return scalar(Type::DateTime, name, ms);
}
DocumentBuilder& DocumentBuilder::append_timestamp(std::string_view name, Timestamp value) {
  return scalar(Type::Timestamp, name, value.bits());
}
DocumentBuilder& DocumentBuilder::append_object_id(std::string_view name, const ObjectId& value) {
  return scalar(Type::ObjectId, name, value.bytes);
}

DocumentBuilder& DocumentBuilder::append_string(std::string_view name, std::string_view text) {
  header(Type::String, name);
  const std::size_t at = buffer_.size();
  const auto length = static_cast<std::uint32_t>(text.size() + 1);
  buffer_.resize(at + 4 + length);
  std::memcpy(buffer_.data() + at, &length, sizeof length);
  if (!text.empty()) std::memcpy(buffer_.data() + at + 4, text.data(), text.size());
  buffer_.back() = 0;
  return *this;
}

DocumentBuilder& DocumentBuilder::append_binary(std::string_view name, std::uint8_t subtype,
                                                std::span<const std::uint8_t> bytes) {
  return append(name, Value::binary(subtype, bytes));
}

DocumentBuilder& DocumentBuilder::append_document(std::string_view name, DocumentView value) {
  return append(name, ValueView(Type::Document, value.bytes()));
}
DocumentBuilder& DocumentBuilder::append_array(std::string_view name, DocumentView value) {
  return append(name, ValueView(Type::Array, value.bytes()));
}

DocumentBuilder& DocumentBuilder::open(Type type, std::string_view name) {
  header(type, name);
  open_.push_back({buffer_.size(), 0});
  buffer_.resize(buffer_.size() + 4);
  return *this;
}

DocumentBuilder& DocumentBuilder::begin_document(std::string_view name) { return open(Type::Document, name); }
DocumentBuilder& DocumentBuilder::begin_array(std::string_view name) { return open(Type::Array, name); }

void DocumentBuilder::close(std::size_t at) {
  buffer_.push_back(0);
  const auto length = static_cast<std::uint32_t>(buffer_.size() - at);
  std::memcpy(buffer_.data() + at, &length, sizeof length);
}

DocumentBuilder& DocumentBuilder::end() {
  assert(!open_.empty());
  close(open_.back().at);
  open_.pop_back();
  return *this;
}

std::string_view DocumentBuilder::item_name() {
  assert(!open_.empty());
  char* first = index_text_.data();
  const auto result = std::to_chars(first, first + index_text_.size(), open_.back().next_index++);
  return {first, static_cast<std::size_t>(result.ptr - first)};
}

DocumentView DocumentBuilder::view() {
  if (!finished_) {
    assert(open_.empty());
    close(0);
    finished_ = true;
  }
  return DocumentView(buffer_.data());
}

Document DocumentBuilder::finish() {
  Document document(view());
  clear();
  return document;
}

}  // namespace wire
