// Views and time-series collections: what they are in the catalog (documents of system.views, buckets) and in the oplog.
// Knows no commands.
#pragma once

#include <string_view>

#include "emulator/context.h"
#include "emulator/write.h"

namespace emulator {

// `options`: viewOn, pipeline, [collation].
void create_view(Context& context, Writer& writer, std::string_view name, wire::DocumentView options);
// `changes`: those of its options that become others.
void modify_view(Context& context, Writer& writer, Collection& view, wire::DocumentView changes);
// Of a time-series collection: its buckets go too.
void drop_view(Context& context, Writer& writer, Collection& view);
// `options`: timeseries {timeField, [metaField], [granularity]}, [expireAfterSeconds].
void create_time_series(Context& context, Writer& writer, std::string_view name, wire::DocumentView options);
// The collection that holds its buckets.
std::string buckets_of(std::string_view time_series);
// One measurement, as a bucket of its own.
Failure insert_measurement(Context& context, Writer& writer, const Collection& time_series,
                           const wire::Document& measurement);

}  // namespace emulator
