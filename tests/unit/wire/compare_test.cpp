#include "wire/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "wire/decimal.h"

namespace wire {
namespace {

Value decimal(std::string_view text) { return Value::decimal(decimal_from_string(text).value()); }

template <class Fill>
Document document(Fill fill) {
  DocumentBuilder builder;
  fill(builder);
  return builder.finish();
}

Value binary(std::uint8_t subtype, std::vector<std::uint8_t> bytes) { return Value::binary(subtype, bytes); }

Value code_with_scope(std::string_view text, DocumentView scope) {
  std::string bytes(8, '\0');
  const auto length = static_cast<std::uint32_t>(text.size() + 1);
  const auto whole = static_cast<std::uint32_t>(8 + length + scope.size());
  std::memcpy(bytes.data(), &whole, 4);
  std::memcpy(bytes.data() + 4, &length, 4);
  bytes.append(text).append(1, '\0').append(reinterpret_cast<const char*>(scope.data()), scope.size());
  return ValueView(Type::JavaScriptWithScope, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

Value db_pointer(std::string_view text) {
  std::string bytes(4, '\0');
  const auto length = static_cast<std::uint32_t>(text.size() + 1);
  std::memcpy(bytes.data(), &length, 4);
  bytes.append(text).append(1 + 12, '\0');
  return ValueView(Type::DbPointer, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

// One value of each place, lowest first; each is strictly below the next.
std::vector<Value> ladder() {
  const auto field = [](std::string_view name, ValueView value) {
    return document([&](DocumentBuilder& b) { b.append(name, value); });
  };
  const auto array = [](std::vector<Value> items) {
    return Value::array(document([&](DocumentBuilder& b) {
      for (std::size_t i = 0; i < items.size(); ++i) b.append(std::to_string(i), items[i]);
    }));
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {
      Value::min_key(),
      Value(),
      Value::null(),
      Value::number(std::nan("")),
      Value::number(-infinity),
      decimal("-1E+400"),
      Value::number(-1e300),
      Value::int64(std::numeric_limits<std::int64_t>::min()),
      Value::int32(-1),
      Value::number(-0.5),
      Value::int32(0),
      decimal("1E-400"),
      Value::number(5e-324),
      decimal("0.1"),
      Value::number(0.1),  // above the decimal: 0.1000000000000000055…
      decimal("0.1000000000000000055511151231257828"),
      Value::int32(1),
      Value::number(9007199254740992.0),
      Value::int64(9007199254740993),
      decimal("9007199254740993.5"),
      Value::int64(std::numeric_limits<std::int64_t>::max()),
      Value::number(9223372036854775808.0),
      Value::number(1e300),
      decimal("1E+400"),
      decimal("Infinity"),
      Value::string(""),
      Value::symbol("a"),
      Value::string(std::string_view("a\0", 2)),
      Value::string("b"),
      Value::document(Document()),
      Value::document(field("b", Value::int32(1))),
      Value::document(field("b", Value::int32(2))),
      Value::document(field("c", Value::int32(0))),
      Value::document(field("a", Value::string("x"))),  // the class of the value before the name
      array({}),
      array({Value::int32(1)}),
      array({Value::int32(1), Value::null()}),
      array({Value::int32(2)}),
      binary(9, {}),
      binary(0, {2}),
      binary(1, {1}),
      binary(0, {0, 0}),
      Value::object_id({}),
      Value::object_id({{1}}),
      Value::boolean(false),
      Value::boolean(true),
      Value::date(-1),
      Value::date(0),
      Value::timestamp({0, 5}),
      Value::timestamp({0xFFFFFFFF, 0}),
      Value::regex("a", "i"),
      Value::regex("b", ""),
      db_pointer("zz"),
      db_pointer("aaa"),
      Value::code("f"),
      Value::code("g"),
      code_with_scope("a", Document()),
      code_with_scope("a", field("x", Value::int32(1))),
      Value::max_key(),
  };
}

TEST(Compare, OrdersValuesOfAllTypes) {
  const std::vector<Value> values = ladder();
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < values.size(); ++j)
      EXPECT_TRUE(compare_values(values[i], values[j]) == std::weak_ordering(i <=> j)) << i << " against " << j;
}

TEST(Compare, FindsEqualNumbersOfAnyTypeEqualWithEqualHashes) {
  const std::vector<std::vector<Value>> groups = {
      {Value::int32(1), Value::int64(1), Value::number(1.0), decimal("1"), decimal("1.00")},
      {Value::int32(0), Value::int64(0), Value::number(-0.0), decimal("-0"), decimal("0E+5")},
      {Value::number(1.5), decimal("1.5"), decimal("1.50")},
      {Value::number(std::nan("")), Value::number(-std::nan("")), decimal("NaN")},
      {Value::number(-std::numeric_limits<double>::infinity()), decimal("-Infinity")},
      {Value::int64(std::numeric_limits<std::int64_t>::min()), Value::number(-9223372036854775808.0),
       decimal("-9223372036854775808")},
      {Value::number(9223372036854775808.0), decimal("9223372036854775808"), decimal("9223372036854775808.0")},
      {decimal("0.1"), decimal("0.10"), decimal("0.1000000000000000000000000000000000")},
      {Value::string("s"), Value::symbol("s")},
      {Value(), ValueView(Type::Undefined, {})},
  };
  for (const auto& group : groups)
    for (const Value& left : group)
      for (const Value& right : group) {
        EXPECT_TRUE(equal_values(left, right)) << type_name(left.type()) << " and " << type_name(right.type());
        EXPECT_EQ(hash_value(left), hash_value(right)) << type_name(left.type()) << " and " << type_name(right.type());
      }
}

TEST(Compare, GivesNestedEqualValuesOneHash) {
  const auto nested = [](ValueView number) {
    return document([&](DocumentBuilder& b) { b.begin_document("a").append("n", number).end(); });
  };
  const Document left = nested(Value::int32(7));
  const Document right = nested(Value::number(7.0));
  EXPECT_TRUE(compare_documents(left, right) == 0);
  EXPECT_EQ(hash_value(Value::document(left)), hash_value(Value::document(right)));
  EXPECT_NE(hash_value(Value::document(left)), hash_value(Value::document(Document())));
}

TEST(Compare, LeavesNamesOutForKeys) {
  const Document left = document([](DocumentBuilder& b) { b.append_int32("x", 1); });
  const Document right = document([](DocumentBuilder& b) { b.append_int32("a", 1); });
  EXPECT_TRUE(compare_documents_without_names(left, right) == 0);
  EXPECT_TRUE(compare_documents(left, right) > 0);
}

}  // namespace
}  // namespace wire
