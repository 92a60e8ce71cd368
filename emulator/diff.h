// Differences of documents as oplog entries carry them (`o: {$v: 2, diff: …}`): made by comparing, and applied.
// Knows no updates and no events.
#pragma once

#include <optional>

#include "wire/document.h"

namespace emulator {

// What `diff` holds so that apply_diff(pre, diff) gives `post`. nullopt: the difference is not smaller than `post` by MongoDB's
// estimate (doc_diff::computeOplogDiff), and the oplog has the whole document instead. Equal documents: the empty document.
std::optional<wire::Document> compute_diff(wire::DocumentView pre, wire::DocumentView post);

// The document after the difference. As mongod does, it passes over what does not fit `pre` (a nested difference of a field that
// is gone or of another type). Throws CommandError: 9 when `diff` is no difference, 10334 when the outcome grows over the limit.
wire::Document apply_diff(wire::DocumentView pre, wire::DocumentView diff);

// An array index as MongoDB reads one in a path: decimal digits without leading zeros. nullopt: a field name.
std::optional<std::size_t> strict_index(std::string_view name);

}  // namespace emulator
