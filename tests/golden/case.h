// A golden case: what to send, and what a real server answered. The format is described in run_case.py.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/deployment_spec.h"
#include "tests/golden/tree.h"
#include "wire/document.h"

namespace golden {

// A real server that cases were recorded from, and the profile that stands for it.
struct RecordedServer {
  std::string_view version;
  std::string_view profile;
};

inline constexpr RecordedServer mongod_6_0_5{"6.0.5", "mongodb-6.0"};
inline constexpr std::array recorded_servers{
    mongod_6_0_5, RecordedServer{"6.0.27", "mongodb-6.0.27"}, RecordedServer{"5.0.4", "mongodb-5.0"},
    RecordedServer{"4.4.2", "mongodb-4.4"}, RecordedServer{"4.2.6", "mongodb-4.2"}};

struct Case {
  std::string name;
  std::string profile{mongod_6_0_5.profile};
  emulator::Topology topology = emulator::Topology::ReplicaSet;
  wire::Document body;  // everything but `expect`
  Json expect;
};

struct CaseFile {
  std::string name;
  std::filesystem::path path;
  RecordedServer server = mongod_6_0_5;
  emulator::Topology topology = emulator::Topology::ReplicaSet;
};

// Those of a server, by name: its own, and those of 6.0.5 that it was asked too and answered alike (neither recorded anew nor left
// out).
std::vector<CaseFile> case_files(const RecordedServer& server);
Case load(const CaseFile& file);

// A list of cases, `name: reason` a line, from a file of tests/golden. Lines that start with # say nothing.
std::vector<std::pair<std::string, std::string>> named_cases(const std::filesystem::path& file);

}  // namespace golden
