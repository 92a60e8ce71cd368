// The options of a $changeStream stage, read and checked as mongod does (facts §4.1, §4.2). Knows no events.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "emulator/profile.h"
#include "wire/document.h"
#include "wire/resume_token.h"

namespace emulator {

enum class FullDocumentMode { Default, UpdateLookup, WhenAvailable, Required };
enum class BeforeChangeMode { Off, WhenAvailable, Required };

struct StreamOptions {
  FullDocumentMode full_document = FullDocumentMode::Default;
  BeforeChangeMode before_change = BeforeChangeMode::Off;
  std::optional<wire::ResumeToken> resume;  // of resumeAfter or startAfter
  wire::Document resume_token;              // as the client gave it
  std::optional<wire::Timestamp> start_at;
  bool all_changes_for_cluster = false;
  bool show_expanded_events = false;
  bool show_system_events = false;
  bool shows_view_catalog = false;  // with it: system.views too (6.0.27)
  bool show_raw_update_description = false;
  bool hides_copies = false;  // inserts into the passing collection of a rename across databases (until 5.0)
};

// `stage` is {$changeStream: …}. Throws CommandError.
StreamOptions parse_stream_options(const wire::Element& stage, const Profile& profile);

}  // namespace emulator
