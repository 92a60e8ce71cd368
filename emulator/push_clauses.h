// What $push says beside its path. Knows no arrays.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "emulator/profile.h"
#include "wire/document.h"

namespace emulator {

// $sort: by the whole element (no keys) or by fields of it.
struct PushOrder {
  struct Key {
    std::string path;
    bool descending;
  };
  std::vector<Key> keys;
  bool descending = false;

  bool before(wire::ValueView left, wire::ValueView right) const;
};

// Throws CommandError 2.
PushOrder parse_push_order(wire::ValueView value, Wording wording);

struct PushClauses {
  std::vector<wire::ValueView> each;
  std::int64_t position = std::numeric_limits<std::int64_t>::max();
  std::optional<std::int64_t> slice;
  std::optional<PushOrder> order;
};

// The argument of $push: clauses when it has $each, else one value. Throws CommandError 2.
PushClauses parse_push_clauses(wire::ValueView argument, Wording wording);

}  // namespace emulator
