// The one place where bytes become BSON that the rest may trust.
#include <fmt/format.h>

#include <array>

#include "wire/document.h"

namespace wire {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr int invalid_bson = 22;
constexpr int overflow = 15;
constexpr std::size_t document_bytes_min = 5;

// As mongod escapes what it quotes in these errors.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

// The _id in a fault's text; mongod does not name documents and arrays, and the rare types are not worth their words.
std::string id_text(ValueView id) {
  switch (id.type()) {
    case Type::Int32:
      return fmt::format("_id: {}", id.as_int32());
    case Type::Int64:
      return fmt::format("_id: {}", id.as_int64());
    case Type::Double:
      return fmt::format("_id: {:#}", id.as_double());
    case Type::String:
      return fmt::format("_id: \\\"{}\\\"", escaped(id.as_string()));
    case Type::Bool:
      return id.as_bool() ? "_id: true" : "_id: false";
    case Type::Null:
      return "_id: null";
    case Type::DateTime:
      return fmt::format("_id: new Date({})", id.as_date_ms());
    case Type::ObjectId: {
      std::string hex;
      for (const std::uint8_t byte : id.bytes()) hex += fmt::format("{:02x}", byte);
      return "_id: ObjectId('" + hex + "')";
    }
    default:
      return "unknown _id";
  }
}

// Walks one document without recursion: `open_` holds where each open document ends, and the element that it is.
class Checker {
 public:
  explicit Checker(Bytes bytes) : bytes_(bytes) {}

  std::optional<DocumentFault> run(std::size_t* size_bytes) {
    if (!open_outermost()) return fault_;
    const std::size_t size = open_[0].end;
    while (depth_ > 0)
      if (!element()) return fault_;
    *size_bytes = size;
    return std::nullopt;
  }

 private:
  struct Open {
    std::size_t end;
    std::size_t name_at;
  };

  bool fail(std::string_view what, int code = invalid_bson) {
    fault_ = {code, fmt::format("{} in element with field name '{}' in object with {}", what, path(), id_text(id_))};
    return false;
  }

  // The name that begins there, however far it goes: it is what could not be read.
  std::string name_at(std::size_t at) const {
    const std::size_t end = std::min(bytes_.size(), open_[0].end);
    std::size_t stop = at;
    while (stop < end && bytes_[stop] != 0) ++stop;
    return escaped({reinterpret_cast<const char*>(bytes_.data()) + at, stop - at});
  }

  std::string path() const {
    if (!named_) return "?";
    std::string names;
    for (std::size_t i = 1; i < depth_; ++i) names += name_at(open_[i].name_at) + ".";
    return names + name_at(name_at_);
  }

  std::size_t end() const { return open_[depth_ - 1].end; }
  std::size_t left() const { return end() - at_; }

  // A value leaves its document: mongod sees the end of the message first, or the end of the document too late.
  bool fail_past(std::size_t size) {
    const std::size_t outermost_left = open_[0].end - at_;
    return fail(size >= outermost_left ? "BSON size is larger than buffer size" : "incorrect BSON length");
  }

  bool open_outermost() {
    std::uint32_t size = 0;
    if (bytes_.size() < document_bytes_min) return fail("BSON data has to be at least 5 bytes");
    std::memcpy(&size, bytes_.data(), sizeof size);
    if (static_cast<std::int32_t>(size) < static_cast<std::int32_t>(document_bytes_min))
      return fail("BSON data has to be at least 5 bytes");
    if (size > bytes_.size()) return fail("Incorrect BSON length");
    if (bytes_[size - 1] != 0) return fail("BSON object not terminated with EOO");
    open_[depth_++] = {size, 0};
    at_ = sizeof size;
    return true;
  }

  // The document at at_, of which at most `limit` bytes are there.
  bool open(std::size_t limit) {
    std::uint32_t size = 0;
    if (!length(&size)) return false;
    if (static_cast<std::int32_t>(size) < static_cast<std::int32_t>(document_bytes_min))
      return fail("Nested BSON object has to be at least 5 bytes");
    if (depth_ > std::size_t{depth_max}) return fail("BSONObj exceeds maximum nested object depth", overflow);
    if (size > limit) return fail("incorrect BSON length");
    open_[depth_++] = {at_ + size, name_at_};
    at_ += sizeof size;
    return true;
  }

  bool length(std::uint32_t* value) {
    if (left() <= sizeof *value) return fail_past(sizeof *value);
    std::memcpy(value, bytes_.data() + at_, sizeof *value);
    return true;
  }

