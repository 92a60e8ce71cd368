#include "wire/json_scanner.h"

#include <charconv>
#include <cstdint>

#include <fmt/format.h>

#include "wire/utf8.h"

namespace wire {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_character(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace

JsonError::JsonError(int line, int column, const std::string& message)
    : std::runtime_error(fmt::format("line {}, column {}: {}", line, column, message)),
      line_(line),
      column_(column),
      message_(message) {}

void JsonScanner::fail_at(std::size_t at, const std::string& message) const {
  int line = 1;
  int column = 1;
  for (std::size_t i = 0; i < at && i < text_.size(); ++i) {
    const auto byte = static_cast<std::uint8_t>(text_[i]);
    if (byte == '\n') {
      ++line;
      column = 1;
    } else if ((byte & 0xC0) != 0x80) {
      ++column;
    }
  }
  throw JsonError(line, column, message);
}

void JsonScanner::skip_space() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
    ++at_;
}

char JsonScanner::peek() {
  skip_space();
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool JsonScanner::at_end() {
  skip_space();
  return at_ == text_.size();
}

void JsonScanner::expect(char character) {
  if (!accept(character)) fail(fmt::format("expected '{}'{}", character, at_end() ? ", but the text ends" : ""));
}

bool JsonScanner::accept(char character) {
  if (at_end() || text_[at_] != character) return false;
  ++at_;
  return true;
}

bool JsonScanner::accept_word(std::string_view word) {
  skip_space();
  if (!text_.substr(at_).starts_with(word)) return false;
  const std::size_t end = at_ + word.size();
  if (end < text_.size() && is_word_character(text_[end])) return false;
  at_ = end;
  return true;
}

std::string JsonScanner::string() {
  skip_space();
  const std::size_t start = at_;
  if (!accept('"')) fail("expected a string");
  std::string out;
  for (;;) {
    const std::size_t run = at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' &&
           static_cast<std::uint8_t>(text_[at_]) >= 0x20)
      ++at_;
    const std::string_view plain = text_.substr(run, at_ - run);
    if (const std::size_t bad = invalid_utf8_at(plain); bad != std::string_view::npos)
      fail_at(run + bad, "invalid UTF-8");
    out += plain;
    if (at_ == text_.size()) fail_at(start, "string without end");
    if (text_[at_] == '"') {
      ++at_;
      return out;
    }
    if (text_[at_] != '\\') fail("control character in a string; write it as an escape");
    append_escape(out);
  }
}

unsigned JsonScanner::hex4() {
  unsigned value = 0;
  const std::string_view digits = text_.substr(at_, 4);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.size() < 4 || error != std::errc() || end != digits.data() + 4) fail("expected four hexadecimal digits");
  at_ += 4;
  return value;
}

void JsonScanner::append_escape(std::string& out) {
  const std::size_t start = at_++;
  const char kind = at_ < text_.size() ? text_[at_++] : '\0';
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
  if (const std::size_t at = letters.find(kind); kind != '\0' && at != std::string_view::npos) {
    out += meanings[at];
    return;
  }
  if (kind != 'u') fail_at(start, "unknown escape");
  const unsigned first = hex4();
  if (first < 0xD800 || first > 0xDFFF) return append_utf8(out, first);
  if (first > 0xDBFF || !text_.substr(at_).starts_with("\\u")) fail_at(start, "half of a surrogate pair");
  at_ += 2;
  const unsigned second = hex4();
  if (second < 0xDC00 || second > 0xDFFF) fail_at(start, "half of a surrogate pair");
  append_utf8(out, 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00));
}

std::size_t JsonScanner::skip_digits() {
  const std::size_t start = at_;
  while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  return at_ - start;
}

Value JsonScanner::number() {
  skip_space();
  const std::size_t start = at_;
  if (at_ < text_.size() && text_[at_] == '-') ++at_;
  const std::size_t first_digit = at_;
  const std::size_t digits = skip_digits();
  if (digits == 0) fail_at(start, at_ == text_.size() ? "expected a value, but the text ends" : "expected a value");
  if (digits > 1 && text_[first_digit] == '0') fail_at(start, "number with a leading zero");
  bool whole = true;
  if (at_ < text_.size() && text_[at_] == '.') {
    whole = false;
    ++at_;
    if (skip_digits() == 0) fail("expected a digit");
  }
  if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
    whole = false;
    ++at_;
    if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
    if (skip_digits() == 0) fail("expected a digit");
  }
  const std::string_view text = text_.substr(start, at_ - start);
  if (whole) {
    std::int64_t value = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc())
      return value == static_cast<std::int32_t>(value) ? Value::int32(static_cast<std::int32_t>(value))
                                                       : Value::int64(value);
  }
  double value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc()) return Value::number(value);
  fail_at(start, "number out of the range of a double");
}

}  // namespace wire
