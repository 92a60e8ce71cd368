// $mod and $bitsAllSet, $bitsAllClear, $bitsAnySet, $bitsAnyClear.
#include <fmt/format.h>

#include <cmath>

#include "emulator/number.h"
#include "emulator/predicates/table.h"
#include "emulator/value_text.h"
#include "wire/decimal.h"

namespace emulator {
namespace {

using wire::Type;

// The number without its fraction; nullopt: no number, not finite or too large.
std::optional<std::int64_t> truncated(wire::ValueView value) {
  switch (value.type()) {
    case Type::Int32:
      return value.as_int32();
    case Type::Int64:
      return value.as_int64();
    case Type::Double:
      if (const double number = value.as_double(); fits_int64(number)) return static_cast<std::int64_t>(number);
      return std::nullopt;
    case Type::Decimal128:
      return wire::decimal_to_int64(value.as_decimal());
    default:
      return std::nullopt;
  }
}

// What no long holds is the least one.
std::int64_t rounded(wire::Decimal128 value) {
  return wire::decimal_to_int64(value, wire::Rounding::TiesToEven).value_or(INT64_MIN);
}

// As $mod reads a number until 4.4.
std::optional<std::int64_t> read_of_4_4(wire::ValueView value) {
  if (!value.is_number()) return std::nullopt;
  return value.is(Type::Decimal128) ? rounded(value.as_decimal()) : truncated(value).value_or(INT64_MIN);
}

class ModNode final : public PathNode {
 public:
  using Read = std::optional<std::int64_t> (*)(wire::ValueView value);
  ModNode(std::string_view path, std::int64_t divisor, std::int64_t remainder, Read read)
      : PathNode(path, LeafArrays::Traversed), divisor_(divisor), remainder_(remainder), read_(read) {}
  bool matches_value(wire::ValueView value) const override {
    const std::optional<std::int64_t> number = read_(value);
    if (!number) return false;
    return (divisor_ == -1 ? 0 : *number % divisor_) == remainder_;
  }

 private:
  std::int64_t divisor_;
  std::int64_t remainder_;
  Read read_;
};

std::int64_t mod_argument(wire::ValueView value, std::string_view what, Wording wording) {
  if (!value.is_number()) throw CommandError(2, fmt::format("malformed mod, {} not a number", what));
  // Until 4.4 an int32, whatever is given.
  if (wording <= Wording::V4_4) {
    const std::int64_t whole = *read_of_4_4(value);
    return value.is(Type::Double) && std::abs(value.as_double()) >= 0x1p31 ? INT32_MIN
                                                                           : static_cast<std::int32_t>(whole);
  }
  // 5.0 lets the first double beyond the longs pass, and reads it as what no long holds.
  if (wording == Wording::V5_0 && value.is(Type::Double) && value.as_double() == 0x1p63) return INT64_MIN;
  const std::optional<std::int64_t> number = truncated(value);
  if (!number) {
    const bool finite = value.is(Type::Double) ? std::isfinite(value.as_double())
                                               : !is_nan_number(value) && !wire::is_infinite(value.as_decimal());
    throw CommandError(2, fmt::format("malformed mod, {} value is invalid :: caused by :: {}", what,
                                      finite ? "Out of bounds coercing to integral value"
                                             : "Unable to coerce NaN/Inf to integral type"));
  }
  return *number;
}

MatchNodePtr parse_mod(const PredicateInput& input) {
  if (!input.element.value.is(Type::Array)) throw CommandError(2, "malformed mod, needs to be an array");
  const wire::DocumentView array = input.element.value.as_document();
  const Wording wording = input.context.expressions.profile->wording;
  const std::size_t count = array.count();
  if (count < 2) throw CommandError(2, "malformed mod, not enough elements");
  if (count > 2) throw CommandError(2, "malformed mod, too many elements");
  const std::int64_t divisor = mod_argument(array.find("0"), "divisor", wording);
  const std::int64_t remainder = mod_argument(array.find("1"), "remainder", wording);
  if (divisor == 0) throw CommandError(2, "divisor cannot be 0");
  return std::make_unique<ModNode>(input.path, divisor, remainder, wording <= Wording::V4_4 ? read_of_4_4 : truncated);
}

enum class BitTest { AllSet, AllClear, AnySet, AnyClear };

class BitsNode final : public PathNode {
 public:
  using Read = std::optional<std::int64_t> (*)(wire::ValueView value);
  BitsNode(std::string_view path, BitTest test, std::vector<std::uint32_t> positions, Read read)
      : PathNode(path, LeafArrays::Traversed), test_(test), positions_(std::move(positions)), read_(read) {}

