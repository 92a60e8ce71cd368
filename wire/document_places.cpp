#include "wire/document_places.h"

namespace wire {
namespace {

// Whether any byte could be one of the three types; most documents have none such. No early end, so that it is many bytes at
// a time.
bool may_have_any(std::span<const std::uint8_t> bytes) {
  const auto first = static_cast<std::uint8_t>(field_place.type());
  const auto count = static_cast<std::uint8_t>(static_cast<std::uint8_t>(change_mark.type()) - first + 1);
  unsigned found = 0;
  for (const std::uint8_t byte : bytes) found |= static_cast<unsigned>(static_cast<std::uint8_t>(byte - first) < count);
  return found != 0;
}

const std::uint8_t* behind(const std::uint8_t* at) {
  return at + 2 + std::strlen(reinterpret_cast<const char*>(at + 1));
}

// Whether the mark or a place stands at any depth.
bool has_any(DocumentView document) {
  if (is_changed(document)) return true;
  Element element;
  for (PlacedFields fields(document); fields.next(element);) {
    const bool nested = element.value.is(Type::Document) || element.value.is(Type::Array);
    if (element.value.missing() || (nested && has_any(element.value.as_document()))) return true;
  }
  return false;
}

void append_fields(DocumentBuilder& out, DocumentView document);

void append_elements(DocumentBuilder& out, DocumentView array) {
  for (const auto& [name, value] : array) {
    if (value.missing()) continue;
    if (value.is(Type::Document)) {
      append_fields(out.begin_document(out.item_name()), value.as_document());
      out.end();
    } else if (value.is(Type::Array)) {
      append_elements(out.begin_array(out.item_name()), value.as_document());
      out.end();
    } else {
      out.item(value);
    }
  }
}

void append_fields(DocumentBuilder& out, DocumentView document) {
  for (const auto& [name, value] : document) {
    if (value.is(Type::Document)) {
      append_fields(out.begin_document(name), value.as_document());
      out.end();
    } else if (value.is(Type::Array)) {
      append_elements(out.begin_array(name), value.as_document());
      out.end();
    } else {
      out.append(name, value);
    }
  }
}

}  // namespace

bool is_changed(DocumentView document) { return static_cast<Type>(document.data()[4]) == change_mark.type(); }

Document as_changed(DocumentView document) {
  if (is_changed(document)) return Document(document);
  DocumentBuilder out;
  return out.append({}, change_mark).append_all(document).finish();
}

void append_placed(DocumentBuilder& out, std::string_view name, ValueView value) {
  out.append(name, value ? value : field_place);
}

PlacedFields::PlacedFields(DocumentView document) : at_(document.data() + 4) {
  if (is_changed(document)) at_ = behind(at_);
}

bool PlacedFields::next(Element& element) {
  if (static_cast<Type>(*at_) == Type::EndOfDocument) return false;
  if (static_cast<Type>(*at_) == field_place.type()) {
    element = {reinterpret_cast<const char*>(at_ + 1), {}};
    at_ = behind(at_);
    return true;
  }
  element = *DocumentView::Iterator(at_);
  // A value's bytes end where the next element begins; without any, the name does.
  const auto bytes = element.value.bytes();
  at_ = bytes.empty() ? behind(at_) : bytes.data() + bytes.size();
  return true;
}

Document without_places(const Document& document) {
  if (!may_have_any(document.view().bytes()) || !has_any(document)) return document;
  DocumentBuilder out;
  append_fields(out, document);
  return out.finish();
}

}  // namespace wire
