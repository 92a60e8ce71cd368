// What mongod 4.4.2 says and does otherwise than 5.0.4. Knows no code that asks.
#pragma once

#include <array>

#include "emulator/facts/facts.h"

namespace emulator {

inline constexpr std::array differences_4_4{
    Difference{
        "Arithmetic fails with codes of its own, one a case; $subtract and $divide evaluate the left operand first",
        Evidence::Golden, "updates/updates_4_4.json"},
    Difference{"updateDescription has no truncatedArrays", Evidence::Golden, "update-set"},
    Difference{"Updates are logged as {$v: 1, $set, $unset}", Evidence::Golden, "oplog-diff-format",
               [](Facts& facts) { facts.oplog.update_form = OplogFacts::UpdateForm::SetAndUnset; }},
    Difference{"A pipeline update is logged as a whole document", Evidence::Golden, "find-and-modify-pipeline",
               [](Facts& facts) { facts.oplog.pipeline_updates = OplogFacts::PipelineUpdates::Whole; }},
    Difference{"A capped collection's evictions are no events", Evidence::Golden, "capped-insert-evict",
               [](Facts& facts) { facts.oplog.capped_evictions = false; }},
    Difference{"The default write concern is w: 1: what follows a write at once may not see it", Evidence::Golden,
               "oplog-tail, transaction-prepared-too-early", [](Facts& facts) { facts.oplog.settling_ms = 50; }},
    Difference{"Oplog: wall before v", Evidence::Golden, "oplog-crud",
               [](Facts& facts) { facts.oplog.entry_form = OplogFacts::EntryForm::V4_4; }},
    Difference{"Write replies: nModified after n, opTime before electionId, writeConcernError after ok",
               Evidence::Golden, "update-set",
               [](Facts& facts) { facts.replies.write_order = ReplyFacts::WriteOrder::V4_4; }},
    Difference{"hello does not say helloOk", Evidence::Golden, "handshake-hello",
               [](Facts& facts) { facts.replies.hello_ok = false; }},
    Difference{"Error replies: operationTime before ok", Evidence::Golden, "error-argument",
               [](Facts& facts) { facts.replies.error_order = ReplyFacts::ErrorOrder::V4_4; }},
    Difference{"$changeStream's options are parsed by hand", Evidence::Golden, "images-full-document-modes",
               [](Facts& facts) { facts.streams.option_parser = StreamFacts::OptionParser::ByHand; }},
    Difference{"317 and 10058 have no name, 317 no label", Evidence::Golden, "failpoint-resumable-labels-aggregate",
               [](Facts& facts) { facts.errors.names = ErrorFacts::Names::V4_4; }},
    Difference{"collMod looks for the collection before it reads its options", Evidence::Golden,
               "images-create-errors"},
    Difference{"A failed validation has no errInfo", Evidence::Golden, "validation-details"},
    Difference{"Collations and $collStats are parsed by hand", Evidence::Golden,
               "collation-latin, aggregate-lookup-facet-union"},
    Difference{"An index names its collection in E11000 as it was called when the index was made", Evidence::Golden,
               "aggregate-target-and-place"},
    Difference{"$lookup with a pipeline has no localField; $unionWith needs coll", Evidence::Golden,
               "aggregate-lookup-facet-union"},
    Difference{"Explains have no explainVersion, command and serverParameters", Evidence::Golden, "legacy-query"},
    Difference{"Its own sentences, mostly without the executor's prefix", Evidence::Golden,
               "resume-event-token-too-old",
               [](Facts& facts) {
                 facts.wording = Wording::V4_4;
                 facts.streams.get_more_error_prefix = "";
                 facts.streams.scan_error_prefix = "Error in $cursor stage :: caused by :: ";
               }},
};

}  // namespace emulator
