#include "server/ready.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <utility>

#include "server/start_error.h"
#include "wire/extended_json.h"

namespace server {

namespace {

std::string quoted(std::string_view text) {
  std::string json;
  wire::append_json_string(json, text);
  return json;
}

}  // namespace

std::string ready_line(const scenarios::Ready& ready, std::string_view version, std::string_view control_url, int pid) {
  std::string members;
  for (const scenarios::Ready::Member& member : ready.members) {
    if (!members.empty()) members += ',';
    members += fmt::format(R"({{"name":{},"address":{}}})", quoted(member.name), quoted(member.address));
  }
  return fmt::format(
      R"({{"ready":1,"version":{},"deployment":{},"uri":{},"control":{},"members":[{}],"profile":{},"seed":{},"pid":{}}})",
      quoted(version), quoted(ready.deployment), quoted(ready.uri), control_url.empty() ? "null" : quoted(control_url),
      members, quoted(ready.profile), ready.seed, pid);
}

ReadyFile::ReadyFile(std::string path, std::string_view line) : path_(std::move(path)) {
  const std::string beside = fmt::format("{}.{}", path_, ::getpid());
  std::ofstream file(beside, std::ios::binary | std::ios::trunc);
  file << line << '\n';
  file.close();
  if (!file || std::rename(beside.c_str(), path_.c_str()) != 0) {
    const std::string reason = std::strerror(errno);
    std::remove(beside.c_str());
    throw StartError(fmt::format("--ready-file: cannot write {}: {}", path_, reason));
  }
}

ReadyFile::~ReadyFile() { std::remove(path_.c_str()); }

}  // namespace server
