// Buckets of time-series collections: measurements packed as columns, and unpacked again. Knows no commands.
#pragma once

#include <string_view>
#include <vector>

#include "wire/document.h"

namespace emulator {

// The measurements of one bucket, as $_internalUnpackBucket gives them: the time first, then the meta field, then the other fields.
// `series`: the collection's {timeField, [metaField], …}.
std::vector<wire::Document> unpack_bucket(wire::DocumentView bucket, wire::DocumentView series);
// A bucket that holds one measurement.
wire::Document pack_bucket(wire::DocumentView measurement, wire::DocumentView series, const wire::ObjectId& id);

}  // namespace emulator
