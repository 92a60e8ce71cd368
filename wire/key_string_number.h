// Numbers in a KeyString, written and read. Part of key_string.*; nobody else needs it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "wire/document.h"
#include "wire/type_bits.h"

namespace wire {

enum class Sign : std::uint8_t { Positive, Negative };

// How a decimal stands to the double that is written for it: the low bits of the double's encoding.
// 1 and 3: eight bytes follow, for a value below or above the double rounded up to 15 digits; 2: it is that.
enum class Continuation : std::uint8_t { Equal = 0, BelowFifteenDigits = 1, FifteenDigits = 2, AboveFifteenDigits = 3 };

// Decimals below the smallest normal double are written as the double nearest to `value * 2^256`; mongod rounds toward zero at each step.
double scaled_double(Decimal128 magnitude);
Decimal128 unscaled_decimal(double scaled);

// Writers of one number without its type bits.
void append_key_integer(std::string& out, std::int64_t value);
void append_key_double(std::string& out, double value);
void append_key_decimal(std::string& out, Decimal128 value);

// A read position that throws mongod's Overflow (15) where the bytes end.
class KeyBytes {
 public:
  explicit KeyBytes(std::span<const std::uint8_t> bytes) : rest_(bytes) {}
  bool empty() const { return rest_.empty(); }
  std::span<const std::uint8_t> rest() const { return rest_; }
  std::span<const std::uint8_t> take(std::size_t count);
  std::uint8_t byte() { return take(1)[0]; }
  // Up to the next NUL, which is skipped.
  std::span<const std::uint8_t> until_nul();
  std::uint32_t uint32();
  std::uint64_t uint64();

 private:
  std::span<const std::uint8_t> rest_;
};

bool is_key_number(std::uint8_t type_byte);
// The number whose type byte has been read.
Value read_key_number(std::uint8_t type_byte, KeyBytes& bytes, TypeBitsReader& type_bits);

}  // namespace wire
