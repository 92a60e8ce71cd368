#include "wire/value_text.h"

#include <cmath>

#include <fmt/format.h>

#include "wire/civil_time.h"
#include "wire/decimal.h"
#include "wire/hex.h"

namespace wire {
namespace {

enum class Form { Aggregation, Shell };

// What BSONElement::toString shows of a long value (`full` = false).
constexpr std::size_t string_shown_max = 160;
constexpr std::size_t string_cut = 150;
constexpr std::size_t bytes_shown_max = 80;
constexpr std::size_t bytes_cut = 70;

std::string text_of(DocumentView document, Form form);
std::string text_of(ValueView value, Form form);

std::string double_text(double value, Form form) {
  if (form == Form::Aggregation) return fmt::format("{:g}", value);
  if (std::isnan(value)) return std::signbit(value) ? "-nan.0" : "nan.0";
  if (std::isinf(value)) return value > 0 ? "inf.0" : "-inf.0";
  std::string text = fmt::format("{:.16g}", value);
  if (text.find('.') == std::string::npos) text += ".0";
  return text;
}

std::string binary_text(BinaryView value, Form form) {
  if (form == Form::Aggregation) return fmt::format("BinData({}, \"{}\")", value.subtype, to_hex(value.bytes));
  if (value.subtype == 4 && value.bytes.size() == 16) {
    const std::string hex = to_hex_lower(value.bytes);
    return fmt::format("UUID(\"{}-{}-{}-{}-{}\")", hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 4),
                       hex.substr(16, 4), hex.substr(20));
  }
  if (value.bytes.size() > bytes_shown_max)
    return fmt::format("BinData({}, {}...)", value.subtype, to_hex(value.bytes.first(bytes_cut)));
  return fmt::format("BinData({}, {})", value.subtype, to_hex(value.bytes));
}

std::string items_text(DocumentView array, Form form) {
  std::string text;
  for (const Element& element : array) {
    if (!text.empty()) text += ", ";
    text += text_of(element.value, form);
  }
  if (form == Form::Aggregation) return "[" + text + "]";
  return text.empty() ? "[]" : "[ " + text + " ]";
}

std::string text_of(DocumentView document, Form form) {
  std::string text;
  for (const Element& element : document) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{}: {}", element.name, text_of(element.value, form));
  }
  if (form == Form::Aggregation) return "{" + text + "}";
  return text.empty() ? "{}" : "{ " + text + " }";
}

std::string text_of(ValueView value, Form form) {
  const bool shell = form == Form::Shell;
  switch (value.type()) {
    case Type::Double:
      return double_text(value.as_double(), form);
    case Type::Int32:
      return std::to_string(value.as_int32());
    case Type::Int64:
      return std::to_string(value.as_int64());
    case Type::Decimal128:
      return decimal_to_string(value.as_decimal());
    case Type::String:
    case Type::Symbol:
      if (shell && value.as_string().size() > string_shown_max)
        return fmt::format("\"{}...\"", value.as_string().substr(0, string_cut));
      if (!shell && value.is(Type::Symbol)) return fmt::format("Symbol(\"{}\")", value.as_string());
      return fmt::format("\"{}\"", value.as_string());
    case Type::Document:
      return text_of(value.as_document(), form);
    case Type::Array:
      return items_text(value.as_document(), form);
    case Type::Binary:
      return binary_text(value.as_binary(), form);
    case Type::ObjectId: {
      const std::string hex = to_hex_lower(value.bytes());
      return shell ? "ObjectId('" + hex + "')" : hex;
    }
    case Type::Bool:
      return value.as_bool() ? "true" : "false";
    case Type::DateTime:
      return shell ? fmt::format("new Date({})", value.as_date_ms()) : date_text(value.as_date_ms());
    case Type::Timestamp:
      return fmt::format("Timestamp({}, {})", value.as_timestamp().seconds, value.as_timestamp().increment);
    case Type::Regex:
      return fmt::format("/{}/{}", value.as_regex().pattern, value.as_regex().options);
    case Type::JavaScript:
      if (shell && value.as_string().size() > bytes_shown_max)
        return fmt::format("{}...", value.as_string().substr(0, bytes_cut));
      return shell ? std::string(value.as_string()) : fmt::format("Code(\"{}\")", value.as_string());
    case Type::JavaScriptWithScope:
      return fmt::format("CodeWScope({}{}{}, {})", shell ? " " : "\"", value.code(), shell ? "" : "\"",
                         text_of(value.scope(), Form::Shell));
    case Type::DbPointer:
      return fmt::format("DBRef('{}',{})", value.pointer_namespace(), to_hex_lower(value.pointer_id().bytes));
    case Type::Null:
      return "null";
    case Type::Undefined:
      return "undefined";
    case Type::MinKey:
      return "MinKey";
    case Type::MaxKey:
      return "MaxKey";
    case Type::EndOfDocument:
      break;
  }
  return shell ? "EOO" : "MISSING";
}

}  // namespace

std::string document_text(DocumentView document) { return text_of(document, Form::Aggregation); }
std::string value_text(ValueView value) { return text_of(value, Form::Aggregation); }
std::string shell_document_text(DocumentView document) { return text_of(document, Form::Shell); }
std::string shell_value_text(ValueView value) { return text_of(value, Form::Shell); }

std::string date_text(std::int64_t ms) {
  const CivilTime time = civil_time(ms);
  if (time.year < 0 || time.year > 9999) return std::to_string(ms);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", time.year, time.month, time.day, time.hour,
                     time.minute, time.second, time.millisecond);
}

}  // namespace wire
