#include "wire/resume_token.h"

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "wire/hex.h"
#include "wire/key_string.h"
#include "wire/value_text.h"

namespace wire {
namespace {

constexpr std::uint8_t uuid_subtype = 4;
constexpr std::size_t time_size_hex = 18;
// The key of an event with a short `_id`.
constexpr std::size_t key_bytes_usual = 96;

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

KeyString key_string_of(const ResumeToken& token) {
  KeyStringBuilder builder(key_bytes_usual);
  builder.append(Value::timestamp(token.cluster_time)).append(Value::int32(token.version));
  if (token.version >= 1) builder.append(Value::int32(static_cast<int>(token.kind)));
  if (token.txn_op_index == static_cast<std::int32_t>(token.txn_op_index))
    builder.append(Value::int32(static_cast<std::int32_t>(token.txn_op_index)));
  else
    builder.append(Value::int64(token.txn_op_index));
  if (token.version >= 1) builder.append(Value::boolean(token.from_invalidate));
  if (token.uuid)
    builder.append(Value::binary(uuid_subtype, *token.uuid));
  else if (token.version >= 2)
    builder.append(Value::null());
  if (token.event_identifier) builder.append(token.event_identifier);
  if (token.fragment_num) builder.append(Value::int32(*token.fragment_num));
  return builder.finish();
}

bool reads_version_2(TokenDialect dialect) { return dialect >= TokenDialect::Server60; }

// Takes the values of a token's key one after the other and says what is wrong with them.
class Fields {
 public:
  Fields(std::vector<Value> values, TokenDialect dialect) : values_(std::move(values)), dialect_(dialect) {}

  ResumeToken token() {
    ResumeToken token;
    // mongod takes any first value; what is no timestamp counts as 0.
    const ValueView time = next();
    if (time.is(Type::Timestamp)) token.cluster_time = time.as_timestamp();
    token.version = version();
    token.kind = token.version >= 1 ? kind() : ResumeToken::Kind::Event;
    token.txn_op_index = txn_op_index();
    if (token.version >= 1) token.from_invalidate = from_invalidate();
    token.uuid = uuid(token.version);
    token.event_identifier = event_identifier(token);
    if (token.version >= 2 && dialect_ == TokenDialect::Server60Split) token.fragment_num = fragment_num();
    if (!at_end()) throw FormatError(40646, "invalid oversized resume token");
    return token;
  }

 private:
  bool at_end() const { return at_ == values_.size(); }
  ValueView next() { return at_end() ? ValueView() : values_[at_++].view(); }
  ValueView expect(int code, const char* text) {
    if (at_end()) throw FormatError(code, text);
    return next();
  }

  int version() {
    const ValueView value = expect(50796, "Resume Token does not contain version");
    if (!value.is(Type::Int32)) throw FormatError(50854, "Invalid resume token: wrong type for version");
    const int version = value.as_int32();
    if (!reads_version_2(dialect_) && (version < 0 || version > 1))
      throw FormatError(50795, "Invalid Resume Token: only supports version 0 or 1");
    if (version < 0 || version > 2) throw FormatError(50795, "Invalid Resume Token: only supports version 0, 1 and 2");
    return version;
  }

  ResumeToken::Kind kind() {
    const ValueView value = expect(51055, "Resume Token does not contain tokenType");
    if (!value.is(Type::Int32)) throw FormatError(51056, "Resume Token tokenType is not an int.");
    const auto kind = static_cast<ResumeToken::Kind>(value.as_int32());
    if (kind != ResumeToken::Kind::HighWaterMark && kind != ResumeToken::Kind::Event)
      throw FormatError(51057, fmt::format("Token type {} not recognized", value.as_int32()));
    return kind;
  }

  std::int64_t txn_op_index() {
    const ValueView value = expect(50793, "Resume Token does not contain txnOpIndex");
    if (!value.is(Type::Int32) && !value.is(Type::Int64))
      throw FormatError(50855, "Resume Token txnOpIndex is not an integer");
    const std::int64_t index = value.is(Type::Int32) ? value.as_int32() : value.as_int64();
    // It is an int: what does not fit one is as wrong as a negative number.
    if (index < 0 || index != static_cast<std::int32_t>(index))
      throw FormatError(50794, "Invalid Resume Token: txnOpIndex should be non-negative");
    return index;
  }

