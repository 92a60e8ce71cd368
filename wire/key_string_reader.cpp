#include <cstring>

#include <fmt/format.h>

#include "wire/format_error.h"
#include "wire/key_string.h"
#include "wire/key_string_number.h"

namespace wire {
namespace {

std::string_view text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string_view raw(const std::uint32_t& value) { return {reinterpret_cast<const char*>(&value), sizeof value}; }

ValueView view_of(Type type, const std::string& bytes) {
  return {type, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}};
}

constexpr std::uint8_t old_binary_subtype = 2;

bool has_inner_length(std::span<const std::uint8_t> bytes) {
  std::uint32_t inner = 0;
  if (bytes.size() < sizeof inner) return false;
  std::memcpy(&inner, bytes.data(), sizeof inner);
  return inner == bytes.size() - sizeof inner;
}

class Decoder {
 public:
  Decoder(KeyBytes bytes, TypeBitsReader& type_bits) : bytes_(bytes), type_bits_(type_bits) {}
  std::span<const std::uint8_t> rest() const { return bytes_.rest(); }

  // The value after its type byte. `depth` counts the objects and arrays around it.
  Value value(std::uint8_t type, int depth) {
    if (is_key_number(type)) return read_key_number(type, bytes_, type_bits_);
    switch (type) {
      case key_byte::min_key:
        return Value::min_key();
      case key_byte::undefined:
        return ValueView(Type::Undefined, {});
      case key_byte::null:
        return Value::null();
      case key_byte::string: {
        const bool symbol = type_bits_.is_symbol();
        const std::string string = text();
        return symbol ? Value::symbol(string) : Value::string(string);
      }
      case key_byte::object:
        return Value::document(fields(depth + 1));
      case key_byte::array:
        return Value::array(items(depth + 1));
      case key_byte::binary:
        return binary();
      case key_byte::object_id:
        return object_id();
      case key_byte::bool_false:
      case key_byte::bool_true:
        return Value::boolean(type == key_byte::bool_true);
      case key_byte::date:
        return Value::date(static_cast<std::int64_t>(bytes_.uint64() ^ (std::uint64_t{1} << 63)));
      case key_byte::timestamp:
        return Value::timestamp(Timestamp::from_bits(bytes_.uint64()));
      case key_byte::regex: {
        const std::string_view pattern = text_of(bytes_.until_nul());
        return Value::regex(pattern, text_of(bytes_.until_nul()));
      }
      case key_byte::db_pointer:
        return db_pointer();
      case key_byte::code:
        return Value::code(text());
      case key_byte::code_with_scope:
        return code_with_scope(depth + 1);
      case key_byte::max_key:
        return Value::max_key();
      default:
        throw FormatError(50811, fmt::format("KeyString format error: Unknown type: {}", type));
    }
  }

 private:
  std::string text() {
    std::string out;
    for (;;) {
      out.append(text_of(bytes_.until_nul()));
      if (bytes_.empty() || bytes_.rest()[0] != 0xFF) return out;
      bytes_.take(1);
      out += '\0';
    }
  }

  void check_depth(int depth) {
    if (depth > depth_max)
      throw FormatError(15, "KeyString format error: KeyString encoding exceeded maximum allowable BSON nesting depth");
  }

  Document fields(int depth) {
    check_depth(depth);
    DocumentBuilder builder;
    // The byte before a name is that of the value's class; mongod does not check it against the value's own.
    while (bytes_.byte() != 0) {
      const std::string_view name = text_of(bytes_.until_nul());
      builder.append(name, value(bytes_.byte(), depth));
    }
    return builder.finish();
  }

  Document items(int depth) {
    check_depth(depth);
    DocumentBuilder builder;
    std::uint32_t index = 0;
    while (const std::uint8_t type = bytes_.byte()) builder.append(std::to_string(index++), value(type, depth));
    return builder.finish();
  }

  Value binary() {
    constexpr std::uint8_t long_size = 0xFF;
    std::size_t size = bytes_.byte();
    if (size == long_size) size = bytes_.uint32();
    const std::uint8_t subtype = bytes_.byte();
    const auto bytes = bytes_.take(size);
    // The old subtype repeats its length inside. mongod lets any bytes pass here; our documents are checked, so no key is lost.
    if (subtype == old_binary_subtype && !has_inner_length(bytes))
      throw FormatError(22, "Binary of subtype 2 with a wrong inner length");
    return Value::binary(subtype, bytes);
  }

  Value object_id() {
    ObjectId id;
    const auto bytes = bytes_.take(id.bytes.size());
    std::copy(bytes.begin(), bytes.end(), id.bytes.begin());
    return Value::object_id(id);
  }

  Value db_pointer() {
    const std::uint32_t size = bytes_.uint32();
    const std::string_view name = text_of(bytes_.take(size));
    const std::uint32_t length = static_cast<std::uint32_t>(size + 1);
    std::string out(raw(length));
    out.append(name).append(1, '\0').append(text_of(bytes_.take(12)));
    return view_of(Type::DbPointer, out);
  }

  Value code_with_scope(int depth) {
    const std::string code = text();
    const Document scope = fields(depth);
    const auto length = static_cast<std::uint32_t>(code.size() + 1);
    const auto whole = static_cast<std::uint32_t>(8 + length + scope.size());
    std::string out(raw(whole));
    out.append(raw(length)).append(code).append(1, '\0').append(text_of(scope.view().bytes()));
    return view_of(Type::JavaScriptWithScope, out);
  }

  KeyBytes bytes_;
  TypeBitsReader& type_bits_;
};

}  // namespace

const TypeBits KeyStringReader::no_type_bits;

std::optional<Value> KeyStringReader::next() {
  if (ended_ || rest_.empty()) return std::nullopt;
  KeyBytes bytes(rest_);
  std::uint8_t type = bytes.byte();
  // A discriminator before or after all keys with these values carries none itself.
  if (type == key_byte::less || type == key_byte::greater) type = bytes.byte();
  if (type == key_byte::end) {
    ended_ = true;
    return std::nullopt;
  }
  Decoder decoder(bytes, type_bits_);
  std::optional<Value> value = decoder.value(type, 0);
  rest_ = decoder.rest();
  return value;
}

}  // namespace wire
