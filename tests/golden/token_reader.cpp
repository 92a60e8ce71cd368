#include "tests/golden/token_reader.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "wire/extended_json.h"
#include "wire/hex.h"

namespace golden {
namespace {

double double_of(std::uint64_t bits) { return std::bit_cast<double>(bits); }

// A sequence of typed, self-delimiting values.
class TokenReader {
 public:
  explicit TokenReader(std::string_view data) : data_(data) {}

  bool at_end() const { return at_ == data_.size(); }
  std::string_view rest() const { return data_.substr(at_); }
  int peek() const { return at_end() ? -1 : static_cast<std::uint8_t>(data_[at_]); }
  int byte() { return static_cast<std::uint8_t>(take(1).front()); }
  Json value();
  int small_number() {
    const Json number = value();
    int out = 0;
    if (!number.is_string()) throw TokenError("a number is missing");
    const std::string& digits = number.get_ref<const std::string&>();
    if (std::from_chars(digits.data(), digits.data() + digits.size(), out).ec != std::errc())
      throw TokenError("no small number");
    return out;
  }

 private:
  std::string_view take(std::size_t count) {
    if (count > data_.size() - at_) throw TokenError("token ends early");
    at_ += count;
    return data_.substr(at_ - count, count);
  }
  std::uint64_t big_endian(std::size_t count, std::uint8_t invert = 0) {
    std::uint64_t out = 0;
    for (const char c : take(count)) out = out << 8 | static_cast<std::uint8_t>(static_cast<std::uint8_t>(c) ^ invert);
    return out;
  }
  std::string text();
  Json object();
  Json array();
  Json binary();
  std::string number(int tag);
  std::string large(std::string_view sign, std::uint8_t invert);
  std::string small(std::string_view sign, std::uint8_t invert);
  std::string whole_and_fraction(std::size_t size, std::string_view sign, std::uint8_t invert);
  // Eight more bytes that only a Decimal128 needs.
  std::string decimal_tail(std::string_view sign, double value) {
    take(8);
    return fmt::format("{}~{}", sign, wire::double_text(value));
  }

