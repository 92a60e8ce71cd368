#include "emulator/profile.h"

#include <array>

#include "emulator/facts/facts.h"
#include "emulator/profiles/mongodb_4_2.h"
#include "emulator/profiles/mongodb_4_4.h"
#include "emulator/profiles/mongodb_5_0.h"
#include "emulator/profiles/mongodb_6_0_27.h"
#include "emulator/profiles/mongodb_7_0_and_later.h"

namespace emulator {
namespace {

constexpr Facts derived(Facts from, std::span<const Difference> differences) {
  for (const Difference& difference : differences)
    if (difference.apply != nullptr) difference.apply(from);
  return from;
}

// 6.0.5 is what most cases were recorded from: the older builds derive from it downwards, the newer ones upwards.
constexpr Facts facts_6_0{};
constexpr Facts facts_5_0 = derived(facts_6_0, differences_5_0);
constexpr Facts facts_4_4 = derived(facts_5_0, differences_4_4);
constexpr Facts facts_4_2 = derived(facts_4_4, differences_4_2);
constexpr Facts facts_4_0 = derived(facts_4_2, differences_4_0);
constexpr Facts facts_6_0_27 = derived(facts_6_0, differences_6_0_27);
constexpr Facts facts_7_0 = derived(facts_6_0_27, differences_7_0);
constexpr Facts facts_8_0 = derived(facts_7_0, differences_8_0);
constexpr Facts facts_8_2 = derived(facts_8_0, differences_8_2);
constexpr Facts facts_9_0 = derived(facts_8_2, differences_9_0);

struct Build {
  std::string_view name;
  std::string_view version;
  std::string_view git_version;
  int max_wire_version;
  std::string_view derived_from;
  std::span<const Difference> differences;
  Evidence evidence;
  std::string_view evidence_text;
};

constexpr Profile row(const Facts& facts, const Build& build) {
  return {.name = build.name,
          .version = build.version,
          .git_version = build.git_version,
          .max_wire_version = build.max_wire_version,
          .token_version = facts.token_version,
          .wording = facts.wording,
          .events = facts.events,
          .streams = facts.streams,
          .images = facts.images,
          .oplog = facts.oplog,
          .replies = facts.replies,
          .errors = facts.errors,
          .expressions = facts.expressions,
          .derived_from = build.derived_from,
          .differences = build.differences,
          .evidence = build.evidence,
          .evidence_text = build.evidence_text};
}

constexpr std::array rows{
    row(facts_4_0, {"mongodb-4.0", "4.0.28", "af1a9dc12adcfa83cc19571cb3faba26eeddac92", 7, "mongodb-4.2",
                    differences_4_0, Evidence::Source, "server source of 4.0; the rest as 4.2.6"}),
    row(facts_4_2, {"mongodb-4.2", "4.2.6", "20364840b8f1af16917e4c23c1b5f5efd8b352f8", 8, "mongodb-4.4",
                    differences_4_2, Evidence::Golden, "goldens recorded from mongod 4.2.6"}),
    row(facts_4_4, {"mongodb-4.4", "4.4.2", "15e73dc5738d2278b688f8929aee605fe4279b0e", 9, "mongodb-5.0",
                    differences_4_4, Evidence::Golden, "goldens recorded from mongod 4.4.2"}),
    row(facts_5_0, {"mongodb-5.0", "5.0.4", "62a84ede3cc9a334e8bc82160714df71e7d3a29e", 13, "mongodb-6.0",
                    differences_5_0, Evidence::Golden, "goldens recorded from mongod 5.0.4"}),
    row(facts_6_0, {"mongodb-6.0",
                    "6.0.5",
                    "c9a99c120371d4d4c52cbb15dac34a36ce8d3b1d",
                    17,
                    "",
                    {},
                    Evidence::Golden,
                    "goldens recorded from mongod 6.0.5"}),
    row(facts_6_0_27, {"mongodb-6.0.27", "6.0.27", "", 17, "mongodb-6.0", differences_6_0_27, Evidence::Golden,
                       "goldens recorded from mongod 6.0.27"}),
    row(facts_7_0,
        {"mongodb-7.0", "7.0.14", "ce59cfc6a3c5e5c067dca0d30697edd68d4f5188", 21, "mongodb-6.0.27", differences_7_0,
         Evidence::Source, "server source of 7.0; version 2 tokens from mongod 6.0.5 and 6.0.27"}),
    row(facts_8_0, {"mongodb-8.0", "8.0.0", "", 25, "mongodb-7.0", differences_8_0, Evidence::Source,
                    "server source of 8.0 and 8.1"}),
    row(facts_8_2, {"mongodb-8.2", "8.2.0", "", 27, "mongodb-8.0", differences_8_2, Evidence::Source,
                    "server source of 8.1 and of 2026"}),
    row(facts_9_0, {"mongodb-9.0", "9.0.2", "", 29, "mongodb-8.2", differences_9_0, Evidence::Source,
                    "a measured article on 9.0.2 (tests/golden/seeds) and server source of 2026"}),
};

}  // namespace

std::span<const Profile> all_profiles() { return rows; }

const Profile* find_profile(std::string_view name) {
  for (const Profile& row : rows)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace emulator
