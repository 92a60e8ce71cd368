// The types that a KeyString's bytes leave out, as a stream of bits: one entry per string and number, in order of encoding.
// Knows nothing of the bytes themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "wire/document.h"

namespace wire {

class TypeBits {
 public:
  // `_typeBits` of a token or a key's type bits; throws FormatError when the size does not fit.
  static TypeBits parse(std::span<const std::uint8_t> serialized);
  // Empty when every bit is 0: then nothing is stored.
  std::string serialized() const;

  void clear();
  bool all_zero() const { return ones_.empty(); }
  std::size_t size() const { return size_; }
  bool operator[](std::size_t index) const;

  void append_string() { ++size_; }
  void append_symbol() { append(1, 1); }
  void append_int32() { size_ += 2; }
  void append_int64() { append(0b01, 2); }
  void append_double() { append(0b10, 2); }
  void append_negative_zero() { append(0b11000, 5); }
  // Infinity and NaN have no exponent.
  void append_decimal() { append(0b11, 2); }
  void append_decimal(int biased_exponent);
  void append_decimal_zero(int biased_exponent);
  void append_negative_decimal_zero(int biased_exponent);

 private:
  // The low `count` bits, the highest of them first.
  void append(unsigned bits, unsigned count);
  void append_zero_key(unsigned key);
  std::size_t size_ = 0;
  // The bytes up to the last 1; what follows is 0. No allocation while all bits are 0.
  std::vector<std::uint8_t> ones_;
  friend class TypeBitsReader;
};

enum class NumberType { Int32, Int64, Double, Decimal };

// Reads the entries in order. Without any 1 bit it gives 0 for ever (int32, string); otherwise it throws FormatError at the end.
class TypeBitsReader {
 public:
  explicit TypeBitsReader(const TypeBits& bits) : bits_(&bits) {}
  bool is_symbol() { return next() == 1; }
  NumberType number_type();
  struct Zero {
    NumberType type = NumberType::Int32;
    bool negative = false;
    int biased_exponent = 0;
  };
  Zero zero();
  // The low six bits of a decimal's biased exponent.
  unsigned exponent_bits() { return next(6); }

 private:
  unsigned next();
  unsigned next(unsigned count);
  const TypeBits* bits_;
  std::size_t at_ = 0;
};

}  // namespace wire