  bool from_invalidate() {
    const ValueView value = expect(50872, "Resume Token does not contain fromInvalidate");
    if (!value.is(Type::Bool)) throw FormatError(50870, "Resume Token fromInvalidate is not a boolean.");
    return value.as_bool();
  }

  std::optional<Uuid> uuid(int version) {
    if (at_end()) {
      if (version >= 2) throw FormatError(6189500, "Expected UUID or null");
      return std::nullopt;
    }
    const ValueView value = next();
    if (version >= 2 && value.is(Type::Null)) return std::nullopt;
    Uuid uuid;
    if (!value.is(Type::Binary) || value.as_binary().subtype != uuid_subtype ||
        value.as_binary().bytes.size() != uuid.size())
      throw FormatError(207, "uuid must be a 16-byte binary field with UUID (4) subtype");
    std::memcpy(uuid.data(), value.as_binary().bytes.data(), uuid.size());
    return uuid;
  }

  Value event_identifier(const ResumeToken& token) {
    if (token.kind == ResumeToken::Kind::HighWaterMark) {
      if (!at_end()) throw FormatError(6189504, "Invalid high water mark token");
      return {};
    }
    if (at_end()) {
      if (token.version >= 2) throw FormatError(6189501, "Expected an eventIdentifier for an event resume token");
      return {};
    }
    const ValueView value = next();
    if (!value.is(Type::Document)) throw FormatError(6189503, "Resume Token eventIdentifier is not an object");
    return value;
  }

  std::optional<int> fragment_num() {
    if (at_end()) return std::nullopt;
    const ValueView value = next();
    if (!value.is(Type::Int32) || value.as_int32() < 0)
      throw FormatError(7182501, "Resume token 'fragmentNum' must be a non-negative integer.");
    return value.as_int32();
  }

