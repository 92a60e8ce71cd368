#include "emulator/profile.h"

#include <array>

namespace emulator {
namespace {

constexpr std::string_view prefix_until_8 = "PlanExecutor error during aggregation :: caused by :: ";
constexpr std::string_view prefix_from_9 =
    "Executor error during aggregate command on namespace: {ns} :: caused by :: ";

constexpr std::array rows{
    Profile{.name = "mongodb-6.0",
            .version = "6.0.5",
            .git_version = "c9a99c120371d4d4c52cbb15dac34a36ce8d3b1d",
            .max_wire_version = 17,
            .token_version = 1,
            .disambiguated_paths = false,
            .batched_inserts = false,
            .split_large_event = false,
            .ns_type = false,
            .full_document_last = false,
            .aggregate_error_prefix = prefix_until_8,
            .history_lost_suffix = "",
            .evidence = Evidence::Golden,
            .evidence_text = "goldens recorded from mongod 6.0.5"},
    Profile{.name = "mongodb-7.0",
            .version = "7.0.14",
            .git_version = "ce59cfc6a3c5e5c067dca0d30697edd68d4f5188",
            .max_wire_version = 21,
            .token_version = 2,
            .disambiguated_paths = true,
            .batched_inserts = false,
            .split_large_event = true,
            .ns_type = false,
            .full_document_last = false,
            .aggregate_error_prefix = prefix_until_8,
            .history_lost_suffix = "",
            .evidence = Evidence::Source,
            .evidence_text = "server source of 7.0; version 2 tokens from mongod 6.0.5 and 6.0.27"},
    Profile{.name = "mongodb-9.0",
            .version = "9.0.2",
            .git_version = "",
            .max_wire_version = 29,
            .token_version = 2,
            .disambiguated_paths = true,
            .batched_inserts = true,
            .split_large_event = true,
            .ns_type = true,
            .full_document_last = true,
            .aggregate_error_prefix = prefix_from_9,
            .history_lost_suffix = "",
            .evidence = Evidence::Source,
            .evidence_text = "a measured article on 9.0.2 (tests/golden/seeds) and server source of 2026"},
};

}  // namespace

std::span<const Profile> all_profiles() { return rows; }

const Profile* find_profile(std::string_view name) {
  for (const Profile& row : rows)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace emulator
