// What opening, resuming and losing a change stream is like where builds differ. Knows no event documents.
#pragma once

#include <string_view>

namespace emulator {

struct StreamFacts {
  // What an option of $changeStream that is not an object or not known meets. ByHand: each has its own sentence (4.4 and
  // before). Idl50: a generated parser, whose names of codes are Location. Idl60: the stage's own argument is parsed so too.
  enum class OptionParser { ByHand, Idl50, Idl60 };
  // What a cursor says that lost its place before its first batch. PositionOfCursor: 286 with a label (6.0+). MinTimestamp:
  // 326 without one (4.4, 5.0). Unnoticed: it goes on (4.2).
  enum class LostAtFirstGetMore { Unnoticed, MinTimestamp, PositionOfCursor };
  // The code of lost history: 280 until 4.2, 286 after.
  int history_lost_code = 286;

  OptionParser option_parser = OptionParser::Idl60;
  LostAtFirstGetMore lost_at_first_get_more = LostAtFirstGetMore::PositionOfCursor;
  // showExpandedEvents, showSystemEvents, showRawUpdateDescription exist (6.0+).
  bool expanded_events = true;
  // fullDocument whenAvailable and required exist (6.0+).
  bool post_images = true;
  // fullDocumentBeforeChange exists (4.4+).
  bool pre_images = true;
  // $changeStreamSplitLargeEvent exists (6.0.9+).
  bool split_large_event = false;
  // The newest version of resume tokens that is read.
  int token_version_read_max = 2;
  // A cursor whose stream was invalidated says so (6.0+).
  bool invalidated_flag = true;
  // showSystemEvents shows the creation of system.views (6.0.27).
  bool shows_view_catalog = false;
  // Streams do not show the inserts into the passing collection of a rename across databases (until 5.0).
  bool hides_copies = false;
  // A stream goes on from a token although its $match hides the token's event (until 5.0); else 280.
  bool resumes_from_hidden_event = false;
  // What introduces an error of a first batch names the namespace (9.0; executor_error.h).
  bool executor_names_namespace = false;
  std::string_view history_lost_suffix{};
  // How an error of a getMore is introduced, and one of the scan below a change stream.
  std::string_view get_more_error_prefix = "Executor error during getMore :: caused by :: ";
  std::string_view scan_error_prefix{};
  // $_generateV2ResumeTokens: false asks for version 1 tokens in vain (8.0+).
  bool version_2_only = false;
  // version, ignoreRemovedShards, supportedEvents, showCommitTimestamp, matchCollectionUUIDForUpdateLookup exist (8.1+).
  bool options_of_8_1 = false;
};

}  // namespace emulator
