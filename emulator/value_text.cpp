#include "emulator/value_text.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "wire/decimal.h"

namespace emulator {
namespace {

enum class Dialect { Bson, Expression };
enum class Names { Printed, LeftOut };

void print(std::string& out, wire::ValueView value, Dialect dialect);

std::string double_text(double value, Dialect dialect) {
  if (dialect == Dialect::Expression) return fmt::format("{:.6g}", value);
  std::string text = fmt::format("{:.16g}", value);
  // mongod appends it to whatever has no point, "nan.0" and "1e+20.0" included.
  if (text.find('.') == std::string::npos) text += ".0";
  return text;
}

std::string hex(std::span<const std::uint8_t> bytes) {
  std::string out;
  for (const std::uint8_t byte : bytes) fmt::format_to(std::back_inserter(out), "{:02X}", byte);
  return out;
}

std::string binary_text(wire::BinaryView binary, Dialect dialect) {
  if (dialect == Dialect::Expression) return fmt::format("BinData({}, \"{}\")", binary.subtype, hex(binary.bytes));
  if (binary.subtype != 4 || binary.bytes.size() != 16) return fmt::format("BinData({}, {})", binary.subtype, hex(binary.bytes));
  std::string out = "UUID(\"";
  for (std::size_t i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    fmt::format_to(std::back_inserter(out), "{:02x}", binary.bytes[i]);
  }
  return out + "\")";
}

void print_members(std::string& out, wire::DocumentView document, Dialect dialect, Names names) {
  bool first = true;
  for (const auto& [name, member] : document) {
    if (!first) out += ", ";
    first = false;
    if (names == Names::Printed) {
      out += name;
      out += ": ";
    }
    print(out, member, dialect);
  }
}

void print_nested(std::string& out, wire::ValueView value, Dialect dialect) {
  const bool is_array = value.is(wire::Type::Array);
  const wire::DocumentView document = value.as_document();
  out += is_array ? '[' : '{';
  const bool spaced = dialect == Dialect::Bson && !document.empty();
  if (spaced) out += ' ';
  print_members(out, document, dialect, is_array ? Names::LeftOut : Names::Printed);
  if (spaced) out += ' ';
  out += is_array ? ']' : '}';
}

void print_code(std::string& out, wire::ValueView value, Dialect dialect) {
  const bool scoped = value.is(wire::Type::JavaScriptWithScope);
  const std::string_view code = scoped ? value.code() : value.as_string();
  if (dialect == Dialect::Bson)
    out += scoped ? fmt::format("CodeWScope( {}, {})", code, bson_text(value.scope())) : std::string(code);
  else
    out += scoped ? fmt::format("CodeWScope(\"{}\", {})", code, bson_text(value.scope())) : fmt::format("Code(\"{}\")", code);
}

void print_scalar(std::string& out, wire::ValueView value, Dialect dialect) {
  using wire::Type;
  const bool bson = dialect == Dialect::Bson;
  switch (value.type()) {
    case Type::Double: out += double_text(value.as_double(), dialect); return;
    case Type::String:
    case Type::Symbol: out += fmt::format("\"{}\"", value.as_string()); return;
    case Type::Binary: out += binary_text(value.as_binary(), dialect); return;
    case Type::Undefined: out += "undefined"; return;
    case Type::ObjectId:
      out += bson ? fmt::format("ObjectId('{}')", object_id_text(value.as_object_id())) : object_id_text(value.as_object_id());
      return;
    case Type::Bool: out += value.as_bool() ? "true" : "false"; return;
    case Type::DateTime: out += bson ? fmt::format("new Date({})", value.as_date_ms()) : date_text(value.as_date_ms()); return;
    case Type::Null: out += "null"; return;
    case Type::Regex: out += fmt::format("/{}/{}", value.as_regex().pattern, value.as_regex().options); return;
    case Type::DbPointer:
      out += bson ? fmt::format("DBRef('{}',{})", value.pointer_namespace(), object_id_text(value.pointer_id()))
                  : fmt::format("DBRef(\"{}\", {})", value.pointer_namespace(), object_id_text(value.pointer_id()));
      return;
    case Type::Int32: out += std::to_string(value.as_int32()); return;
    case Type::Int64: out += std::to_string(value.as_int64()); return;
    case Type::Timestamp:
      out += fmt::format("Timestamp({}, {})", value.as_timestamp().seconds, value.as_timestamp().increment);
      return;
    case Type::Decimal128: out += wire::decimal_to_string(value.as_decimal()); return;
    case Type::MinKey: out += "MinKey"; return;
    case Type::MaxKey: out += "MaxKey"; return;
    default: out += bson ? "EOO" : "MISSING"; return;
  }
}

void print(std::string& out, wire::ValueView value, Dialect dialect) {
  switch (value.type()) {
    case wire::Type::Document:
    case wire::Type::Array: print_nested(out, value, dialect); return;
    case wire::Type::JavaScript:
    case wire::Type::JavaScriptWithScope: print_code(out, value, dialect); return;
    default: print_scalar(out, value, dialect);
  }
}

std::string text(wire::ValueView value, Dialect dialect) {
  std::string out;
  print(out, value, dialect);
  return out;
}

}  // namespace

std::string bson_text(wire::ValueView value) { return text(value, Dialect::Bson); }
std::string bson_text(wire::DocumentView document) { return bson_text(wire::ValueView(wire::Type::Document, document.bytes())); }
std::string bson_text(const wire::Element& element) { return fmt::format("{}: {}", element.name, bson_text(element.value)); }
std::string expression_text(wire::ValueView value) { return text(value, Dialect::Expression); }
std::string expression_text(wire::DocumentView document) {
  return expression_text(wire::ValueView(wire::Type::Document, document.bytes()));
}

std::string date_text(std::int64_t ms) {
  using namespace std::chrono;
  const sys_time<milliseconds> at{milliseconds(ms)};
  const auto day = floor<days>(at);
  const year_month_day date{day};
  const hh_mm_ss time{at - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()), time.hours().count(), time.minutes().count(), time.seconds().count(),
                     time.subseconds().count());
}

std::string object_id_text(const wire::ObjectId& id) {
  std::string out;
  for (const std::uint8_t byte : id.bytes) fmt::format_to(std::back_inserter(out), "{:02x}", byte);
  return out;
}

}  // namespace emulator
