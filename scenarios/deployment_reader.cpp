#include "scenarios/deployment_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "emulator/profile.h"

namespace scenarios {
namespace {

using emulator::Topology;

constexpr std::string_view words[] = {"profile",       "topology",   "members",    "seed", "clock",
                                      "eventBytesMax", "cursorsMax", "oplogStart", "auth"};
constexpr std::string_view topologies[] = {"replicaSet", "standalone", "sharded", "loadBalanced"};

void read_profile(Reader& reader, const Node& node, emulator::DeploymentSpec& spec) {
  spec.profile = reader.text(node, "profile");
  if (node.text() == nullptr || emulator::find_profile(spec.profile) != nullptr) return;
  std::vector<std::string_view> known;
  for (const emulator::Profile& profile : emulator::all_profiles()) known.push_back(profile.name);
  reader.unknown(node.at, "profile", spec.profile, known);
}

void read_topology(Reader& reader, const Node& node, emulator::DeploymentSpec& spec) {
  const std::string name = reader.text(node, "topology");
  const auto* found = std::ranges::find(topologies, name);
  if (found == std::end(topologies))
    reader.unknown(node.at, "topology", name, topologies);
  else
    spec.topology = static_cast<Topology>(found - std::begin(topologies));
}

void read_clock(Reader& reader, const Node& node, emulator::DeploymentSpec& spec) {
  const std::string text = reader.text(node, "clock");
  if (text == "system")
    spec.held_clock.reset();
  else if (const auto instant = parse_instant(text))
    spec.held_clock = *instant;
  else
    reader.problem(node.at, "clock is system or an instant as 2026-01-01T00:00:00Z");
}

// USER:PASSWORD, or a list of them; an empty list: nobody can log in yet.
void read_auth(Reader& reader, const Node& node, emulator::DeploymentSpec& spec) {
  spec.authentication = emulator::Authentication::On;
  const auto add = [&](const Node& user) {
    const std::string text = reader.text(user, "auth");
    if (user.text() == nullptr) return;
    if (const auto parsed = parse_user(text))
      spec.users.push_back(*parsed);
    else
      reader.problem(user.at, "auth is USER:PASSWORD, neither of them empty, or a list of these");
  };
  if (node.text() != nullptr) return add(node);
  for (const Node& user : reader.list(node, "auth")) add(user);
}

}  // namespace

std::optional<emulator::RootUser> parse_user(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size()) return std::nullopt;
  return emulator::RootUser{std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
}

emulator::SystemTime held_clock_default() {
  return std::chrono::sys_days(std::chrono::year(2026) / std::chrono::January / 1);
}

std::optional<emulator::SystemTime> parse_instant(std::string_view text) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, used = 0;
  const std::string terminated(text);
  const int date = std::sscanf(terminated.c_str(), "%4d-%2d-%2d%n", &year, &month, &day, &used);
  if (date != 3) return std::nullopt;
  const std::chrono::year_month_day ymd{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                        std::chrono::day(static_cast<unsigned>(day))};
  if (month < 1 || day < 1 || !ymd.ok()) return std::nullopt;
  if (static_cast<std::size_t>(used) != text.size()) {
    int clock_used = 0;
    const int clock = std::sscanf(terminated.c_str() + used, "T%2d:%2d:%2dZ%n", &hour, &minute, &second, &clock_used);
    if (clock != 3 || clock_used == 0 || static_cast<std::size_t>(used + clock_used) != text.size())
      return std::nullopt;
    if (hour > 23 || minute > 59 || second > 59) return std::nullopt;
  }
  return std::chrono::sys_days(ymd) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second);
}

void read_deployment(Reader& reader, const Node& node, emulator::DeploymentSpec& spec) {
  const Words deployment(reader, node, "deployment", words);
  if (!deployment.is_map()) return;
  if (const Node* profile = deployment.find("profile")) read_profile(reader, *profile, spec);
  if (const Node* topology = deployment.find("topology")) read_topology(reader, *topology, spec);
  if (const Node* clock = deployment.find("clock")) read_clock(reader, *clock, spec);
  if (const Node* members = deployment.find("members")) {
    spec.members.clear();
    for (const Node& member : reader.list(*members, "members")) spec.members.push_back(reader.text(member, "a member"));
    if (spec.members.empty()) reader.problem(members->at, "members needs at least one");
  }
  if (const Node* seed = deployment.find("seed")) spec.seed = static_cast<std::uint64_t>(reader.count(*seed, "seed"));
  if (const Node* bytes = deployment.find("eventBytesMax"))
    spec.event_bytes_max = static_cast<std::size_t>(reader.count(*bytes, "eventBytesMax"));
  if (const Node* cursors = deployment.find("cursorsMax"))
    spec.cursors_max = static_cast<std::size_t>(reader.count(*cursors, "cursorsMax"));
  if (const Node* auth = deployment.find("auth")) read_auth(reader, *auth, spec);
  if (const Node* start = deployment.find("oplogStart")) {
    static constexpr std::string_view starts[] = {"fresh", "rolled"};
    const std::string text = reader.text(*start, "oplogStart");
    if (text == "rolled")
      spec.oplog_start = emulator::OplogStart::Rolled;
    else if (text != "fresh")
      reader.unknown(start->at, "oplogStart", text, starts);
  }
}

}  // namespace scenarios
