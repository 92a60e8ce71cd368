#include "tools/token.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "server/options.h"
#include "server/start_error.h"
#include "wire/extended_json.h"
#include "wire/format_error.h"
#include "wire/resume_token.h"

namespace tools {

namespace {

constexpr std::string_view event_kind = "event";
constexpr std::string_view high_water_mark_kind = "highWaterMark";

// The one form of a token's content, printed and read.
wire::Document description(const wire::ResumeToken& token) {
  wire::DocumentBuilder builder;
  builder.begin_document("clusterTime")
      .append_int64("t", token.cluster_time.seconds)
      .append_int64("i", token.cluster_time.increment)
      .end();
  builder.append_int32("version", token.version);
  builder.append_string("kind", token.kind == wire::ResumeToken::Kind::Event ? event_kind : high_water_mark_kind);
  builder.append_int64("txnOpIndex", token.txn_op_index);
  builder.append_bool("fromInvalidate", token.from_invalidate);
  if (token.uuid) builder.append_binary("uuid", 4, *token.uuid);
  if (token.event_identifier) builder.append("eventIdentifier", token.event_identifier);
  if (token.fragment_num) builder.append_int32("fragmentNum", *token.fragment_num);
  return builder.finish();
}

[[noreturn]] void refuse(std::string_view field, std::string_view wanted) {
  throw server::StartError(fmt::format("--encode: \"{}\" must be {}", field, wanted));
}

std::int64_t whole_number(std::string_view field, wire::ValueView value) {
  if (value.is(wire::Type::Int32)) return value.as_int32();
  if (value.is(wire::Type::Int64)) return value.as_int64();
  refuse(field, "a whole number");
}

wire::Timestamp cluster_time(wire::ValueView value) {
  if (value.is(wire::Type::Timestamp)) return value.as_timestamp();
  if (!value.is(wire::Type::Document)) refuse("clusterTime", "{t: SECONDS, i: INCREMENT}");
  wire::Timestamp time;
  for (const auto& [name, part] : value.as_document()) {
    const std::int64_t number = whole_number("clusterTime", part);
    const bool is_seconds = name == "t";
    if ((!is_seconds && name != "i") || number < 0 || number > std::numeric_limits<std::uint32_t>::max()) {
      refuse("clusterTime", "{t: SECONDS, i: INCREMENT}");
    }
    (is_seconds ? time.seconds : time.increment) = static_cast<std::uint32_t>(number);
  }
  return time;
}

wire::Uuid uuid(wire::ValueView value) {
  wire::Uuid uuid{};
  if (!value.is(wire::Type::Binary) || value.as_binary().bytes.size() != uuid.size()) refuse("uuid", "a UUID");
  std::ranges::copy(value.as_binary().bytes, uuid.begin());
  return uuid;
}

void set_field(wire::ResumeToken& token, std::string_view name, wire::ValueView value) {
  using Kind = wire::ResumeToken::Kind;
  if (name == "clusterTime") {
    token.cluster_time = cluster_time(value);
  } else if (name == "version") {
    const std::int64_t version = whole_number(name, value);
    if (version < 0 || version > 2) refuse(name, "0, 1 or 2");
    token.version = static_cast<int>(version);
  } else if (name == "kind") {
    const std::string_view kind = value.is(wire::Type::String) ? value.as_string() : std::string_view();
    if (kind != event_kind && kind != high_water_mark_kind) refuse(name, "\"event\" or \"highWaterMark\"");
    token.kind = kind == event_kind ? Kind::Event : Kind::HighWaterMark;
  } else if (name == "txnOpIndex") {
    token.txn_op_index = whole_number(name, value);
  } else if (name == "fromInvalidate") {
    if (!value.is(wire::Type::Bool)) refuse(name, "true or false");
    token.from_invalidate = value.as_bool();
  } else if (name == "uuid") {
    token.uuid = uuid(value);
  } else if (name == "eventIdentifier") {
    if (!value.is(wire::Type::Document)) refuse(name, "a document");
    token.event_identifier = value;
  } else if (name == "fragmentNum") {
    token.fragment_num = static_cast<int>(whole_number(name, value));
  } else {
    const std::vector<std::string_view> fields{
        "clusterTime", "version", "kind", "txnOpIndex", "fromInvalidate", "uuid", "eventIdentifier", "fragmentNum"};
    throw server::StartError(
        fmt::format("--encode: there is no field \"{}\"{}", name, server::suggestion(name, fields)));
  }
}

}  // namespace

std::string token_text(const std::string& hex) {
  try {
    wire::DocumentBuilder token;
    token.append_string("_data", hex);
    return wire::to_json(description(wire::decode_resume_token(token.view())), wire::JsonForm::Relaxed) + "\n";
  } catch (const wire::FormatError& error) {
    throw server::StartError(fmt::format("token: \"{}\" is no resume token: {}", hex, error.what()));
  }
}

std::string token_from(const std::string& json) {
  try {
    const wire::Document document = wire::document_from_json(json);
    wire::ResumeToken token;
    for (const auto& [name, value] : document.view()) set_field(token, name, value);
    return wire::to_json(wire::encode(token), wire::JsonForm::Relaxed);
  } catch (const wire::JsonError& error) {
    throw server::StartError(fmt::format("--encode: {}", error.what()));
  } catch (const wire::FormatError& error) {
    throw server::StartError(fmt::format("--encode: {}", error.what()));
  }
}

}  // namespace tools
