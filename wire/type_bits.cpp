#include "wire/type_bits.h"

#include <cstring>

#include <fmt/format.h>

#include "wire/format_error.h"

namespace wire {
namespace {

constexpr std::uint8_t size_prefix = 0x80;
constexpr std::size_t short_size_max = 0x7F;
constexpr unsigned decimal_zero_code = 0x1A;
constexpr int negative_zero_offset = 12288;

}  // namespace

TypeBits TypeBits::parse(std::span<const std::uint8_t> serialized) {
  TypeBits bits;
  if (serialized.empty()) return bits;
  std::size_t count = 1;
  std::span<const std::uint8_t> bytes = serialized;
  if ((serialized[0] & size_prefix) != 0) {
    bytes = serialized.subspan(1);
    count = serialized[0] & short_size_max;
    if (count == 0) {
      if (bytes.size() < 4)
        throw FormatError(
            15, fmt::format("buffer size too small to read (4) bytes out of buffer[{}] at offset: 0", bytes.size()));
      std::uint32_t long_count;
      std::memcpy(&long_count, bytes.data(), sizeof long_count);
      count = long_count;
      bytes = bytes.subspan(4);
    }
  }
  if (bytes.size() < count)
    throw FormatError(15, fmt::format("Invalid advance ({}) past end of buffer[{}] at offset: 0", count, bytes.size()));
  bits.size_ = count * 8;
  bits.ones_.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
  while (!bits.ones_.empty() && bits.ones_.back() == 0) bits.ones_.pop_back();
  return bits;
}

std::string TypeBits::serialized() const {
  if (all_zero()) return {};
  const std::size_t count = (size_ + 7) / 8;
  std::string out;
  if (count == 1 && ones_[0] < size_prefix) return std::string(1, static_cast<char>(ones_[0]));
  if (count <= short_size_max) {
    out += static_cast<char>(size_prefix | count);
  } else {
    const auto long_count = static_cast<std::uint32_t>(count);
    out += static_cast<char>(size_prefix);
    out.append(reinterpret_cast<const char*>(&long_count), sizeof long_count);
  }
  out.append(ones_.begin(), ones_.end());
  out.append(count - ones_.size(), '\0');
  return out;
}

void TypeBits::clear() {
  size_ = 0;
  ones_.clear();
}

bool TypeBits::operator[](std::size_t index) const {
  return index / 8 < ones_.size() && ((ones_[index / 8] >> (index % 8)) & 1) != 0;
}

void TypeBits::append(unsigned bits, unsigned count) {
  while (count-- > 0) {
    if (((bits >> count) & 1) != 0) {
      if (ones_.size() <= size_ / 8) ones_.resize(size_ / 8 + 1);
      ones_[size_ / 8] = static_cast<std::uint8_t>(ones_[size_ / 8] | (1U << (size_ % 8)));
    }
    ++size_;
  }
}

void TypeBits::append_decimal(int biased_exponent) {
  append_decimal();
  append(static_cast<unsigned>(biased_exponent) & 0x3F, 6);
}

void TypeBits::append_decimal_zero(int biased_exponent) { append_zero_key(static_cast<unsigned>(biased_exponent)); }

void TypeBits::append_negative_decimal_zero(int biased_exponent) {
  append_zero_key(static_cast<unsigned>(biased_exponent + negative_zero_offset));
}

void TypeBits::append_zero_key(unsigned key) {
  append(decimal_zero_code + (key >> 12), 5);
  append(key & 0xFFF, 12);
}

unsigned TypeBitsReader::next() {
  if (bits_->all_zero()) return 0;
  if (at_ >= bits_->size()) throw FormatError(50615, "KeyString format error: Invalid size byte(s).");
  return (*bits_)[at_++] ? 1 : 0;
}

unsigned TypeBitsReader::next(unsigned count) {
  unsigned value = 0;
  while (count-- > 0) value = value << 1 | next();
  return value;
}

NumberType TypeBitsReader::number_type() { return static_cast<NumberType>(next(2)); }

TypeBitsReader::Zero TypeBitsReader::zero() {
  const NumberType type = number_type();
  if (type != NumberType::Decimal) return {type, false, 0};
  const unsigned code = next(3) | 0x18;
  if (code < decimal_zero_code) return {NumberType::Double, code == 0x18, 0};
  const unsigned key = (code - decimal_zero_code) << 12 | next(12);
  const bool negative = key >= negative_zero_offset;
  return {type, negative, static_cast<int>(key) - (negative ? negative_zero_offset : 0)};
}

}  // namespace wire
