// What mongod 6.0.27 says and does otherwise than 6.0.5. Knows no code that asks.
#pragma once

#include <array>

#include "emulator/facts/facts.h"

namespace emulator {

inline constexpr std::array differences_6_0_27{
    Difference{"$changeStreamSplitLargeEvent exists, and its streams make version 2 tokens", Evidence::Golden,
               "large-split-small-events", [](Facts& facts) { facts.streams.split_large_event = true; }},
    Difference{"40415 is IDLUnknownField, 40414 IDLFailedToParse, 384 ConnectionError, 378 NonConformantBSON",
               Evidence::Golden, "failpoint-code-name",
               [](Facts& facts) { facts.errors.names = ErrorFacts::Names::V6_0_27; }},
    Difference{"showSystemEvents shows the creation of system.views", Evidence::Golden, "ddl-system-events",
               [](Facts& facts) { facts.streams.shows_view_catalog = true; }},
    Difference{"the validator of time-series buckets knows control.count", Evidence::Golden, "ddl-system-events",
               [](Facts& facts) { facts.oplog.buckets_are_counted = true; }},
    Difference{"$unionWith refuses what is no pipeline as aggregate does", Evidence::Golden,
               "aggregate-lookup-facet-union", [](Facts& facts) { facts.errors.union_pipeline_as_aggregate = true; }},
    Difference{"134 and 384 have the label ResumableChangeStreamError", Evidence::Golden,
               "failpoint-resumable-labels-get-more",
               [](Facts& facts) { facts.errors.connection_error_is_resumable = true; }},
    Difference{"Its own sentences", Evidence::Golden, "updates/updates_6_0_27.json",
               [](Facts& facts) { facts.wording = Wording::V6_0_27; }},
    Difference{"A double converts to a string of as few digits as bring it back", Evidence::Golden,
               "updates/updates_6_0_27.json",
               [](Facts& facts) { facts.expressions.double_text = ExpressionFacts::DoubleText::Shortest; }},
    Difference{"$add goes from one argument to the next, and rounds to whole milliseconds", Evidence::Golden,
               "updates/updates_6_0_27.json",
               [](Facts& facts) { facts.expressions.arithmetic = ExpressionFacts::Arithmetic::V6_0_27; }},
};

}  // namespace emulator
