#include "wire/document.h"

#include <new>

#include "wire/document_places.h"

namespace wire {
namespace {

constexpr std::array<std::uint8_t, 5> empty_bytes{5, 0, 0, 0, 0};

std::uint32_t load_length(const std::uint8_t* at) {
  std::uint32_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// The length of a value in checked bytes.
std::size_t value_size(Type type, const std::uint8_t* at) {
  switch (type) {
    case Type::Double:
    case Type::DateTime:
    case Type::Timestamp:
    case Type::Int64:
      return 8;
    case Type::Int32:
      return 4;
    case Type::Bool:
      return 1;
    case Type::ObjectId:
      return 12;
    case Type::Decimal128:
      return 16;
    case Type::String:
    case Type::JavaScript:
    case Type::Symbol:
      return 4 + std::size_t{load_length(at)};
    case Type::Document:
    case Type::Array:
    case Type::JavaScriptWithScope:
      return load_length(at);
    case Type::Binary:
      return 5 + std::size_t{load_length(at)};
    case Type::DbPointer:
      return 4 + std::size_t{load_length(at)} + 12;
    case Type::Regex: {
      const std::size_t pattern = std::strlen(reinterpret_cast<const char*>(at)) + 1;
      return pattern + std::strlen(reinterpret_cast<const char*>(at + pattern)) + 1;
    }
    default:
      return 0;
  }
}

std::string_view text_at(const std::uint8_t* at) {
  return {reinterpret_cast<const char*>(at + 4), load_length(at) - std::size_t{1}};
}

}  // namespace

std::string_view type_name(Type type) {
  switch (type) {
    case Type::EndOfDocument:
      return "missing";
    case Type::Double:
      return "double";
    case Type::String:
      return "string";
    case Type::Document:
      return "object";
    case Type::Array:
      return "array";
    case Type::Binary:
      return "binData";
    case Type::Undefined:
      return "undefined";
    case Type::ObjectId:
      return "objectId";
    case Type::Bool:
      return "bool";
    case Type::DateTime:
      return "date";
    case Type::Null:
      return "null";
    case Type::Regex:
      return "regex";
    case Type::DbPointer:
      return "dbPointer";
    case Type::JavaScript:
      return "javascript";
    case Type::Symbol:
      return "symbol";
    case Type::JavaScriptWithScope:
      return "javascriptWithScope";
    case Type::Int32:
      return "int";
    case Type::Timestamp:
      return "timestamp";
    case Type::Int64:
      return "long";
    case Type::Decimal128:
      return "decimal";
    case Type::MinKey:
      return "minKey";
    case Type::MaxKey:
      return "maxKey";
  }
  return "invalid";
}

bool ValueView::is_number() const {
  return type_ == Type::Double || type_ == Type::Int32 || type_ == Type::Int64 || type_ == Type::Decimal128;
}

ObjectId ValueView::as_object_id() const {
  ObjectId id;
  std::memcpy(id.bytes.data(), bytes_.data(), id.bytes.size());
  return id;
}

Decimal128 ValueView::as_decimal() const {
  Decimal128 value;
  std::memcpy(&value.low, bytes_.data(), 8);
  std::memcpy(&value.high, bytes_.data() + 8, 8);
  return value;
}

std::string_view ValueView::as_string() const { return text_at(bytes_.data()); }

DocumentView ValueView::as_document() const { return DocumentView(bytes_.data()); }

BinaryView ValueView::as_binary() const { return {bytes_[4], bytes_.subspan(5)}; }

RegexView ValueView::as_regex() const {
  const auto* text = reinterpret_cast<const char*>(bytes_.data());
  const std::string_view pattern(text);
  return {pattern, std::string_view(text + pattern.size() + 1)};
}

std::string_view ValueView::code() const { return text_at(bytes_.data() + 4); }

DocumentView ValueView::scope() const { return DocumentView(bytes_.data() + 8 + load_length(bytes_.data() + 4)); }

std::string_view ValueView::pointer_namespace() const { return text_at(bytes_.data()); }

ObjectId ValueView::pointer_id() const {
  ObjectId id;
  std::memcpy(id.bytes.data(), bytes_.data() + bytes_.size() - id.bytes.size(), id.bytes.size());
  return id;
}

bool ValueView::identical(ValueView other) const {
  return type_ == other.type_ && bytes_.size() == other.bytes_.size() &&
         (bytes_.empty() || std::memcmp(bytes_.data(), other.bytes_.data(), bytes_.size()) == 0);
}

DocumentView::DocumentView() : data_(empty_bytes.data()) {}

void DocumentView::Iterator::read(const std::uint8_t* at) {
  auto type = static_cast<Type>(*at);
  while (type == field_place.type() || type == change_mark.type()) {
    at += 2 + std::strlen(reinterpret_cast<const char*>(at + 1));
    type = static_cast<Type>(*at);
  }
  at_ = at;
  if (type == Type::EndOfDocument) {
    element_ = {};
    return;
  }
  const auto* name = reinterpret_cast<const char*>(at + 1);
  const std::size_t name_length = std::strlen(name);
  const std::uint8_t* value = at + 2 + name_length;
  const std::size_t size = value_size(type, value);
  element_ = {{name, name_length}, {type == element_place.type() ? Type::EndOfDocument : type, {value, size}}};
  next_ = value + size;
}

ValueView DocumentView::find(std::string_view name) const {
  for (const Element& element : *this)
    if (element.name == name) return element.value;
  return {};
}

ValueView DocumentView::find_path(std::string_view dotted) const {
  DocumentView at = *this;
  for (;;) {
    const std::size_t dot = dotted.find('.');
    const ValueView value = at.find(dotted.substr(0, dot));
    if (dot == std::string_view::npos) return value;
    if (!value.is(Type::Document) && !value.is(Type::Array)) return {};
    at = value.as_document();
    dotted.remove_prefix(dot + 1);
  }
}

std::size_t DocumentView::count() const { return static_cast<std::size_t>(std::distance(begin(), end())); }

Element DocumentView::first() const { return empty() ? Element{} : *begin(); }

bool DocumentView::identical(DocumentView other) const {
  return size() == other.size() && std::memcmp(data_, other.data_, size()) == 0;
}

struct Document::Block {
  std::uint32_t references;
  std::uint8_t* bytes() { return reinterpret_cast<std::uint8_t*>(this + 1); }
  static Block* make(std::size_t size) {
    auto* block = static_cast<Block*>(::operator new(sizeof(Block) + size));
    block->references = 1;
    return block;
  }
};

Document::Document(DocumentView view) : block_(Block::make(view.size())) {
  std::memcpy(block_->bytes(), view.data(), view.size());
}

Document::Document(const Document& other) noexcept : block_(other.block_) {
  if (block_ != nullptr) ++block_->references;
}

Document::~Document() {
  if (block_ != nullptr && --block_->references == 0) ::operator delete(block_);
}

DocumentView Document::view() const { return block_ == nullptr ? DocumentView() : DocumentView(block_->bytes()); }

Value::Value(ValueView view)
    : type_(view.type()), bytes_(reinterpret_cast<const char*>(view.bytes().data()), view.bytes().size()) {}

template <class T>
Value Value::scalar(Type type, const T& value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return {type, std::move(bytes)};
}

Value Value::null() { return {Type::Null, {}}; }
Value Value::boolean(bool value) { return {Type::Bool, std::string(1, value ? '\1' : '\0')}; }
Value Value::int32(std::int32_t value) { return scalar(Type::Int32, value); }
Value Value::int64(std::int64_t value) { return scalar(Type::Int64, value); }
Value Value::number(double value) { return scalar(Type::Double, value); }
Value Value::decimal(Decimal128 value) { return scalar(Type::Decimal128, value); }
Value Value::date(std::int64_t ms) { return scalar(Type::DateTime, ms); }
Value Value::timestamp(Timestamp value) { return scalar(Type::Timestamp, value.bits()); }
Value Value::object_id(const ObjectId& value) { return scalar(Type::ObjectId, value.bytes); }
Value Value::min_key() { return {Type::MinKey, {}}; }
Value Value::max_key() { return {Type::MaxKey, {}}; }

namespace {
std::string text_bytes(std::string_view text) {
  std::string bytes(4, '\0');
  const auto length = static_cast<std::uint32_t>(text.size() + 1);
  std::memcpy(bytes.data(), &length, sizeof length);
  bytes += text;
  bytes += '\0';
  return bytes;
}
std::string view_bytes(DocumentView view) { return {reinterpret_cast<const char*>(view.data()), view.size()}; }
}  // namespace

Value Value::string(std::string_view text) { return {Type::String, text_bytes(text)}; }
Value Value::symbol(std::string_view text) { return {Type::Symbol, text_bytes(text)}; }
Value Value::code(std::string_view text) { return {Type::JavaScript, text_bytes(text)}; }

Value Value::binary(std::uint8_t subtype, std::span<const std::uint8_t> bytes) {
  std::string out(5, '\0');
  const auto length = static_cast<std::uint32_t>(bytes.size());
  std::memcpy(out.data(), &length, sizeof length);
  out[4] = static_cast<char>(subtype);
  out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return {Type::Binary, std::move(out)};
}

Value Value::regex(std::string_view pattern, std::string_view options) {
  std::string out(pattern);
  out += '\0';
  out += options;
  out += '\0';
  return {Type::Regex, std::move(out)};
}

Value Value::document(DocumentView view) { return {Type::Document, view_bytes(view)}; }
Value Value::array(DocumentView view) { return {Type::Array, view_bytes(view)}; }

ValueView Value::view() const { return {type_, {reinterpret_cast<const std::uint8_t*>(bytes_.data()), bytes_.size()}}; }

}  // namespace wire
