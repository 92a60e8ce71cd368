#include "tests/golden/normaliser.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <string_view>

#include "tests/golden/masking.h"
#include "tests/golden/token_reader.h"
#include "tests/golden/wrote.h"
#include "wire/extended_json.h"
#include "wire/hex.h"

namespace golden {
namespace {

using namespace std::string_view_literals;
using wire::Type;

constexpr std::uint32_t real_seconds_min = 1'000'000'000;
constexpr std::int64_t large_id_min = std::int64_t{1} << 31;
constexpr std::uint8_t subtype_uuid = 4;
constexpr std::array time_keys{"clusterTime"sv, "ts"sv, "operationTime"sv, "optime"sv};
constexpr std::array any_keys{"electionId"sv, "connectionId"sv, "counter"sv, "processId"sv,
                              "setVersion"sv, "syncMillis"sv,   "wtime"sv};
constexpr std::array cursor_keys{
    "id"sv, "cursorId"sv, "cursorID"sv, "cursorsUnknown"sv, "cursorsKilled"sv, "cursorsNotFound"sv, "cursorsAlive"sv};

template <class Keys>
bool contains(const Keys& keys, std::string_view key) {
  for (const std::string_view known : keys)
    if (known == key) return true;
  return false;
}

Json any(std::string_view type) { return {{"$$any", type}}; }

std::string literal(Type type, std::span<const std::uint8_t> bytes) {
  std::string out(1, static_cast<char>(type));
  out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return out;
}

std::string literal(wire::Timestamp time) {
  return literal(Type::Timestamp, wire::Value::timestamp(time).view().bytes());
}

std::string literal_binary(std::span<const std::uint8_t> bytes) { return literal(Type::Binary, bytes); }

std::string_view chars(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// The goldens' recorder reads code and symbols as texts.
std::optional<std::string_view> text_of(wire::ValueView value) {
  if (value.is(Type::String) || value.is(Type::JavaScript) || value.is(Type::Symbol)) return value.as_string();
  if (value.is(Type::JavaScriptWithScope)) return value.code();
  return std::nullopt;
}

std::string_view shown_type(wire::ValueView value) {
  return text_of(value) ? "string"sv : wire::type_name(value.type());
}

// The time that a literal resume token begins with.
std::optional<wire::Timestamp> token_time(std::string_view text) {
  constexpr std::size_t seconds_at = 2, increment_at = 10, time_end = 18;
  if (!text.starts_with("82") || text.size() < time_end) return std::nullopt;
  const auto number = [&](std::size_t from, std::uint32_t& out) {
    const char* last = text.data() + from + 8;
    return std::from_chars(text.data() + from, last, out, 16).ptr == last;
  };
  wire::Timestamp time;
  if (!number(seconds_at, time.seconds) || !number(increment_at, time.increment)) return std::nullopt;
  return time;
}

}  // namespace

Json plain(wire::ValueView value) { return Json::parse(wire::to_json(value)); }

Json shape(wire::ValueView value) {
  if (!value.is(Type::Document)) return any(shown_type(value));
  Json out = Json::object();
  for (const auto& [name, field] : value.as_document()) out[std::string(name)] = shape(field);
  return out;
}

Normaliser::Normaliser(wire::DocumentView golden_case, std::string host) : host_(std::move(host)) {
  for (const std::string_view part : {"setup", "streams", "steps"}) collect(golden_case[part]);
}

void Normaliser::collect(wire::ValueView value) {
  if (value.is(Type::Document) || value.is(Type::Array)) {
    for (const auto& [name, item] : value.as_document()) collect(item);
  } else if (value.is(Type::ObjectId) || value.is(Type::Timestamp)) {
    literals_.insert(literal(value.type(), value.bytes()));
  } else if (value.is(Type::Binary)) {
    literals_.insert(literal_binary(value.as_binary().bytes));
  } else if (value.is(Type::String)) {
    if (const auto time = token_time(value.as_string())) literals_.insert(literal(*time));
  }
}

bool Normaliser::is_literal(wire::ValueView value) const {
  return literals_.contains(literal(value.type(), value.bytes()));
}

Json Normaliser::response(wire::DocumentView command, wire::DocumentView reply) const {
  const bool numbered = wrote(command, reply);
  Json out = Json::object();
  for (const auto& [name, value] : reply) {
    const bool of_write = name == "operationTime" || name == "opTime";
    out[std::string(name)] = walk(value, name, of_write && !numbered ? Times::Any : Times::Numbered);
  }
  return out;
}

Json Normaliser::event(wire::DocumentView event) const { return document(event, Times::Numbered); }

Json Normaliser::document(wire::DocumentView document, Times times) const {
  Json out = Json::object();
  for (const auto& [name, value] : document) out[std::string(name)] = walk(value, name, times);
  return out;
}

Json Normaliser::walk(wire::ValueView value, std::string_view key, Times times) const {
  if (value.is(Type::Document))
    return document(value.as_document(), key == "$clusterTime" || key == "lastWrite" ? Times::Any : times);
  if (value.is(Type::Array)) {
    Json out = Json::array();
    for (const auto& [index, item] : value.as_document()) out.push_back(walk(item, key, times));
    return out;
  }
  if (contains(any_keys, key)) return any(shown_type(value));
  return scalar(value, key, times);
}

Json Normaliser::scalar(wire::ValueView value, std::string_view key, Times times) const {
  if (const auto found = text_of(value)) return key == "_data" ? token(*found) : text(*found);
  switch (value.type()) {
    case Type::Timestamp:
      return time(value, key, times);
    case Type::Binary:
      return binary(value);
    case Type::ObjectId:
      if (is_literal(value)) return plain(value);
      return volatile_leaf("objectId", wire::to_hex_lower(value.bytes()));
    case Type::DateTime: {
      // No difference of the two: a case may hold any date.
      const auto date = std::chrono::milliseconds(value.as_date_ms());
      const auto now = now_.time_since_epoch();
      const bool is_near = date > now - std::chrono::days(1) && date < now + std::chrono::days(1);
      return is_near ? any("date") : plain(value);
    }
    case Type::Int64:
      if ((key == "t" || key == "term") && value.as_int64() != -1) return any("long");
      if (contains(cursor_keys, key) && std::abs(value.as_int64()) > large_id_min)
        return volatile_leaf("cursorId", value.as_int64());
      return plain(value);
    default:
      return plain(value);
  }
}

Json Normaliser::time(wire::ValueView value, std::string_view key, Times times) const {
  if (is_literal(value) || value.as_timestamp().seconds < real_seconds_min) return plain(value);
  if (contains(time_keys, key) && times == Times::Numbered)
    return volatile_leaf("clusterTime", value.as_timestamp().bits());
  return any("timestamp");
}

Json Normaliser::binary(wire::ValueView value) const {
  const wire::BinaryView content = value.as_binary();
  if (is_long_run(chars(content.bytes))) return {{"$$bytes", content.bytes.size()}};
  if (content.subtype == subtype_uuid && !literals_.contains(literal_binary(content.bytes)))
    return volatile_leaf("uuid", wire::to_hex_lower(content.bytes));
  return plain(value);
}

Json Normaliser::text(std::string_view text) const {
  if (is_long_run(text)) return {{"$$string", text.size()}};
  return mask(text, host_);
}

Json Normaliser::token(std::string_view digits) const {
  Json out;
  try {
    out = decode_token(digits);
  } catch (const TokenError&) {
    return mask(digits, host_);
  }
  const Json& parts = out["clusterTime"]["$timestamp"];
  const wire::Timestamp time{parts["t"].get<std::uint32_t>(), parts["i"].get<std::uint32_t>()};
  if (time.seconds >= real_seconds_min && !literals_.contains(literal(time))) {
    const bool high_water_mark = out.value("tokenType", 128) == 0;
    out["clusterTime"] = high_water_mark ? any("timestamp") : volatile_leaf("clusterTime", time.bits());
  }
  if (out.contains("uuid") && !out["uuid"].is_null())
    out["uuid"] = volatile_leaf("uuid", Json(out["uuid"]["$binary"]["hex"]));
  for (const char* name : {"documentKey", "eventIdentifier"})
    if (out.contains(name)) out[name] = key_value(out[name]);
  return {{"$$token", std::move(out)}};
}

// What a token's document key holds, decoded: its chance values too are volatile.
Json Normaliser::key_value(const Json& value) const {
  const auto bytes = [](const Json& hex) { return wire::from_hex(hex.get<std::string>()).value_or(std::string()); };
  if (value.is_object()) {
    if (value.size() == 1 && value.contains("$oid") &&
        !literals_.contains(literal(Type::ObjectId, bytes_of(bytes(value["$oid"])))))
      return volatile_leaf("objectId", value["$oid"]);
    if (value.size() == 1 && value.contains("$binary") && value["$binary"]["subType"] == "04" &&
        !literals_.contains(literal_binary(bytes_of(bytes(value["$binary"]["hex"])))))
      return volatile_leaf("uuid", value["$binary"]["hex"]);
  }
  if (value.is_structured()) {
    Json out = value;
    for (auto& item : out.items()) item.value() = key_value(item.value());
    return out;
  }
  if (value.is_string() && is_long_run(value.get_ref<const std::string&>()))
    return {{"$$string", value.get_ref<const std::string&>().size()}};
  return value;
}

}  // namespace golden