  std::vector<Value> values_;
  TokenDialect dialect_;
  std::size_t at_ = 0;
};

std::vector<Value> values_of(std::string_view key, const TypeBits& type_bits, TokenDialect dialect) {
  constexpr std::string_view prefix = "KeyString format error: ";
  std::vector<Value> values;
  try {
    KeyStringReader reader(bytes_of(key), type_bits);
    while (std::optional<Value> value = reader.next()) values.push_back(*std::move(value));
  } catch (const FormatError& error) {
    const std::string_view text = error.what();
    if (dialect != TokenDialect::Server42 || !text.starts_with(prefix)) throw;
    throw FormatError(error.code(), std::string(text.substr(prefix.size())));
  }
  return values;
}

}  // namespace

ResumeToken high_water_mark(Timestamp cluster_time, int version) {
  ResumeToken token;
  token.cluster_time = cluster_time;
  token.version = version;
  return token;
}

Document encode(const ResumeToken& token) {
  const KeyString key = key_string_of(token);
  const std::string type_bits = key.type_bits.serialized();
  DocumentBuilder builder;
  builder.append_string("_data", to_hex(bytes_of(key.bytes)));
  if (!type_bits.empty()) builder.append_binary("_typeBits", 0, bytes_of(type_bits));
  return builder.finish();
}

ResumeToken decode_resume_token(DocumentView token, TokenDialect dialect) {
  const ValueView data = token["_data"];
  const ValueView type_bits = token["_typeBits"];
  if (!data.is(Type::String))
    throw FormatError(
        40647, "Bad resume token: _data of missing or of wrong type. Expected string, got " + document_text(token));
  if (type_bits && (!type_bits.is(Type::Binary) || type_bits.as_binary().subtype != 0))
    throw FormatError(40648, "Bad resume token: _typeBits of wrong type " + document_text(token));
  const std::optional<std::string> key = from_hex(data.as_string());
  if (!key) throw FormatError(9, "resume token string was not a valid hex string");
  std::vector<Value> values;
  if (!key->empty()) {
    const TypeBits bits = type_bits ? TypeBits::parse(type_bits.as_binary().bytes) : TypeBits();
    values = values_of(*key, bits, dialect);
  }
  if (values.empty()) throw FormatError(40649, "invalid empty resume token");
  return Fields(std::move(values), dialect).token();
}

std::strong_ordering compare_tokens(DocumentView left, DocumentView right) {
  const auto text_of = [](DocumentView token) {
    const ValueView data = token["_data"];
    std::string text(data.is(Type::String) ? data.as_string() : std::string_view());
    for (char& digit : text)
      if (digit >= 'a' && digit <= 'f') digit = static_cast<char>(digit - 'a' + 'A');
    return text;
  };
  return text_of(left).compare(text_of(right)) <=> 0;
}

namespace {

// An event's token, but for its time.
ResumeToken event_token(int version, const Uuid& uuid, std::string_view operation_type, DocumentView key) {
  ResumeToken token;
  token.version = version;
  token.kind = ResumeToken::Kind::Event;
  token.uuid = uuid;
  if (version < 2) {
    token.event_identifier = Value::document(key);
  } else {
    DocumentBuilder identifier;
    identifier.append_string("operationType", operation_type).append_document("documentKey", key);
    token.event_identifier = Value::document(identifier.view());
  }
  return token;
}

std::string type_bits_element(const ResumeToken& token) {
  const std::string type_bits = key_string_of(token).type_bits.serialized();
  DocumentBuilder builder;
  builder.append_binary("_typeBits", 0, bytes_of(type_bits));
  const std::span<const std::uint8_t> document = builder.view().bytes();
  return {document.begin() + 4, document.end() - 1};
}

constexpr char data_header[] = "\x02_data";

std::uint8_t* put(std::uint8_t* out, const void* bytes, std::size_t size) {
  std::memcpy(out, bytes, size);
  return out + size;
}

std::uint8_t* put_length(std::uint8_t* out, std::size_t length) {
  const auto value = static_cast<std::uint32_t>(length);
  return put(out, &value, sizeof value);
}

}  // namespace

EventTokenTemplate::EventTokenTemplate(int version, const Uuid& uuid, std::string_view operation_type) {
  // A whole token of an empty document key, cut where the time ends and where the key is.
  const std::string whole =
      to_hex(bytes_of(key_string_of(event_token(version, uuid, operation_type, Document())).bytes));
  // `46 00` is the empty key; the end byte and, in version 2, the identifier's end follow it.
  const std::size_t tail_size_hex = version >= 2 ? 4 : 2;
  before_key_ = whole.substr(time_size_hex, whole.size() - time_size_hex - 4 - tail_size_hex);
  after_key_ = whole.substr(whole.size() - tail_size_hex);
  // Type bits depend on the types alone.
  DocumentBuilder key;
  key.append_int64("_id", 1);
  type_bits_ = type_bits_element(event_token(version, uuid, operation_type, key.view()));
}

std::size_t EventTokenTemplate::data_size(const SimpleKey& key) const {
  return time_size_hex + before_key_.size() + 2 * key.encoded_bytes + after_key_.size();
}

std::size_t EventTokenTemplate::size(const SimpleKey& key) const {
  constexpr std::size_t around_data = 4 + sizeof data_header + 4 + 1 + 1;
  return around_data + data_size(key) + (key.has_type_bits() ? type_bits_.size() : 0);
}

std::uint8_t* EventTokenTemplate::write(std::uint8_t* out, Timestamp cluster_time, const SimpleKey& key) const {
  out = put_length(out, size(key));
  out = put(out, data_header, sizeof data_header);
  out = put_length(out, data_size(key) + 1);
  out = reinterpret_cast<std::uint8_t*>(write_data(reinterpret_cast<char*>(out), cluster_time, key));
  *out++ = 0;
  if (key.has_type_bits()) out = put(out, type_bits_.data(), type_bits_.size());
  *out++ = 0;
  return out;
}

char* EventTokenTemplate::write_data(char* out, Timestamp cluster_time, const SimpleKey& key) const {
  std::array<std::uint8_t, time_size_hex / 2> time{key_byte::timestamp};
  for (std::size_t i = 0; i < 8; ++i) time[i + 1] = static_cast<std::uint8_t>(cluster_time.bits() >> (56 - 8 * i));
  out = write_hex(out, time);
  std::memcpy(out, before_key_.data(), before_key_.size());
  out += before_key_.size();
  constexpr std::size_t stack_size = 128;
  std::array<std::uint8_t, stack_size> stack;
  if (key.encoded_bytes <= stack.size()) {
    const std::uint8_t* end = write_simple_key(stack.data(), key);
    out = write_hex(out, {stack.data(), end});
  } else {
    std::vector<std::uint8_t> heap(key.encoded_bytes);
    const std::uint8_t* end = write_simple_key(heap.data(), key);
    out = write_hex(out, {heap.data(), end});
  }
  std::memcpy(out, after_key_.data(), after_key_.size());
  return out + after_key_.size();
}

}  // namespace wire
