// A golden case: what to send, and what a real server answered. The format is described in run_case.py.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "emulator/deployment_spec.h"
#include "tests/golden/tree.h"
#include "wire/document.h"

namespace golden {

struct Case {
  std::string name;
  emulator::Topology topology = emulator::Topology::ReplicaSet;
  wire::Document body;  // everything but `expect`
  Json expect;
};

struct CaseFile {
  std::string name;
  std::filesystem::path path;
  emulator::Topology topology = emulator::Topology::ReplicaSet;
};

// Those of cases/ and standalone/, by name.
std::vector<CaseFile> case_files();
Case load(const CaseFile& file);

}  // namespace golden
