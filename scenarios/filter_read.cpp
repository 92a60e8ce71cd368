#include <algorithm>

#include "emulator/commands/table.h"
#include "scenarios/filter.h"
#include "scenarios/values.h"

namespace scenarios {
namespace {

constexpr std::string_view words[] = {"command", "ns",      "stream", "request", "connection", "app",   "member",
                                      "from",    "carries", "like",   "matches", "reply",      "events"};
constexpr std::string_view openings[] = {"resumeAfter", "startAfter", "startAtOperationTime", "nothing"};
constexpr std::string_view bounds[] = {"$$gte", "$$gt", "$$lte", "$$lt"};

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return out;
}

// The name under which the journal keeps the command, in lower case; empty: no server has it.
std::string canonical_command(std::string_view name) {
  const std::string wanted = lower(name);
  for (const emulator::CommandSpec* spec : emulator::all_commands()) {
    if (lower(spec->name) == wanted) return wanted;
    for (const std::string_view alias : spec->aliases)
      if (!alias.empty() && lower(alias) == wanted) return lower(spec->name);
  }
  return {};
}

void read_commands(Reader& reader, const Node& node, Filter& filter) {
  for (const std::string& name : reader.texts(node, "command")) {
    if (name == "open") {
      filter.commands.push_back(name);
      continue;
    }
    const std::string canonical = canonical_command(name);
    // A command that Oplogue does not have can still be sent, and awaited; a slip is more likely.
    std::vector<std::string_view> known{"open"};
    for (const emulator::CommandSpec* spec : emulator::all_commands()) known.push_back(spec->name);
    if (canonical.empty() && !name.empty() && !nearest(name, known).empty())
      reader.unknown(node.at, "command", name, known);
    filter.commands.push_back(canonical.empty() ? lower(name) : canonical);
  }
}

void read_carries(Reader& reader, const Node& node) {
  if (const std::string* text = node.text()) {
    if (*text != "any" && *text != "none") reader.use_name(node, "carries");
    return;
  }
  if (node.list() != nullptr) {
    for (const Node& item : *node.list()) read_carries(reader, item);
    return;
  }
  Words bounded(reader, node, "carries", bounds);
  if (node.map() == nullptr) return;
  for (const auto& [key, name] : *node.map()) reader.use_name(name, key.name);
}

void read_events(Reader& reader, const Node& node) {
  if (const auto* special = node.special(); special != nullptr && special->first.name == "$$contains") {
    for (const Node& name : reader.list(special->second, "$$contains")) reader.use_name(name, "events");
    return;
  }
  if (node.list() == nullptr) {
    reader.problem(node.at, "events takes a list of names, or {$$contains: [names]}");
    return;
  }
  for (const Node& name : *node.list()) reader.use_name(name, "events");
}

}  // namespace

std::span<const std::string_view> filter_words() { return words; }

bool has_filter_word(const Node& node) {
  return std::ranges::any_of(words, [&](std::string_view word) { return node.find(word) != nullptr; });
}

Filter read_filter(Reader& reader, const Node& node) {
  Filter filter;
  filter.node = node;
  if (node.map() == nullptr) {
    reader.problem(node.at, "a filter is a map as {command: getMore, stream: s}");
    return filter;
  }
  if (!has_filter_word(node)) {
    reader.problem(node.at, "a filter needs at least one word, as command or stream");
    return filter;
  }
  const auto read = [&](std::string_view word, const auto& take) {
    if (const Node* value = node.find(word)) take(*value);
  };
  read("command", [&](const Node& value) { read_commands(reader, value, filter); });
  read("ns", [&](const Node& value) {
    filter.namespaces = reader.texts(value, "ns");
    for (const std::string& ns : filter.namespaces)
      if (ns.empty() || ns.front() == '.' || ns.back() == '.')
        reader.problem(value.at, "ns must be db or db.collection");
  });
  read("stream", [&](const Node& value) { filter.stream = reader.use_name(value, "stream"); });
  read("request", [&](const Node& value) { filter.request = reader.use_name(value, "request"); });
  read("connection", [&](const Node& value) { filter.connection = reader.use_name(value, "connection"); });
  read("like", [&](const Node& value) { filter.like = reader.use_name(value, "like"); });
  read("app", [&](const Node& value) { filter.applications = reader.texts(value, "app"); });
  read("member", [&](const Node& value) { filter.members = reader.texts(value, "member"); });
  read("from", [&](const Node& value) {
    filter.from = reader.texts(value, "from");
    for (const std::string& from : filter.from)
      if (std::ranges::find(openings, from) == std::end(openings))
        reader.unknown(value.at, "way to open", from, openings);
  });
  read("carries", [&](const Node& value) { read_carries(reader, value); });
  read("matches", [&](const Node& value) { check_matcher(reader, value); });
  read("reply", [&](const Node& value) { check_matcher(reader, value); });
  read("events", [&](const Node& value) { read_events(reader, value); });
  return filter;
}

}  // namespace scenarios
