// What mongod 4.2.6 says and does otherwise than 4.4.2, and 4.0 otherwise than that. Knows no code that asks.
#pragma once

#include <array>

#include "emulator/facts/facts.h"

namespace emulator {

inline constexpr std::array differences_4_2{
    Difference{"$project is checked by its paths first; the projections of find and findAndModify have no expressions",
               Evidence::Golden, "updates/updates_4_2.json"},
    Difference{"No pre-images: recordPreImages and fullDocumentBeforeChange are unknown", Evidence::Golden,
               "images-before-modes",
               [](Facts& facts) {
                 facts.images.pre_images = ImageFacts::PreImages::None;
                 facts.images.record_pre_images_option = false;
                 facts.streams.pre_images = false;
               }},
    Difference{"No ResumableChangeStreamError, no RetryableWriteError", Evidence::Golden,
               "failpoint-retryable-write-labels", [](Facts& facts) { facts.errors.resumable_labels = false; }},
    Difference{"10107 is NotMaster, 13435 NotMasterNoSlaveOk, 13436 NotMasterOrSecondary", Evidence::Golden,
               "failpoint-resumable-labels", [](Facts& facts) { facts.errors.names = ErrorFacts::Names::V4_2; }},
    Difference{"Lost history is 280", Evidence::Golden, "resume-start-at-too-old-raw",
               [](Facts& facts) {
                 facts.streams.history_lost_code = 280;
                 facts.streams.history_lost_suffix = " ";
                 facts.streams.lost_at_first_get_more = StreamFacts::LostAtFirstGetMore::Unnoticed;
               }},
    Difference{"Oplog: o last, h 0, v an int32", Evidence::Golden, "oplog-crud",
               [](Facts& facts) { facts.oplog.entry_form = OplogFacts::EntryForm::V4_2; }},
    Difference{"Index builds log createIndexes only", Evidence::Golden, "oplog-index-build-filled",
               [](Facts& facts) { facts.oplog.two_phase_index_builds = false; }},
    Difference{"A writeConcernError has no errInfo", Evidence::Golden, "write-concern-error",
               [](Facts& facts) { facts.replies.write_concern_in_error = false; }},
    Difference{"No hello, no topologyVersion", Evidence::Golden, "handshake-hello",
               [](Facts& facts) { facts.replies.topology_version = false; }},
    Difference{"create and createIndexes are refused in a transaction", Evidence::Golden, "transaction-create"},
    Difference{"failCommand does not read blockConnection, appName, errorLabels, errorExtraInfo", Evidence::Golden,
               "failpoint-block-errors"},
    Difference{"failGetMoreAfterCursorCheckout does not exist", Evidence::Golden, "failpoint-resumable-labels-after"},
    Difference{"comment is a field of aggregate, find, count and distinct alone", Evidence::Golden, "error-options"},
    Difference{"delete and findAndModify take no hint", Evidence::Golden, "read-hint"},
    Difference{"oplogReplay reads by the filter alone", Evidence::Golden, "tail-msg"},
    Difference{"A write to local.oplog.rs fails by its statements", Evidence::Golden, "oplog-write"},
    Difference{"$out takes a string and goes to the command's database, through a numbered collection",
               Evidence::Golden, "aggregate-merge-out"},
    Difference{"$out and $merge go to internal databases as to any other", Evidence::Golden, "aggregate-merge-out"},
    Difference{"Its own sentences", Evidence::Golden, "ddl-create-existing",
               [](Facts& facts) { facts.wording = Wording::V4_2; }},
};

inline constexpr std::array differences_4_0{
    Difference{"Oplog: h is a hash", Evidence::Source, "oplog_entry.idl of r4.0.9",
               [](Facts& facts) { facts.oplog.entry_form = OplogFacts::EntryForm::V4_0; }},
    Difference{"Its own sentences", Evidence::Inferred, "4.2.6 stands for 4.0",
               [](Facts& facts) { facts.wording = Wording::V4_0; }},
};

}  // namespace emulator
