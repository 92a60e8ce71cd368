// Each server build as a row of data: what it says and does where builds differ. Knows no requests.
#pragma once

#include <span>
#include <string_view>

namespace emulator {

// Where a difference is known from; `run --strict` fails a scenario that relied on Inferred.
enum class Evidence { Golden, Source, Inferred };

// Whose sentences a build says. The texts themselves stand beside the code that says them.
enum class Wording { V4_0, V4_2, V4_4, V5_0, V6_0, V6_0_27, V8_0, V9_0 };

// The facts, by group; each group has its own header in facts/.
struct EventFacts;
struct StreamFacts;
struct ImageFacts;
struct OplogFacts;
struct ReplyFacts;
struct ErrorFacts;
struct ExpressionFacts;
struct Facts;

// What one row says otherwise than the row it derives from.
struct Difference {
  std::string_view says;  // what this build does, one sentence
  Evidence evidence;
  std::string_view where;  // the golden case, or the source
  // Absent: rows of other tables say it (a command's or stage's wire versions, a text chosen by Wording).
  void (*apply)(Facts&) = nullptr;
};

struct Profile {
  std::string_view name;     // "mongodb-7.0"
  std::string_view version;  // "7.0.14", what buildInfo says
  std::string_view git_version;
  int max_wire_version;
  int token_version;  // what the server emits by default: 1 up to 6.0, 2 from 6.1
  Wording wording;
  const EventFacts& events;
  const StreamFacts& streams;
  const ImageFacts& images;
  const OplogFacts& oplog;
  const ReplyFacts& replies;
  const ErrorFacts& errors;
  const ExpressionFacts& expressions;
  std::string_view derived_from;  // the row beside it; empty for the one that all others derive from
  std::span<const Difference> differences;
  Evidence evidence;
  std::string_view evidence_text;  // one sentence: where its differences are known from
};

// All rows, oldest server first.
std::span<const Profile> all_profiles();
// nullptr when there is none of that name.
const Profile* find_profile(std::string_view name);
inline constexpr std::string_view default_profile = "mongodb-7.0";

}  // namespace emulator
