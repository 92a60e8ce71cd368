// The builds after 6.0.27, each as it differs from the one before it.
#pragma once

#include <array>

#include "emulator/facts/facts.h"

namespace emulator {

inline constexpr std::array differences_7_0{
    Difference{"Tokens are of version 2", Evidence::Golden, "tokens of 6.0.5 and 6.0.27 with version 2",
               [](Facts& facts) { facts.token_version = 2; }},
    Difference{"391 is ReauthenticationRequired, 398 ShutdownClosedConnection", Evidence::Inferred,
               "error_codes.yml of 8.1-dev", [](Facts& facts) { facts.errors.names = ErrorFacts::Names::V7_0; }},
    Difference{"Update events under showExpandedEvents have disambiguatedPaths", Evidence::Source,
               "change_stream_event_transform.cpp of 8.1-dev; documented since 6.1",
               [](Facts& facts) { facts.events.disambiguated_paths = true; }},
};

inline constexpr std::array differences_8_0{
    Difference{"A multi-document insert is one applyOps entry: one cluster time, rising txnOpIndex, no lsid",
               Evidence::Source, "an article on 9.0.2; change_stream_unwind_transaction of 2026",
               [](Facts& facts) { facts.oplog.batched_inserts = true; }},
    Difference{"Tokens are of version 2 whatever $_generateV2ResumeTokens says", Evidence::Source,
               "the notes on resume tokens in the repository of 2026",
               [](Facts& facts) { facts.streams.version_2_only = true; }},
    Difference{"The bulkWrite command exists", Evidence::Source, "bulk_write.idl of 8.0"},
};

inline constexpr std::array differences_8_2{
    Difference{"Create events have nsType", Evidence::Source, "SERVER-97071 (8.1)",
               [](Facts& facts) { facts.events.ns_type = true; }},
    Difference{"$changeStream takes version, ignoreRemovedShards, supportedEvents, showCommitTimestamp",
               Evidence::Source, "document_source_change_stream.idl of 2026",
               [](Facts& facts) { facts.streams.options_of_8_1 = true; }},
    Difference{"fullDocument of update events stands last", Evidence::Inferred,
               "source of 2026; the first release that does so is not known",
               [](Facts& facts) { facts.events.full_document_last = true; }},
};

inline constexpr std::array differences_9_0{
    Difference{"Errors of an aggregate's first batch name the namespace", Evidence::Source, "an article on 9.0.2",
               [](Facts& facts) { facts.streams.executor_names_namespace = true; }},
};

}  // namespace emulator
