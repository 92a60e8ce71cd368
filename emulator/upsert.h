// What an upsert's query gives the document that is inserted. Knows no updates.
#pragma once

#include <cstdint>

#include "emulator/store/matcher.h"
#include "wire/document.h"

namespace emulator {

enum class QueryFields : std::uint8_t { IdOnly, All };

// The fields that the query says are equal to something, in order of their paths, nested by dots. Throws CommandError: 54 when two of
// them are one path or lie on one, 224 for $expr.
wire::Document query_fields(const Matcher& query, QueryFields which);
// `_id` in first place, when there is one.
wire::Document id_first(const wire::Document& document);

}  // namespace emulator
