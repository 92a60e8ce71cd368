#include "wire/compare.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>

#include "wire/decimal.h"

namespace wire {
namespace {

using Order = std::weak_ordering;

constexpr double int64_end = 9223372036854775808.0;

Order order_of_bytes(const void* left, std::size_t left_size, const void* right, std::size_t right_size) {
  const std::size_t common = left_size < right_size ? left_size : right_size;
  const int order = common == 0 ? 0 : std::memcmp(left, right, common);
  if (order != 0) return order <=> 0;
  return left_size <=> right_size;
}

Order order_of_text(std::string_view left, std::string_view right) {
  return order_of_bytes(left.data(), left.size(), right.data(), right.size());
}

Order order_of_doubles(double left, double right) {
  if (left < right) return Order::less;
  if (left > right) return Order::greater;
  if (left == right) return Order::equivalent;
  // At least one is NaN, which is lowest.
  return std::isnan(right) <=> std::isnan(left);
}

Order order_of(std::int64_t left, double right) {
  if (std::isnan(right)) return Order::greater;
  if (right >= int64_end) return Order::less;
  if (right < -int64_end) return Order::greater;
  const double whole = std::trunc(right);
  const Order order = left <=> static_cast<std::int64_t>(whole);
  if (order != 0) return order;
  return order_of_doubles(whole, right);
}

Order order_of(Decimal128 left, Decimal128 right) {
  const std::partial_ordering order = compare(left, right);
  if (order == std::partial_ordering::less) return Order::less;
  if (order == std::partial_ordering::greater) return Order::greater;
  if (order == std::partial_ordering::equivalent) return Order::equivalent;
  return is_nan(right) <=> is_nan(left);
}

Order order_of(double left, Decimal128 right) {
  if (std::isnan(left) || is_nan(right)) return is_nan(right) <=> std::isnan(left);
  // A double may need more than 34 digits; then it lies strictly between two neighbouring decimals.
  const Decimal128 below = decimal_from_double_exact(left, Rounding::TowardNegative);
  const Decimal128 above = decimal_from_double_exact(left, Rounding::TowardPositive);
  if (order_of(below, above) == 0) return order_of(below, right);
  return order_of(right, below) <= 0 ? Order::greater : Order::less;
}

Order reversed(Order order) { return 0 <=> order; }

std::int64_t integer_of(ValueView value) { return value.is(Type::Int32) ? value.as_int32() : value.as_int64(); }

Order order_of_numbers(ValueView left, ValueView right) {
  if (right.is(Type::Decimal128)) {
    if (left.is(Type::Decimal128)) return order_of(left.as_decimal(), right.as_decimal());
    if (left.is(Type::Double)) return order_of(left.as_double(), right.as_decimal());
    return order_of(decimal_from_int64(integer_of(left)), right.as_decimal());
  }
  if (left.is(Type::Decimal128)) return reversed(order_of_numbers(right, left));
  if (left.is(Type::Double)) {
    if (right.is(Type::Double)) return order_of_doubles(left.as_double(), right.as_double());
    return reversed(order_of(integer_of(right), left.as_double()));
  }
  if (right.is(Type::Double)) return order_of(integer_of(left), right.as_double());
  return integer_of(left) <=> integer_of(right);
}

Order order_of_binary(BinaryView left, BinaryView right) {
  if (const Order order = left.bytes.size() <=> right.bytes.size(); order != 0) return order;
  if (const Order order = left.subtype <=> right.subtype; order != 0) return order;
  return order_of_bytes(left.bytes.data(), left.bytes.size(), right.bytes.data(), right.bytes.size());
}

Order order_of_regexes(RegexView left, RegexView right) {
  if (const Order order = order_of_text(left.pattern, right.pattern); order != 0) return order;
  return order_of_text(left.options, right.options);
}

// mongod compares the raw bytes of a DBPointer, the shorter one first.
Order order_of_raw(std::span<const std::uint8_t> left, std::span<const std::uint8_t> right) {
  if (const Order order = left.size() <=> right.size(); order != 0) return order;
  return order_of_bytes(left.data(), left.size(), right.data(), right.size());
}

Order order_within_class(CanonicalType type, ValueView left, ValueView right);

enum class Names { Compared, Ignored };

Order order_of_documents(DocumentView left, DocumentView right, Names names) {
  auto l = left.begin();
  auto r = right.begin();
  for (; l != left.end() && r != right.end(); ++l, ++r) {
    const CanonicalType type = canonical_type(l->value.type());
    if (const Order order = type <=> canonical_type(r->value.type()); order != 0) return order;
    if (names == Names::Compared)
      if (const Order order = order_of_text(l->name, r->name); order != 0) return order;
    if (const Order order = order_within_class(type, l->value, r->value); order != 0) return order;
  }
  return (l != left.end()) <=> (r != right.end());
}

Order order_within_class(CanonicalType type, ValueView left, ValueView right) {
  switch (type) {
    case CanonicalType::MinKey:
    case CanonicalType::Undefined:
    case CanonicalType::Null:
    case CanonicalType::MaxKey:
      return Order::equivalent;
    case CanonicalType::Number:
      return order_of_numbers(left, right);
    case CanonicalType::String:
    case CanonicalType::Code:
      return order_of_text(left.as_string(), right.as_string());
    case CanonicalType::Object:
      return order_of_documents(left.as_document(), right.as_document(), Names::Compared);
    case CanonicalType::Array:
      return order_of_documents(left.as_document(), right.as_document(), Names::Ignored);
    case CanonicalType::Binary:
      return order_of_binary(left.as_binary(), right.as_binary());
    case CanonicalType::ObjectId:
      return std::memcmp(left.bytes().data(), right.bytes().data(), 12) <=> 0;
    case CanonicalType::Bool:
      return left.as_bool() <=> right.as_bool();
    case CanonicalType::Date:
      return left.as_date_ms() <=> right.as_date_ms();
    case CanonicalType::Timestamp:
      return left.as_timestamp() <=> right.as_timestamp();
    case CanonicalType::Regex:
      return order_of_regexes(left.as_regex(), right.as_regex());
    case CanonicalType::DbPointer:
      return order_of_raw(left.bytes(), right.bytes());
    case CanonicalType::CodeWithScope:
      if (const Order order = order_of_text(left.code(), right.code()); order != 0) return order;
      return order_of_documents(left.scope(), right.scope(), Names::Compared);
  }
  return Order::equivalent;
}

std::size_t mix(std::uint64_t value) {
  value = (value ^ (value >> 32)) * 0x9E3779B97F4A7C15U;
  return static_cast<std::size_t>(value ^ (value >> 29));
}

std::size_t combine(std::size_t seed, std::size_t value) { return mix(seed * 31 + value); }

std::size_t hash_bytes(std::span<const std::uint8_t> bytes) {
  return std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::size_t hash_double(double value) {
  if (std::isnan(value)) return mix(1);
  if (value >= -int64_end && value < int64_end && std::trunc(value) == value)
    return mix(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
  return mix(std::bit_cast<std::uint64_t>(value));
}

std::size_t hash_decimal(Decimal128 value) {
  if (is_nan(value)) return mix(1);
  if (const auto whole = decimal_to_int64(value); whole && order_of(decimal_from_int64(*whole), value) == 0)
    return mix(static_cast<std::uint64_t>(*whole));
  const double nearest = decimal_to_double(value);
  if (order_of(nearest, value) == 0) return hash_double(nearest);
  const Decimal128 normal = normalize(value);
  return combine(mix(normal.high), mix(normal.low));
}

std::size_t hash_document(DocumentView document, Names names) {
  std::size_t hash = 0;
  for (const Element& element : document) {
    if (names == Names::Compared) hash = combine(hash, std::hash<std::string_view>{}(element.name));
    hash = combine(hash, hash_value(element.value));
  }
  return hash;
}

}  // namespace

CanonicalType canonical_type(Type type) {
  switch (type) {
    case Type::MinKey:
      return CanonicalType::MinKey;
    case Type::EndOfDocument:
    case Type::Undefined:
      return CanonicalType::Undefined;
    case Type::Null:
      return CanonicalType::Null;
    case Type::Double:
    case Type::Int32:
    case Type::Int64:
    case Type::Decimal128:
      return CanonicalType::Number;
    case Type::String:
    case Type::Symbol:
      return CanonicalType::String;
    case Type::Document:
      return CanonicalType::Object;
    case Type::Array:
      return CanonicalType::Array;
    case Type::Binary:
      return CanonicalType::Binary;
    case Type::ObjectId:
      return CanonicalType::ObjectId;
    case Type::Bool:
      return CanonicalType::Bool;
    case Type::DateTime:
      return CanonicalType::Date;
    case Type::Timestamp:
      return CanonicalType::Timestamp;
    case Type::Regex:
      return CanonicalType::Regex;
    case Type::DbPointer:
      return CanonicalType::DbPointer;
    case Type::JavaScript:
      return CanonicalType::Code;
    case Type::JavaScriptWithScope:
      return CanonicalType::CodeWithScope;
    case Type::MaxKey:
      return CanonicalType::MaxKey;
  }
  return CanonicalType::MaxKey;
}

std::weak_ordering compare_values(ValueView left, ValueView right) {
  if (left.is(Type::Int32) && right.is(Type::Int32)) return left.as_int32() <=> right.as_int32();
  const CanonicalType type = canonical_type(left.type());
  if (const Order order = type <=> canonical_type(right.type()); order != 0) return order;
  return order_within_class(type, left, right);
}

std::weak_ordering compare_documents(DocumentView left, DocumentView right) {
  return order_of_documents(left, right, Names::Compared);
}

std::weak_ordering compare_documents_without_names(DocumentView left, DocumentView right) {
  return order_of_documents(left, right, Names::Ignored);
}

std::size_t hash_value(ValueView value) {
  switch (value.type()) {
    case Type::Int32:
      return mix(static_cast<std::uint64_t>(std::int64_t{value.as_int32()}));
    case Type::Int64:
      return mix(static_cast<std::uint64_t>(value.as_int64()));
    case Type::Double:
      return hash_double(value.as_double());
    case Type::Decimal128:
      return hash_decimal(value.as_decimal());
    case Type::String:
    case Type::Symbol:
    case Type::JavaScript:
      return std::hash<std::string_view>{}(value.as_string());
    case Type::Document:
      return hash_document(value.as_document(), Names::Compared);
    case Type::Array:
      return hash_document(value.as_document(), Names::Ignored);
    case Type::JavaScriptWithScope:
      return combine(std::hash<std::string_view>{}(value.code()), hash_document(value.scope(), Names::Compared));
    case Type::Undefined:
    case Type::EndOfDocument:
      return mix(2);
    case Type::Bool:
      return mix(value.as_bool() ? 3 : 4);
    default:
      return combine(static_cast<std::size_t>(value.type()), hash_bytes(value.bytes()));
  }
}

}  // namespace wire