  // The document's own final 00 ends no name and is no part of a value.
  bool name() {
    const void* nul = std::memchr(bytes_.data() + at_, 0, left() - 1);
    if (nul == nullptr) return fail_past(open_[0].end);
    at_ = static_cast<std::size_t>(static_cast<const std::uint8_t*>(nul) - bytes_.data()) + 1;
    return true;
  }

  bool skip(std::size_t size) {
    if (size >= left()) return fail_past(size);
    at_ += size;
    return true;
  }

  bool text() {
    std::uint32_t size = 0;
    if (!length(&size)) return false;
    if (size == 0) return fail("Not null terminated string");
    if (size >= left() - 4) return fail_past(4 + std::size_t{size});
    if (bytes_[at_ + 3 + size] != 0) return fail("Not null terminated string");
    return skip(4 + std::size_t{size});
  }

  bool binary() {
    std::uint32_t size = 0;
    if (!length(&size)) return false;
    if (5 + std::size_t{size} >= left()) return fail_past(5 + std::size_t{size});
    if (bytes_[at_ + 4] == 2) {
      // mongod lets this pass; here who reads the old subtype may rely on its inner length.
      std::uint32_t inner = 0;
      if (size >= 4) std::memcpy(&inner, bytes_.data() + at_ + 5, 4);
      if (size < 4 || inner != size - 4) return fail("Binary of subtype 2 with a wrong inner length");
    }
    return skip(5 + std::size_t{size});
  }

  bool code_with_scope() {
    std::uint32_t size = 0;
    std::uint32_t code = 0;
    const std::size_t start = at_;
    if (!length(&size)) return false;
    if (size >= left()) return fail_past(size);
    if (size < 14) return fail("incorrect BSON length");
    std::memcpy(&code, bytes_.data() + at_ + 4, sizeof code);
    if (code > size - 13) return fail("incorrect BSON length");
    if (code == 0 || bytes_[at_ + 7 + code] != 0) return fail("Not null terminated string");
    at_ += 8 + std::size_t{code};
    const std::size_t scope = start + size - at_;
    std::uint32_t scope_size = 0;
    std::memcpy(&scope_size, bytes_.data() + at_, sizeof scope_size);
    if (scope_size != scope) return fail("incorrect BSON length");
    return open(scope);
  }

  bool element() {
    const auto type = static_cast<Type>(bytes_[at_]);
    if (type == Type::EndOfDocument) {
      if (left() != 1) return fail("incorrect BSON length");
      ++at_;
      --depth_;
      return true;
    }
    if (left() == 1) return fail("incorrect BSON length");
    ++at_;
    name_at_ = at_;
    named_ = true;
    if (!name()) return false;
    const std::size_t value_at = at_;
    if (!value(type)) return false;
    if (depth_ == 1 && value_at - name_at_ == 4 && std::memcmp(bytes_.data() + name_at_, "_id", 3) == 0)
      id_ = {type, bytes_.subspan(value_at, at_ - value_at)};
    return true;
  }

  bool value(Type type) {
    switch (type) {
      case Type::Double:
      case Type::DateTime:
      case Type::Timestamp:
      case Type::Int64:
        return skip(8);
      case Type::Int32:
        return skip(4);
      case Type::Bool:
        if (left() > 1 && bytes_[at_] > 1) return fail("BSON bool is neither false nor true");
        return skip(1);
      case Type::ObjectId:
        return skip(12);
      case Type::Decimal128:
        return skip(16);
      case Type::String:
      case Type::JavaScript:
      case Type::Symbol:
        return text();
      case Type::Document:
      case Type::Array:
        return open(left() - 1);
      case Type::Binary:
        return binary();
      case Type::DbPointer:
        return text() && skip(12);
      case Type::Regex:
        return name() && name();
      case Type::JavaScriptWithScope:
        return code_with_scope();
      case Type::Undefined:
      case Type::Null:
      case Type::MinKey:
      case Type::MaxKey:
        return true;
      default:
        return fail(fmt::format("Unrecognized BSON type {}", static_cast<int>(type)));
    }
  }

  Bytes bytes_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  // Not initialised: zeroing it costs more than checking a small document.
  std::array<Open, depth_max + 1> open_;
  std::size_t name_at_ = 0;
  bool named_ = false;
  ValueView id_;
  std::optional<DocumentFault> fault_;
};

}  // namespace

std::optional<DocumentFault> check_document(std::span<const std::uint8_t> bytes, std::size_t* size_bytes) {
  return Checker(bytes).run(size_bytes);
}

}  // namespace wire
