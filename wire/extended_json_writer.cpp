#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "wire/base64.h"
#include "wire/civil_time.h"
#include "wire/decimal.h"
#include "wire/extended_json.h"
#include "wire/hex.h"

namespace wire {
namespace {

constexpr std::size_t double_text_max = 32;

// The decimal exponent of the shortest scientific text: "-1.5e-07" has -7.
int exponent_of(std::string_view scientific) {
  std::string_view digits = scientific.substr(scientific.find('e') + 1);
  if (digits.starts_with('+')) digits.remove_prefix(1);
  int exponent = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  return exponent;
}

class Writer {
 public:
  Writer(std::string& out, JsonForm form) : out_(out), form_(form) {}

  void value(ValueView value) {
    switch (value.type()) {
      case Type::Double:
        return number(value.as_double());
      case Type::Int32:
        return integer("$numberInt", value.as_int32());
      case Type::Int64:
        return integer("$numberLong", value.as_int64());
      case Type::String:
        return append_json_string(out_, value.as_string());
      case Type::Document:
        return document(value.as_document());
      case Type::Array:
        return array(value.as_document());
      case Type::Bool:
        out_ += value.as_bool() ? "true" : "false";
        return;
      case Type::Null:
      case Type::EndOfDocument:
        out_ += "null";
        return;
      case Type::DateTime:
        return date(value.as_date_ms());
      default:
        return special(value);
    }
  }

  void document(DocumentView document) {
    out_ += '{';
    bool first = true;
    for (const Element& element : document) {
      if (!first) out_ += ", ";
      first = false;
      append_json_string(out_, element.name);
      out_ += ": ";
      value(element.value);
    }
    out_ += '}';
  }

 private:
  void array(DocumentView items) {
    out_ += '[';
    bool first = true;
    for (const Element& element : items) {
      if (!first) out_ += ", ";
      first = false;
      value(element.value);
    }
    out_ += ']';
  }

  void typed_text(std::string_view key, std::string_view text) {
    out_ += fmt::format("{{\"{}\": ", key);
    append_json_string(out_, text);
    out_ += '}';
  }

  void number(double value) {
    const std::string text = double_text(value);
    if (form_ == JsonForm::Relaxed && std::isfinite(value))
      out_ += text;
    else
      typed_text("$numberDouble", text);
  }

  void integer(std::string_view key, std::int64_t value) {
    const std::string text = std::to_string(value);
    if (form_ == JsonForm::Relaxed)
      out_ += text;
    else
      typed_text(key, text);
  }

  void date(std::int64_t ms) {
    const CivilTime time = civil_time(ms);
    if (form_ == JsonForm::Canonical || time.year < 1970 || time.year > 9999) {
      out_ += fmt::format("{{\"$date\": {{\"$numberLong\": \"{}\"}}}}", ms);
      return;
    }
    const std::string fraction = time.millisecond == 0 ? "" : fmt::format(".{:03}", time.millisecond);
    out_ += fmt::format("{{\"$date\": \"{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}Z\"}}", time.year, time.month, time.day,
                        time.hour, time.minute, time.second, fraction);
  }

  void binary(BinaryView value) {
    // BSON repeats the length inside values of the old subtype; JSON leaves it out.
    const bool repeats_length = value.subtype == 2 && value.bytes.size() >= 4;
    out_ += fmt::format("{{\"$binary\": {{\"base64\": \"{}\", \"subType\": \"{:02x}\"}}}}",
                        to_base64(value.bytes.subspan(repeats_length ? 4 : 0)), value.subtype);
  }

  void regex(RegexView value) {
    out_ += "{\"$regularExpression\": {\"pattern\": ";
    append_json_string(out_, value.pattern);
    out_ += ", \"options\": ";
    append_json_string(out_, value.options);
    out_ += "}}";
  }

  void code_with_scope(ValueView value) {
    out_ += "{\"$code\": ";
    append_json_string(out_, value.code());
    out_ += ", \"$scope\": ";
    document(value.scope());
    out_ += '}';
  }

  void db_pointer(ValueView value) {
    out_ += "{\"$dbPointer\": {\"$ref\": ";
    append_json_string(out_, value.pointer_namespace());
    out_ += fmt::format(", \"$id\": {{\"$oid\": \"{}\"}}}}}}", to_hex_lower(value.pointer_id().bytes));
  }

  void special(ValueView value) {
    switch (value.type()) {
      case Type::Decimal128:
        return typed_text("$numberDecimal", decimal_to_string(value.as_decimal()));
      case Type::ObjectId:
        return typed_text("$oid", to_hex_lower(value.bytes()));
      case Type::Symbol:
        return typed_text("$symbol", value.as_string());
      case Type::JavaScript:
        return typed_text("$code", value.as_string());
      case Type::JavaScriptWithScope:
        return code_with_scope(value);
      case Type::Binary:
        return binary(value.as_binary());
      case Type::Timestamp:
        out_ += fmt::format("{{\"$timestamp\": {{\"t\": {}, \"i\": {}}}}}", value.as_timestamp().seconds,
                            value.as_timestamp().increment);
        return;
      case Type::Regex:
        return regex(value.as_regex());
      case Type::DbPointer:
        return db_pointer(value);
      case Type::Undefined:
        out_ += "{\"$undefined\": true}";
        return;
      case Type::MinKey:
        out_ += "{\"$minKey\": 1}";
        return;
      default:
        out_ += "{\"$maxKey\": 1}";
    }
  }

  std::string& out_;
  JsonForm form_;
};

}  // namespace

std::string double_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  std::array<char, double_text_max> buffer;
  const auto text_with = [&](std::chars_format format) {
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format).ptr;
    return std::string(buffer.data(), end);
  };
  // Plain digits where people would write them so; the bounds are those of most languages' shortest texts.
  const std::string scientific = text_with(std::chars_format::scientific);
  const int exponent = exponent_of(scientific);
  if (exponent < -4 || exponent >= 16) return scientific;
  std::string text = text_with(std::chars_format::fixed);
  if (text.find('.') == std::string::npos) text += ".0";
  return text;
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
          out += c;
    }
  }
  out += '"';
}

void append_json(std::string& out, ValueView value, JsonForm form) { Writer(out, form).value(value); }

std::string to_json(ValueView value, JsonForm form) {
  std::string out;
  Writer(out, form).value(value);
  return out;
}

std::string to_json(DocumentView document, JsonForm form) {
  std::string out;
  Writer(out, form).document(document);
  return out;
}

}  // namespace wire
