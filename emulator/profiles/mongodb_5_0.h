// What mongod 5.0.4 says and does otherwise than 6.0.5. Knows no code that asks.
#pragma once

#include <array>

#include "emulator/facts/facts.h"

namespace emulator {

inline constexpr std::array differences_5_0{
    Difference{"Events have no wallTime", Evidence::Golden, "insert-many",
               [](Facts& facts) { facts.events.wall_time = false; }},
    Difference{"fullDocumentBeforeChange stands before ns", Evidence::Golden,
               "images-before-modes-enabled-record-pre-images",
               [](Facts& facts) { facts.events.pre_image_place = EventFacts::PreImagePlace::BeforeNs; }},
    Difference{"showExpandedEvents, showSystemEvents and showRawUpdateDescription are unknown", Evidence::Golden,
               "ddl-system-events", [](Facts& facts) { facts.streams.expanded_events = false; }},
    Difference{"fullDocument is default or updateLookup", Evidence::Golden, "images-full-document-modes",
               [](Facts& facts) { facts.streams.post_images = false; }},
    Difference{"$changeStream itself is parsed by hand, its options by a generated parser", Evidence::Golden,
               "error-argument", [](Facts& facts) { facts.streams.option_parser = StreamFacts::OptionParser::Idl50; }},
    Difference{
        "A cursor that lost its place before its first batch fails with 326", Evidence::Golden,
        "history-lost-oplog-rolls-over",
        [](Facts& facts) { facts.streams.lost_at_first_get_more = StreamFacts::LostAtFirstGetMore::MinTimestamp; }},
    Difference{"Version 2 tokens are not read", Evidence::Golden, "resume-token-version",
               [](Facts& facts) { facts.streams.token_version_read_max = 1; }},
    Difference{"A cursor does not say that its stream was invalidated", Evidence::Golden, "invalidate-get-more",
               [](Facts& facts) { facts.streams.invalidated_flag = false; }},
    Difference{"A token whose event the $match hides resumes", Evidence::Golden, "resume-pipeline-excludes-token-event",
               [](Facts& facts) { facts.streams.resumes_from_hidden_event = true; }},
    Difference{"A rename across databases shows no inserts into its passing collection", Evidence::Golden,
               "ddl-rename-across-databases", [](Facts& facts) { facts.streams.hides_copies = true; }},
    Difference{"Pre-images are recordPreImages: no-op entries of the oplog", Evidence::Golden,
               "oplog-images-record-pre-images",
               [](Facts& facts) { facts.images.pre_images = ImageFacts::PreImages::NoopEntries; }},
    Difference{"Oplog: no o2 on inserts; stmtId after wall", Evidence::Golden, "oplog-crud",
               [](Facts& facts) { facts.oplog.entry_form = OplogFacts::EntryForm::V5_0; }},
    Difference{"A retryable findAndModify logs its image as a no-op", Evidence::Golden, "oplog-retryable",
               [](Facts& facts) { facts.oplog.retry_images = OplogFacts::RetryImages::NoopEntry; }},
    Difference{"errmsg of a write error stands last", Evidence::Golden, "insert-duplicate-secondary",
               [](Facts& facts) { facts.replies.write_error_text = ReplyFacts::WriteErrorText::Last; }},
    Difference{"Replies do not name retried statements", Evidence::Golden, "transaction-retryable-writes",
               [](Facts& facts) { facts.replies.retried_statements = false; }},
    Difference{"63 is StaleShardVersion; codes above 345 have no or other names", Evidence::Golden,
               "failpoint-code-name", [](Facts& facts) { facts.errors.names = ErrorFacts::Names::V5_0; }},
    Difference{"No setClusterParameter, getClusterParameter; getLastError and OP_QUERY commands answer",
               Evidence::Golden, "images-cluster-parameter"},
    Difference{"OP_QUERY may name collections that no command may", Evidence::Golden, "legacy-is-master"},
    Difference{"$group has no $firstN, $lastN, $minN, $maxN, $top, $topN, $bottom, $bottomN", Evidence::Golden,
               "aggregate-accumulators"},
    Difference{"$merge into a database without a collection writes to one of that name and a dot", Evidence::Golden,
               "aggregate-merge-out"},
    Difference{"$lookup needs from", Evidence::Golden, "aggregate-lookup-facet-union"},
    Difference{"No $densify, no $fill", Evidence::Golden, "error-stages"},
    Difference{"Its own sentences, some of which end with a full stop", Evidence::Golden, "resume-several-options",
               [](Facts& facts) { facts.wording = Wording::V5_0; }},
};

}  // namespace emulator
