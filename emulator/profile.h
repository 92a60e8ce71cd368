// Each server build as a row of data: what it says and does where builds differ. Knows no requests.
#pragma once

#include <span>
#include <string_view>

namespace emulator {

// Where a difference is known from; `run --strict` fails a scenario that relied on Inferred.
enum class Evidence { Golden, Source, Inferred };

struct Profile {
  std::string_view name;     // "mongodb-7.0"
  std::string_view version;  // "7.0.14", what buildInfo says
  std::string_view git_version;
  int max_wire_version;
  int token_version;  // what the server emits by default: 1 up to 6.0, 2 from 6.1
  // Update events under showExpandedEvents carry disambiguatedPaths (6.1+).
  bool disambiguated_paths;
  // A multi-document insert is one applyOps entry (8.0+): one cluster time, rising txnOpIndex, no lsid.
  bool batched_inserts;
  // $changeStreamSplitLargeEvent exists.
  bool split_large_event;
  // Create events carry nsType (8.1+).
  bool ns_type;
  // fullDocument of update events stands last instead of before ns (8.2+).
  bool full_document_last;
  // How an error in the first batch of an aggregate is introduced; `{ns}` stands for the namespace.
  std::string_view aggregate_error_prefix;
  std::string_view history_lost_suffix;
  Evidence evidence;
  std::string_view evidence_text;  // one sentence: where its differences are known from
};

// All rows, oldest server first.
std::span<const Profile> all_profiles();
// nullptr when there is none of that name.
const Profile* find_profile(std::string_view name);
inline constexpr std::string_view default_profile = "mongodb-7.0";

}  // namespace emulator
