// Resume tokens: where a change stream is, as the document that clients keep. Knows nothing of events and streams.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "wire/document.h"
#include "wire/format_error.h"
#include "wire/key_string.h"

namespace wire {

using Uuid = std::array<std::uint8_t, 16>;

struct ResumeToken {
  enum class Kind { HighWaterMark = 0, Event = 128 };

  Timestamp cluster_time;
  // 0: 4.0 before 4.0.7; 1: up to 6.0; 2: from 6.1 on, and in 6.0 where the event can be split.
  int version = 1;
  Kind kind = Kind::HighWaterMark;
  // The operation's index in its transaction; 0 outside.
  std::int64_t txn_op_index = 0;
  bool from_invalidate = false;
  std::optional<Uuid> uuid;
  // An object, or missing. Version 0 and 1: the document key; version 2: {operationType, documentKey | operationDescription}.
  Value event_identifier;
  // The fragment of a split event, from 0.
  std::optional<int> fragment_num;
};

ResumeToken high_water_mark(Timestamp cluster_time, int version);

// The token as a client sees it: {_data: upper-case hex} and, when some type bit is 1, _typeBits.
Document encode(const ResumeToken& token);

// What a server reads: the versions it knows, whether it knows fragments, and the words of its errors.
enum class TokenDialect {
  Server42,       // 4.2: versions 0 and 1, KeyString errors without their prefix
  Server44,       // 4.4 to 5.x
  Server60,       // 6.0.0 to 6.0.8: version 2 too
  Server60Split,  // 6.0.9 and later: fragments too
};

// Throws FormatError with the code and text of that server's `aggregate` (server-facts 1.9).
// As mongod does, it accepts lower-case digits, a missing end byte and anything after the end byte.
ResumeToken decode_resume_token(DocumentView token, TokenDialect dialect = TokenDialect::Server60Split);

// The order of tokens: of their `_data` alone, digits of either case. A token without `_data` comes first.
std::strong_ordering compare_tokens(DocumentView left, DocumentView right);

// Tokens of one collection's events outside transactions, all but time and document key prepared: for the hot path of event rendering.
class EventTokenTemplate {
 public:
  EventTokenTemplate(int version, const Uuid& uuid, std::string_view operation_type);
  // The size of encode()'s document for that key, which must be a simple one.
  std::size_t size(const SimpleKey& key) const;
  // Writes size(key) bytes, what encode() gives; returns the end.
  std::uint8_t* write(std::uint8_t* out, Timestamp cluster_time, const SimpleKey& key) const;

 private:
  std::size_t data_size(const SimpleKey& key) const;
  char* write_data(char* out, Timestamp cluster_time, const SimpleKey& key) const;

  // Hex: what follows the cluster time, and what follows the document key.
  std::string before_key_;
  std::string after_key_;
  // The element `_typeBits` of a token whose key has them.
  std::string type_bits_;
};

}  // namespace wire
