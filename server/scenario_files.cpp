#include "server/scenario_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "server/start_error.h"

namespace server {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 3> endings{".yaml", ".yml", ".json"};
constexpr std::size_t file_bytes_max = std::size_t{8} << 20;  // the largest scenario, and the end of a device

std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const bool is_scenario = std::ranges::find(endings, entry.path().extension().string()) != endings.end();
    if (is_scenario && entry.is_regular_file()) files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  return files;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 64 * 1024> piece;
  while (text.size() <= file_bytes_max && (file.read(piece.data(), piece.size()), file.gcount() > 0))
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  if (!file.is_open() || file.bad()) throw StartError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  if (text.size() > file_bytes_max) throw StartError(fmt::format("{} is larger than 8 MiB", path));
  return text;
}

}  // namespace

std::vector<std::string> find_scenario_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) throw StartError(fmt::format("there is no file or folder \"{}\"", path));
    if (fs::is_directory(status)) {
      std::ranges::move(files_below(path), std::back_inserter(files));
    } else {
      files.push_back(path);
    }
  }
  return files;
}

LoadedFiles load_scenario_files(const std::vector<std::string>& files, scenarios::Command command) {
  LoadedFiles all;
  for (const std::string& file : files) {
    scenarios::Loaded loaded = scenarios::load_scenario(file, read_file(file), command);
    for (const scenarios::Problem& problem : loaded.problems) all.problems.push_back(render(file, problem));
    std::ranges::move(loaded.scenarios, std::back_inserter(all.scenarios));
  }
  return all;
}

}  // namespace server
