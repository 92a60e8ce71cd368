// OP_MSG, read in place and written. Knows sections, flags and the checksum, no command.
// https://github.com/mongodb/specifications/blob/master/source/message/OP_MSG.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "wire/document.h"
#include "wire/header.h"
#include "wire/payload.h"

namespace wire {

enum class OpMsgFlag : std::uint32_t {
  ChecksumPresent = 1U << 0,
  MoreToCome = 1U << 1,
  ExhaustAllowed = 1U << 16,
};
constexpr bool has(std::uint32_t flags, OpMsgFlag flag) { return (flags & static_cast<std::uint32_t>(flag)) != 0; }
constexpr std::uint32_t operator|(OpMsgFlag left, OpMsgFlag right) {
  return static_cast<std::uint32_t>(left) | static_cast<std::uint32_t>(right);
}

// The documents of a kind 1 section: checked, one behind the other. Keeps nothing alive.
class DocumentSequence {
 public:
  DocumentSequence() = default;
  DocumentSequence(std::string_view identifier, const std::uint8_t* first, const std::uint8_t* last, std::size_t count)
      : identifier_(identifier), first_(first), last_(last), count_(count) {}

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = DocumentView;
    using difference_type = std::ptrdiff_t;
    using pointer = const DocumentView*;
    using reference = DocumentView;
    Iterator() = default;
    explicit Iterator(const std::uint8_t* at) : at_(at) {}
    DocumentView operator*() const { return DocumentView(at_); }
    Iterator& operator++() {
      at_ += DocumentView(at_).size();
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator&) const = default;

   private:
    const std::uint8_t* at_ = nullptr;
  };

  // The command's field that the documents are: "documents", "updates", "deletes", …
  std::string_view identifier() const { return identifier_; }
  Iterator begin() const { return Iterator(first_); }
  Iterator end() const { return Iterator(last_); }
  std::size_t count() const { return count_; }
  bool empty() const { return count_ == 0; }

 private:
  std::string_view identifier_;
  const std::uint8_t* first_ = nullptr;
  const std::uint8_t* last_ = nullptr;
  std::size_t count_ = 0;
};

struct OpMsg {
  std::uint32_t flags = 0;
  DocumentView body;
  std::vector<DocumentSequence> sequences;

  bool has(OpMsgFlag flag) const { return wire::has(flags, flag); }
  // The sequence of that identifier, or null.
  const DocumentSequence* sequence(std::string_view identifier) const;
};

// Views into `frame`. Verifies checksum, flags, sections and every document.
// Throws Malformed: no flags, an unknown required flag (bits 0-15), a wrong checksum (mongod's 288: it closes).
// Throws InvalidMessage as mongod 6.0.5 answers: 22, 15 invalid BSON or lengths; 40430, 40431, 40433 a section or field
// twice; 40432 an unknown section, 13 a security token (kind 2); 40587 no body; 51252 no room for the checksum.
OpMsg decode_op_msg(Frame frame);

// The flags of an OP_MSG frame, 0 if it is cut short; needs no valid content.
std::uint32_t op_msg_flags(Frame frame);

// One message with `body` (a whole BSON document) as its only section; ChecksumPresent in `flags` appends the checksum.
Payload encode_op_msg(std::int32_t request_id, std::int32_t response_to, std::uint32_t flags, Payload body);

}  // namespace wire
