// The filter: one way to say "which request", in await, faults, expect and limit. All words given must hold.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emulator/exchange.h"
#include "emulator/journal.h"
#include "scenarios/match.h"
#include "scenarios/names.h"
#include "scenarios/node.h"
#include "scenarios/reader.h"

namespace scenarios {

// A request as the filter sees it: the journal's entry, and of one whose reply is just being made, that reply.
struct Seen {
  const emulator::JournalEntry& entry;
  const emulator::Exchange* live = nullptr;  // nullptr: the entry has all

  const emulator::JournalRequest& request() const { return *entry.request(); }
  bool has_reply() const;
  wire::DocumentView reply() const;
  const emulator::EventReferences& events() const;
};

struct Filter {
  Node node;                          // as it was written
  std::vector<std::string> commands;  // lower case; "open" for an aggregate that begins with $changeStream
  std::vector<std::string> namespaces;
  std::string stream, request, connection, like;  // names
  std::vector<std::string> applications, members, from;
  const Node* carries() const { return node.find("carries"); }
  const Node* matches() const { return node.find("matches"); }
  const Node* reply() const { return node.find("reply"); }
  const Node* events() const { return node.find("events"); }
  // It can be judged only when there is a reply.
  bool needs_reply() const { return reply() != nullptr || events() != nullptr; }
  bool names_command() const { return !commands.empty(); }
};

// The filter's words, for steps that have others beside them.
std::span<const std::string_view> filter_words();
bool has_filter_word(const Node& node);

// Reads the filter's words out of the map and passes over the others, which its step knows. A filter without a word is a problem.
Filter read_filter(Reader& reader, const Node& node);

// Why the request is not meant; nullopt: it is.
std::optional<Mismatch> mismatch(const Filter& filter, const Seen& seen, const Names& names);
inline bool holds(const Filter& filter, const Seen& seen, const Names& names) { return !mismatch(filter, seen, names); }

}  // namespace scenarios