  std::string_view data_;
  std::size_t at_ = 0;
};

// Up to 00; an embedded NUL is written 00 FF.
std::string TokenReader::text() {
  std::string out;
  for (;;) {
    const char c = take(1).front();
    if (c != '\0') {
      out += c;
    } else if (peek() == 0xFF) {
      take(1);
      out += '\0';
    } else {
      return out;
    }
  }
}

Json TokenReader::binary() {
  std::uint64_t size = big_endian(1);
  if (size == 0xFF) size = big_endian(4);
  const int subtype = byte();
  const std::string_view bytes = take(size);
  const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return {
      {"$binary", {{"subType", fmt::format("{:02x}", subtype)}, {"hex", wire::to_hex_lower({first, bytes.size()})}}}};
}

Json TokenReader::value() {
  const int tag = byte();
  if (tag == 0x1E || (tag >= 0x1F && tag <= 0x33)) return number(tag);
  switch (tag) {
    case 0x0A:
      return {{"$minKey", 1}};
    case 0x14:
      return nullptr;
    case 0x3C:
      return text();
    case 0x41:
      return {{"$symbol", text()}};
    case 0x46:
      return object();
    case 0x50:
      return array();
    case 0x5A:
      return binary();
    case 0x64: {
      const std::string_view bytes = take(12);
      return {{"$oid", wire::to_hex_lower({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()})}};
    }
    case 0x6E:
      return false;
    case 0x6F:
      return true;
    case 0x78:
      return {{"$date", static_cast<std::int64_t>(big_endian(8) ^ (std::uint64_t{1} << 63))}};
    case 0x82: {
      const std::uint64_t seconds = big_endian(4);
      return {{"$timestamp", {{"t", seconds}, {"i", big_endian(4)}}}};
    }
    case 0x8C: {
      std::string pattern = text();
      return {{"$regularExpression", {{"pattern", std::move(pattern)}, {"options", text()}}}};
    }
    case 0xA0:
      return {{"$code", text()}};
    case 0xAA: {
      std::string code = text();
      return {{"$code", std::move(code)}, {"$scope", object()}};
    }
    case 0xF0:
      return {{"$maxKey", 1}};
    default:
      throw TokenError(fmt::format("unknown type byte {:02x}", tag));
  }
}

// (type byte, name 00, value)* 00; the type byte before each name repeats the value's type.
Json TokenReader::object() {
  Json out = Json::object();
  while (peek() != 0) {
    take(1);
    std::string name = text();
    out[name] = value();
  }
  take(1);
  return out;
}

Json TokenReader::array() {
  Json out = Json::array();
  while (peek() != 0) out.push_back(value());
  take(1);
  return out;
}

// 29 is zero; 2B..32 positive and 27..20 negative integers of 1..8 bytes, doubled, the lowest bit saying "a fraction follows";
// 33/1F magnitudes from 2^63; 2A/28 magnitudes below 1. The bytes of negative numbers are inverted. A number's type is not here.
std::string TokenReader::number(int tag) {
  if (tag == 0x29) return "0";
  if (tag == 0x1E) return "NaN";
  const bool negative = tag < 0x29;
  const std::string_view sign = negative ? "-" : "";
  const std::uint8_t invert = negative ? 0xFF : 0;
  if (tag == 0x1F || tag == 0x33) return large(sign, invert);
  if (tag == 0x28 || tag == 0x2A) return small(sign, invert);
  return whole_and_fraction(static_cast<std::size_t>(negative ? 0x28 - tag : tag - 0x2A), sign, invert);
}

// A double shifted left by one, its top bit dropped.
std::string TokenReader::large(std::string_view sign, std::uint8_t invert) {
  const std::uint64_t bits = big_endian(8, invert);
  if (bits == ~std::uint64_t{0}) return std::string(sign) + "Infinity";
  if (bits >> 63 != 0) {
    take(8);
    return std::string(sign) + "~decimal";
  }
  const double value = double_of((bits | std::uint64_t{1} << 63) >> 1);
  if ((bits & 1) != 0) return decimal_tail(sign, value);
  return std::string(sign) + wire::double_text(value);
}

std::string TokenReader::small(std::string_view sign, std::uint8_t invert) {
  const std::uint64_t bits = big_endian(8, invert);
  double value = 0;
  std::uint64_t more = 0;
  if (bits >> 62 == 3) {  // a double shifted left by two
    value = double_of(bits >> 2);
    more = bits & 3;
  } else if (bits >> 62 == 1) {  // a double of the number times 2^256, shifted left by one
    value = std::ldexp(double_of((bits & ((std::uint64_t{1} << 62) - 1)) >> 1), -256);
    more = bits & 1;
  } else {
    take(8);
    return std::string(sign) + "~decimal";
  }
  if (more == 1 || more == 3) return decimal_tail(sign, value);
  return std::string(sign) + (more == 2 ? fmt::format("{:.15g}", value) : wire::double_text(value));
}

std::string TokenReader::whole_and_fraction(std::size_t size, std::string_view sign, std::uint8_t invert) {
  const std::uint64_t bits = big_endian(size, invert);
  const std::uint64_t whole = bits >> 1;
  if ((bits & 1) == 0) return std::string(sign) + std::to_string(whole);
  const std::size_t fraction_bytes = 8 - size;
  const std::uint64_t fraction = big_endian(fraction_bytes, invert);
  const double value = static_cast<double>(whole) + std::ldexp(static_cast<double>(fraction & ~std::uint64_t{3}),
                                                               -8 * static_cast<int>(fraction_bytes));
  const std::uint64_t more = fraction & 3;
  if (more == 1 || more == 3) return decimal_tail(sign, value);
  return std::string(sign) + (more == 2 ? fmt::format("{:.15g}", value) : wire::double_text(value));
}

constexpr int end_byte = 0x04;

}  // namespace

Json decode_token(std::string_view digits) {
  const std::optional<std::string> bytes = wire::from_hex(digits);
  if (!bytes) throw TokenError("no hexadecimal digits");
  TokenReader reader(*bytes);
  Json out;
  out["clusterTime"] = reader.value();
  if (!out["clusterTime"].is_object() || !out["clusterTime"].contains("$timestamp"))
    throw TokenError("no cluster time");
  const int version = reader.small_number();
  out["version"] = version;
  if (version >= 1) out["tokenType"] = reader.small_number();
  out["txnOpIndex"] = reader.small_number();
  out["fromInvalidate"] = reader.value();
  if (reader.peek() != end_byte) {
    out["uuid"] = reader.value();
    if (reader.peek() != end_byte) {
      out[version >= 2 ? "eventIdentifier" : "documentKey"] = reader.value();
      if (version >= 2 && reader.peek() != end_byte) out["fragmentNum"] = reader.small_number();
    }
  }
  if (reader.byte() != end_byte) throw TokenError("no end byte");
  if (!reader.at_end()) {
    const std::string_view rest = reader.rest();
    out["trailing"] = wire::to_hex_lower({reinterpret_cast<const std::uint8_t*>(rest.data()), rest.size()});
  }
  return out;
}

}  // namespace golden
