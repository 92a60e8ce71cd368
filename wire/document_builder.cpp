// DocumentBuilder: appends to one buffer, lengths filled in as documents close.
#include <algorithm>
#include <cassert>
#include <charconv>

#include "wire/document.h"

namespace wire {

std::uint8_t* DocumentBuilder::grow(std::size_t bytes) {
  constexpr std::size_t first_capacity = 512;
  constexpr std::size_t length_bytes = 4;
  if (finished_) clear();
  if (size_ == 0) size_ = length_bytes;
  if (size_ + bytes > capacity_) {
    const std::size_t capacity = std::max({first_capacity, capacity_ * 2, size_ + bytes});
    auto buffer = std::make_unique_for_overwrite<std::uint8_t[]>(capacity);
    if (capacity_ > 0) std::memcpy(buffer.get(), buffer_.get(), size_);
    buffer_ = std::move(buffer);
    capacity_ = capacity;
  }
  std::uint8_t* at = buffer_.get() + size_;
  size_ += bytes;
  return at;
}

void DocumentBuilder::clear() {
  size_ = 0;
  open_.clear();
  finished_ = false;
}

std::uint8_t* DocumentBuilder::element(Type type, std::string_view name, std::size_t value_bytes) {
  std::uint8_t* at = grow(name.size() + 2 + value_bytes);
  *at++ = static_cast<std::uint8_t>(type);
  if (!name.empty()) std::memcpy(at, name.data(), name.size());
  at += name.size();
  *at++ = 0;
  return at;
}

template <class T>
DocumentBuilder& DocumentBuilder::scalar(Type type, std::string_view name, const T& value) {
  std::memcpy(element(type, name, sizeof value), &value, sizeof value);
  return *this;
}

DocumentBuilder& DocumentBuilder::append(std::string_view name, ValueView value) {
  assert(!value.missing());
  const std::size_t size = value.bytes().size();
  std::uint8_t* at = element(value.type(), name, size);
  if (size > 0) std::memcpy(at, value.bytes().data(), size);
  return *this;
}

DocumentBuilder& DocumentBuilder::append_all(DocumentView document) {
  const std::size_t size = document.size() - 5;
  std::uint8_t* at = grow(size);
  if (size > 0) std::memcpy(at, document.data() + 4, size);
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
  element(Type::Null, name, 0);
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
  const auto length = static_cast<std::uint32_t>(text.size() + 1);
  std::uint8_t* at = element(Type::String, name, 4 + std::size_t{length});
  std::memcpy(at, &length, sizeof length);
  if (!text.empty()) std::memcpy(at + 4, text.data(), text.size());
  at[4 + text.size()] = 0;
  return *this;
}

DocumentBuilder& DocumentBuilder::append_binary(std::string_view name, std::uint8_t subtype,
                                                std::span<const std::uint8_t> bytes) {
  const auto length = static_cast<std::uint32_t>(bytes.size());
  std::uint8_t* at = element(Type::Binary, name, 5 + bytes.size());
  std::memcpy(at, &length, sizeof length);
  at[4] = subtype;
  if (length > 0) std::memcpy(at + 5, bytes.data(), length);
  return *this;
}

DocumentBuilder& DocumentBuilder::append_document(std::string_view name, DocumentView value) {
  return append(name, ValueView(Type::Document, value.bytes()));
}
DocumentBuilder& DocumentBuilder::append_array(std::string_view name, DocumentView value) {
  return append(name, ValueView(Type::Array, value.bytes()));
}

DocumentBuilder& DocumentBuilder::open(Type type, std::string_view name) {
  element(type, name, 4);
  open_.push_back({size_ - 4, 0});
  return *this;
}

DocumentBuilder& DocumentBuilder::begin_document(std::string_view name) { return open(Type::Document, name); }
DocumentBuilder& DocumentBuilder::begin_array(std::string_view name) { return open(Type::Array, name); }

void DocumentBuilder::close(std::size_t at) {
  *grow(1) = 0;
  const auto length = static_cast<std::uint32_t>(size_ - at);
  std::memcpy(buffer_.get() + at, &length, sizeof length);
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
  return DocumentView(buffer_.get());
}

Document DocumentBuilder::finish() {
  Document document(view());
  clear();
  return document;
}

}  // namespace wire
