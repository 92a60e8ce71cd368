#include "tests/golden/case.h"

#include <fstream>
#include <map>
#include <set>

#include "wire/extended_json.h"

namespace golden {
namespace {

const std::filesystem::path folder = std::filesystem::path(OPLOGUE_SOURCE_DIR) / "tests/golden";

using Files = std::map<std::string, CaseFile>;

// A case that is there already gives way.
void insert_files(Files& out, const std::filesystem::path& of, const RecordedServer& server,
                  emulator::Topology topology) {
  if (!std::filesystem::exists(of)) return;
  for (const auto& entry : std::filesystem::directory_iterator(of)) {
    if (entry.path().extension() != ".json") continue;
    const std::string name = entry.path().stem().string();
    out.insert_or_assign(name, CaseFile{.name = name, .path = entry.path(), .server = server, .topology = topology});
  }
}

}  // namespace

std::vector<CaseFile> case_files(const RecordedServer& server) {
  Files files;
  insert_files(files, folder / "cases", server, emulator::Topology::ReplicaSet);
  insert_files(files, folder / "standalone", server, emulator::Topology::Standalone);
  if (server.version != mongod_6_0_5.version) {
    std::set<std::string> asked;
    for (const auto& [name, of] : named_cases("versions/asked.txt")) asked.insert(name);
    std::erase_if(files, [&asked](const auto& file) { return !asked.contains(file.first); });
    const std::filesystem::path own = folder / "versions" / server.version;
    insert_files(files, own / "cases", server, emulator::Topology::ReplicaSet);
    insert_files(files, own / "legacy", server, emulator::Topology::ReplicaSet);
    insert_files(files, own / "standalone", server, emulator::Topology::Standalone);
    for (const auto& [name, reason] : named_cases("versions/" + std::string(server.version) + "/left_out.txt"))
      files.erase(name);
  }
  std::vector<CaseFile> out;
  out.reserve(files.size());
  for (auto& [name, file] : files) out.push_back(std::move(file));
  return out;
}

Case load(const CaseFile& file) {
  std::ifstream in(file.path);
  Json json = Json::parse(in);
  Case out;
  out.name = file.name;
  out.profile = file.server.profile;
  out.topology = file.topology;
  out.expect = json.at("expect");
  json.erase("expect");
  out.body = wire::document_from_json(json.dump());
  return out;
}

std::vector<std::pair<std::string, std::string>> named_cases(const std::filesystem::path& file) {
  std::vector<std::pair<std::string, std::string>> out;
  std::ifstream in(folder / file);
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with('#') || colon == std::string::npos) continue;
    out.emplace_back(line.substr(0, colon), line.substr(colon + 2));
  }
  return out;
}

}  // namespace golden