  bool matches_value(wire::ValueView value) const override {
    if (value.is(Type::Binary)) {
      const auto bytes = value.as_binary().bytes;
      return decide([&](std::uint32_t at) { return at / 8 < bytes.size() && ((bytes[at / 8] >> (at % 8)) & 1) != 0; });
    }
    const std::optional<std::int64_t> number = read_(value);
    if (!number) return false;
    // Two's complement without end: a negative number has all higher bits set.
    return decide([&](std::uint32_t at) { return at < 64 ? ((*number >> at) & 1) != 0 : *number < 0; });
  }

 private:
  template <class IsSet>
  bool decide(const IsSet& is_set) const {
    const bool all = test_ == BitTest::AllSet || test_ == BitTest::AllClear;
    const bool wanted = test_ == BitTest::AllSet || test_ == BitTest::AnySet;
    for (const std::uint32_t at : positions_)
      if ((is_set(at) == wanted) != all) return !all;
    return all;
  }
  BitTest test_;
  std::vector<std::uint32_t> positions_;
  Read read_;
};

// As the bit operators of 6.0.5 and before it read a number.
std::optional<std::int64_t> exact_or_rounded(wire::ValueView value) {
  return value.is(Type::Decimal128) ? rounded(value.as_decimal()) : exact_int64(value);
}

// Until 5.0 it has words of its own.
std::int64_t old_bit_position(const wire::Element& each) {
  const auto refuse = [&](std::string_view why) {
    throw CommandError(2, fmt::format("bit positions {}: {}", why, bson_text(each)));
  };
  const wire::ValueView value = each.value;
  if (!value.is_number()) refuse("must be an integer but got");
  if (value.is(Type::Double)) {
    const double number = value.as_double();
    if (std::isnan(number)) refuse("cannot take a NaN");
    if (number < INT32_MIN || number > INT32_MAX) refuse("cannot be represented as a 32-bit signed integer");
    if (number != std::trunc(number)) refuse("must be an integer but got");
  }
  if (value.is(Type::Int64) && !exact_int32(value)) refuse("cannot be represented as a 32-bit signed integer");
  const std::int64_t at = value.is(Type::Decimal128) ? rounded(value.as_decimal()) : *truncated(value);
  if (at < 0 || at > INT32_MAX) refuse("must be >= 0 but got");
  return at;
}

std::vector<std::uint32_t> bit_positions(const PredicateInput& input) {
  const wire::ValueView value = input.element.value;
  const Wording wording = input.context.expressions.profile->wording;
  std::vector<std::uint32_t> positions;
  if (value.is(Type::Array)) {
    for (const wire::Element& each : value.as_document()) {
      const std::int64_t at = wording <= Wording::V5_0 ? old_bit_position(each)
                                                       : whole_number(each, Whole::NonNegativeInt, wording, 2,
                                                                      "Failed to parse bit position. ");
      positions.push_back(static_cast<std::uint32_t>(at));
    }
  } else if (value.is_number()) {
    const auto mask = static_cast<std::uint64_t>(whole_number(input.element, Whole::NonNegative, wording, 9));
    for (std::uint32_t at = 0; at < 64; ++at)
      if ((mask >> at) & 1) positions.push_back(at);
  } else if (value.is(Type::Binary)) {
    const auto bytes = value.as_binary().bytes;
    for (std::uint32_t at = 0; at < bytes.size() * 8; ++at)
      if ((bytes[at / 8] >> (at % 8)) & 1) positions.push_back(at);
  } else {
    throw CommandError(2, fmt::format("{} takes an Array, a number, or a BinData but received: {}", input.path,
                                      bson_text(input.element)));
  }
  return positions;
}

template <BitTest test>
MatchNodePtr parse_bits(const PredicateInput& input) {
  const bool rounds = input.context.expressions.profile->wording < Wording::V6_0_27;
  return std::make_unique<BitsNode>(input.path, test, bit_positions(input), rounds ? exact_or_rounded : exact_int64);
}

constexpr PredicateOperator operators[] = {
    {"$mod", PredicatePlace::Field, parse_mod},
    {"$bitsAllSet", PredicatePlace::Field, parse_bits<BitTest::AllSet>},
    {"$bitsAllClear", PredicatePlace::Field, parse_bits<BitTest::AllClear>},
    {"$bitsAnySet", PredicatePlace::Field, parse_bits<BitTest::AnySet>},
    {"$bitsAnyClear", PredicatePlace::Field, parse_bits<BitTest::AnyClear>},
};

}  // namespace

extern constinit const PredicateSpec numeric_predicate{operators};

}  // namespace emulator
