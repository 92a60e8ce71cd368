#include "tests/golden/case.h"

#include <algorithm>
#include <fstream>

#include "wire/extended_json.h"

namespace golden {
namespace {

const std::filesystem::path folder = std::filesystem::path(OPLOGUE_SOURCE_DIR) / "tests/golden";

void append_files(std::vector<CaseFile>& out, const std::filesystem::path& of, emulator::Topology topology) {
  for (const auto& entry : std::filesystem::directory_iterator(of))
    if (entry.path().extension() == ".json")
      out.push_back({.name = entry.path().stem().string(), .path = entry.path(), .topology = topology});
}

}  // namespace

std::vector<CaseFile> case_files() {
  std::vector<CaseFile> out;
  append_files(out, folder / "cases", emulator::Topology::ReplicaSet);
  append_files(out, folder / "standalone", emulator::Topology::Standalone);
  std::sort(out.begin(), out.end(), [](const CaseFile& a, const CaseFile& b) { return a.name < b.name; });
  return out;
}

Case load(const CaseFile& file) {
  std::ifstream in(file.path);
  Json json = Json::parse(in);
  Case out;
  out.name = file.name;
  out.topology = file.topology;
  out.expect = json.at("expect");
  json.erase("expect");
  out.body = wire::document_from_json(json.dump());
  return out;
}

}  // namespace golden
