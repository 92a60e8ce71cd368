// What tells others that a deployment is ready: the line on stdout and the file. Knows no deployment beyond its Ready.
#pragma once

#include <string>
#include <string_view>

#include "scenarios/effect.h"

namespace server {

// One JSON document in one line, without its end: {"ready":1,"version":…,"deployment":…,"uri":…,"control":…,
// "members":[{"name","address"}],"profile":…,"seed":…,"pid":…}. `control_url` is null in it when empty.
std::string ready_line(const scenarios::Ready& ready, std::string_view version, std::string_view control_url, int pid);

// A file that is there, complete, from its writing until the end of this object.
class ReadyFile {
 public:
  // Writes it beside `path` and renames it. Throws StartError.
  ReadyFile(std::string path, std::string_view line);
  ~ReadyFile();
  ReadyFile(const ReadyFile&) = delete;
  ReadyFile& operator=(const ReadyFile&) = delete;

 private:
  std::string path_;
};

}  // namespace server
