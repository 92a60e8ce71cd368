// The legacy requests, read in place: OP_QUERY and the opcodes that left with it. Knows their bytes, not what they ask.
// https://www.mongodb.com/docs/manual/legacy-opcodes/
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "wire/document.h"
#include "wire/header.h"

namespace wire {

enum class OpQueryFlag : std::uint32_t {
  TailableCursor = 1U << 1,
  SecondaryOk = 1U << 2,
  OplogReplay = 1U << 3,
  NoCursorTimeout = 1U << 4,
  AwaitData = 1U << 5,
  Exhaust = 1U << 6,
  Partial = 1U << 7,
};

// All views point into the frame; documents are checked; `collection` is the full name, "database.collection".
struct OpQuery {
  std::uint32_t flags = 0;
  std::string_view collection;
  std::int32_t skip = 0;
  std::int32_t number_to_return = 0;
  DocumentView query;
  std::optional<DocumentView> fields;

  bool has(OpQueryFlag flag) const { return (flags & static_cast<std::uint32_t>(flag)) != 0; }
};

struct OpGetMore {
  std::string_view collection;
  std::int32_t number_to_return = 0;
  std::int64_t cursor_id = 0;
};

// Flag bit 0: continue on error.
struct OpInsert {
  std::uint32_t flags = 0;
  std::string_view collection;
  std::vector<DocumentView> documents;
};

// Flag bit 0: upsert; bit 1: multi.
struct OpUpdate {
  std::string_view collection;
  std::uint32_t flags = 0;
  DocumentView selector;
  DocumentView update;
};

// Flag bit 0: only the first match.
struct OpDelete {
  std::string_view collection;
  std::uint32_t flags = 0;
  DocumentView selector;
};

struct OpKillCursors {
  std::vector<std::int64_t> cursor_ids;
};

// Each takes the whole frame. Throws Malformed when it is cut short, InvalidMessage{22} for invalid BSON, with the
// texts of mongod 6.0.5.
OpQuery decode_op_query(Frame frame);
OpGetMore decode_op_get_more(Frame frame);
OpInsert decode_op_insert(Frame frame);
OpUpdate decode_op_update(Frame frame);
OpDelete decode_op_delete(Frame frame);
OpKillCursors decode_op_kill_cursors(Frame frame);

}  // namespace wire
