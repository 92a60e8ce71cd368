// The one place where bytes become BSON that the rest may trust.
#include <array>

#include "wire/document.h"

namespace wire {
namespace {

using Bytes = std::span<const std::uint8_t>;

// Walks one document without recursion: `ends_` holds where each open document ends.
class Checker {
 public:
  explicit Checker(Bytes bytes) : bytes_(bytes) {}

  std::optional<std::string> run(std::size_t* size_bytes) {
    if (!open(bytes_.size())) return fault_;
    const std::size_t size = ends_[0];
    while (depth_ > 0)
      if (!element()) return fault_;
    *size_bytes = size;
    return std::nullopt;
  }

 private:
  bool fail(std::string text) {
    fault_ = std::move(text) + " at byte " + std::to_string(at_);
    return false;
  }

  std::size_t left() const { return ends_[depth_ - 1] - at_; }

  bool length(std::size_t limit, std::uint32_t* value) {
    if (limit < 4) return fail("a length is cut off");
    std::memcpy(value, bytes_.data() + at_, 4);
    return true;
  }

  bool open(std::size_t limit) {
    std::uint32_t size = 0;
    if (!length(limit, &size)) return false;
    if (size < 5 || size > limit) return fail("invalid BSON object size " + std::to_string(static_cast<std::int32_t>(size)));
    if (depth_ == depth_max) return fail("BSON nested deeper than " + std::to_string(depth_max));
    if (bytes_[at_ + size - 1] != 0) return fail("BSON object not terminated with EOO");
    ends_[depth_++] = at_ + size;
    at_ += 4;
    return true;
  }

  bool name() {
    // The document's own final 00 ends no name.
    const void* nul = std::memchr(bytes_.data() + at_, 0, left() - 1);
    if (nul == nullptr) return fail("a field name does not end");
    at_ = static_cast<std::size_t>(static_cast<const std::uint8_t*>(nul) - bytes_.data()) + 1;
    return true;
  }

  bool skip(std::size_t size) {
    // The document's own final 00 is not part of a value.
    if (size >= left()) return fail("a value reaches past its document");
    at_ += size;
    return true;
  }

  bool text() {
    std::uint32_t size = 0;
    if (!length(left(), &size)) return false;
    if (size < 1 || size >= left() || left() - size < 5) return fail("invalid string length " + std::to_string(size));
    if (bytes_[at_ + 3 + size] != 0) return fail("a string does not end with NUL");
    return skip(4 + std::size_t{size});
  }

  bool binary() {
    std::uint32_t size = 0;
    if (!length(left(), &size)) return false;
    if (left() < 6 || size > left() - 6) return fail("invalid binary length " + std::to_string(size));
    if (bytes_[at_ + 4] == 2) {
      std::uint32_t inner = 0;
      if (size < 4) return fail("binary of subtype 2 without its inner length");
      std::memcpy(&inner, bytes_.data() + at_ + 5, 4);
      if (inner != size - 4) return fail("binary of subtype 2 with a wrong inner length");
    }
    return skip(5 + std::size_t{size});
  }

  bool code_with_scope() {
    std::uint32_t size = 0;
    std::uint32_t code = 0;
    const std::size_t start = at_;
    if (!length(left(), &size)) return false;
    if (size < 14 || size >= left()) return fail("invalid length of code with scope");
    at_ += 4;
    if (!length(size - 4, &code)) return false;
    if (code < 1 || code > size - 13 || bytes_[at_ + 3 + code] != 0) return fail("invalid code of code with scope");
    at_ += 4 + std::size_t{code};
    const std::size_t scope = start + size - at_;
    std::uint32_t scope_size = 0;
    if (!length(scope, &scope_size)) return false;
    if (scope_size != scope) return fail("invalid scope of code with scope");
    return open(scope);
  }

  bool element() {
    const auto type = static_cast<Type>(bytes_[at_]);
    if (at_ + 1 == ends_[depth_ - 1]) {
      ++at_;
      --depth_;
      return true;
    }
    if (type == Type::EndOfDocument) return fail("BSON object ends early");
    ++at_;
    return name() && value(type);
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
        if (left() > 1 && bytes_[at_] > 1) return fail("a boolean is neither 0 nor 1");
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
        return open(left() - (left() > 0 ? 1 : 0));
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
        return fail("unrecognized BSON type " + std::to_string(static_cast<int>(static_cast<std::int8_t>(type))));
    }
  }

  Bytes bytes_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::array<std::size_t, depth_max> ends_{};
  std::optional<std::string> fault_;
};

}  // namespace

std::optional<std::string> check_document(std::span<const std::uint8_t> bytes, std::size_t* size_bytes) {
  return Checker(bytes).run(size_bytes);
}

}  // namespace wire
