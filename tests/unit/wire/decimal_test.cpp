#include "wire/decimal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace wire {
namespace {

Decimal128 decimal(std::string_view text) {
  const auto value = decimal_from_string(text);
  EXPECT_TRUE(value.has_value()) << text;
  return value.value_or(decimal_nan);
}

TEST(Decimal, AddsTenthsExactly) {
  EXPECT_EQ(decimal_to_string(add(decimal("0.1"), decimal("0.2"))), "0.3");
  EXPECT_EQ(decimal_to_string(subtract(decimal("0.3"), decimal("0.1"))), "0.2");
  EXPECT_EQ(decimal_to_string(multiply(decimal("0.10"), decimal("3"))), "0.30");
}

TEST(Decimal, DividesTo34Digits) {
  EXPECT_EQ(decimal_to_string(divide(decimal("1"), decimal("3"))), "0.3333333333333333333333333333333333");
  EXPECT_EQ(decimal_to_string(divide(decimal("1"), decimal("0"))), "Infinity");
  EXPECT_EQ(decimal_to_string(divide(decimal("0"), decimal("0"))), "NaN");
  EXPECT_EQ(decimal_to_string(modulo(decimal("-7"), decimal("3"))), "-1");
}

TEST(Decimal, KeepsTheTextsOfTheSpecification) {
  for (const char* text : {"0", "-0", "0.00", "0E+5", "0E-8", "1", "-1.50", "0.000001", "1E-7", "1.2E+40",
                           "9.999999999999999999999999999999999E+6144", "1E-6176", "1.23456789012345678901234567890123",
                           "12345.678", "NaN", "Infinity", "-Infinity"})
    EXPECT_EQ(decimal_to_string(decimal(text)), text);
  EXPECT_EQ(decimal_to_string(decimal("inf")), "Infinity");
  EXPECT_EQ(decimal_to_string(decimal("-INFINITY")), "-Infinity");
  EXPECT_EQ(decimal_to_string(decimal("+.5e1")), "5");
}

TEST(Decimal, RefusesWhatIsNotANumber) {
  for (const char* text : {"", "-", ".", "1e", "1e+", "1.2.3", "abc", "1 ", " 1", "1E7000", "0x10", "--1", "1E-7000"})
    EXPECT_FALSE(decimal_from_string(text).has_value()) << text;
}

TEST(Decimal, KeepsFifteenDigitsOfADouble) {
  EXPECT_EQ(decimal_to_string(decimal_from_double(0.1)), "0.100000000000000");
  EXPECT_EQ(decimal_to_string(decimal_from_double(1.5)), "1.50000000000000");
  EXPECT_EQ(decimal_to_string(decimal_from_double(999999999999999.9)), "1.00000000000000E+15");
  EXPECT_EQ(decimal_to_string(decimal_from_double(-1e300)), "-1.00000000000000E+300");
  EXPECT_EQ(decimal_to_string(decimal_from_double(0.0)), "0");
  EXPECT_TRUE(is_nan(decimal_from_double(std::nan(""))));
  EXPECT_EQ(decimal_to_string(decimal_from_double_exact(0.1)), "0.1000000000000000055511151231257827");
}

TEST(Decimal, ConvertsToDoubleAndInt64) {
  EXPECT_EQ(decimal_to_double(decimal("0.1")), 0.1);
  EXPECT_EQ(decimal_to_double(decimal("1E+400")), std::numeric_limits<double>::infinity());
  EXPECT_EQ(decimal_to_int64(decimal("-2.9")), -2);
  EXPECT_EQ(decimal_to_int64(decimal("2.5"), Rounding::TiesToEven), 2);
  EXPECT_EQ(decimal_to_int64(decimal("9223372036854775807")), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(decimal_to_int64(decimal("9223372036854775808")), std::nullopt);
  EXPECT_EQ(decimal_to_int64(decimal_nan), std::nullopt);
  EXPECT_EQ(decimal_to_string(decimal_from_int64(std::numeric_limits<std::int64_t>::min())), "-9223372036854775808");
}

TEST(Decimal, RoundsInEveryDirection) {
  EXPECT_EQ(decimal_to_string(round(decimal("2.5"))), "2");
  EXPECT_EQ(decimal_to_string(truncate(decimal("-2.5"))), "-2");
  EXPECT_EQ(decimal_to_string(floor(decimal("-2.5"))), "-3");
  EXPECT_EQ(decimal_to_string(ceil(decimal("2.1"))), "3");
  EXPECT_EQ(decimal_to_string(round(decimal("2.5"), Rounding::TiesAway)), "3");
  EXPECT_EQ(decimal_to_string(quantize(decimal("1.255"), 2)), "1.26");
  EXPECT_EQ(decimal_to_string(quantize(decimal("1255"), -2)), "1.3E+3");
}

TEST(Decimal, ComparesByValue) {
  EXPECT_EQ(compare(decimal("1.0"), decimal("1.00")), std::partial_ordering::equivalent);
  EXPECT_EQ(compare(decimal("-1"), decimal("0.5")), std::partial_ordering::less);
  EXPECT_EQ(compare(decimal_nan, decimal("1")), std::partial_ordering::unordered);
  EXPECT_EQ(normalize(decimal("1.0")), normalize(decimal("1.000")));
}

TEST(Decimal, TakesNumbersApartAndTogether) {
  for (const char* text : {"0", "-0.00", "12345678901234567890123456789.01234", "1E-6176", "-9E+6111"})
    EXPECT_EQ(decimal_of(parts_of(decimal(text))), decimal(text));
  EXPECT_TRUE(is_zero(Decimal128{0, 0x6C10000000000000U})) << "a coefficient above 34 digits counts as zero";
}

}  // namespace
}  // namespace wire
