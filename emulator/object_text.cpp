#include "emulator/object_text.h"

#include <fmt/format.h>

#include "wire/decimal.h"

namespace emulator {
namespace {

std::string hex(std::span<const std::uint8_t> bytes, std::string_view format) {
  std::string text;
  for (const std::uint8_t byte : bytes) text += fmt::format(fmt::runtime(format), byte);
  return text;
}

std::string uuid_text(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", bytes[i]);
  }
  return text;
}

std::string binary_text(const wire::BinaryView& binary) {
  constexpr std::uint8_t uuid_subtype = 4;
  if (binary.subtype == uuid_subtype && binary.bytes.size() == 16) return "UUID(\"" + uuid_text(binary.bytes) + "\")";
  return fmt::format("BinData({}, {})", binary.subtype, hex(binary.bytes, "{:02X}"));
}

// Sixteen digits at most, and always something that looks like a fraction.
std::string double_text(double value) {
  std::string text = fmt::format("{:.16g}", value);
  if (text.find('.') == std::string::npos) text += ".0";
  return text;
}

std::string array_text(wire::DocumentView array) {
  if (array.empty()) return "[]";
  std::string text = "[ ";
  for (const wire::Element& element : array) {
    if (text.size() > 2) text += ", ";
    text += value_text(element.value);
  }
  return text + " ]";
}

std::string object_id_text(const wire::ObjectId& id) { return "ObjectId('" + hex(id.bytes, "{:02x}") + "')"; }

}  // namespace

std::string value_text(wire::ValueView value) {
  switch (value.type()) {
    case wire::Type::EndOfDocument:
      return "";
    case wire::Type::Double:
      return double_text(value.as_double());
    case wire::Type::String:
    case wire::Type::Symbol:
      return "\"" + std::string(value.as_string()) + "\"";
    case wire::Type::Document:
      return object_text(value.as_document());
    case wire::Type::Array:
      return array_text(value.as_document());
    case wire::Type::Binary:
      return binary_text(value.as_binary());
    case wire::Type::Undefined:
      return "undefined";
    case wire::Type::ObjectId:
      return object_id_text(value.as_object_id());
    case wire::Type::Bool:
      return value.as_bool() ? "true" : "false";
    case wire::Type::DateTime:
      return fmt::format("new Date({})", value.as_date_ms());
    case wire::Type::Null:
      return "null";
    case wire::Type::Regex:
      return fmt::format("/{}/{}", value.as_regex().pattern, value.as_regex().options);
    case wire::Type::DbPointer:
      return fmt::format("DBRef('{}', {})", value.pointer_namespace(), object_id_text(value.pointer_id()));
    case wire::Type::JavaScript:
      return std::string(value.as_string());
    case wire::Type::JavaScriptWithScope:
      return fmt::format("CodeWScope( {}, {})", value.code(), object_text(value.scope()));
    case wire::Type::Int32:
      return std::to_string(value.as_int32());
    case wire::Type::Int64:
      return std::to_string(value.as_int64());
    case wire::Type::Timestamp:
      return fmt::format("Timestamp({}, {})", value.as_timestamp().seconds, value.as_timestamp().increment);
    case wire::Type::Decimal128:
      return wire::decimal_to_string(value.as_decimal());
    case wire::Type::MinKey:
      return "MinKey";
    case wire::Type::MaxKey:
      return "MaxKey";
  }
  return "";
}

std::string object_text(wire::DocumentView document) {
  if (document.empty()) return "{}";
  std::string text = "{ ";
  for (const wire::Element& element : document) {
    if (text.size() > 2) text += ", ";
    text += std::string(element.name) + ": " + value_text(element.value);
  }
  return text + " }";
}

}  // namespace emulator
