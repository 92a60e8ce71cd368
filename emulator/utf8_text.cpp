#include "emulator/utf8_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "emulator/command_error.h"
#include "emulator/value_text.h"
#include "wire/civil_time.h"

namespace emulator {

std::size_t code_point_count(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return !is_continuation(byte); }));
}

std::size_t offset_of_code_point(std::string_view text, std::size_t index) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!is_continuation(text[i]) && index-- == 0) return i;
  return text.size();
}

std::size_t code_point_bytes(std::string_view text, std::size_t offset) {
  std::size_t end = offset + 1;
  while (end < text.size() && is_continuation(text[end])) ++end;
  return end - offset;
}

std::string lower_text(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string upper_text(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

namespace {

// As the C library's ctime has it, without weekday and year, and the increment behind it.
std::string timestamp_text(wire::Timestamp time) {
  static constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                           "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const wire::CivilTime parts = wire::civil_time(std::int64_t{time.seconds} * 1000);
  return fmt::format("{} {:2} {:02}:{:02}:{:02}:{}", months[parts.month - 1], parts.day, parts.hour, parts.minute,
                     parts.second, time.increment);
}

}  // namespace

std::string coerced_text(wire::ValueView value) {
  using wire::Type;
  switch (value.type()) {
    case Type::EndOfDocument:
    case Type::Null:
    case Type::Undefined:
      return {};
    case Type::String:
    case Type::Symbol:
    case Type::JavaScript:
      return std::string(value.as_string());
    case Type::Int32:
    case Type::Int64:
    case Type::Double:
    case Type::Decimal128:
      return expression_text(value);
    case Type::Timestamp:
      return timestamp_text(value.as_timestamp());
    default:
      throw CommandError(16007,
                         fmt::format("can't convert from BSON type {} to String", wire::type_name(value.type())));
  }
}

}  // namespace emulator
