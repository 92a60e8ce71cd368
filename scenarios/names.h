// What a running script calls things: events, requests, faults; and what references to them stand for. Knows no steps.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "emulator/deployment.h"
#include "emulator/journal.h"
#include "wire/document.h"

namespace scenarios {

// An event with what outlives the oplog's loss of it.
struct NamedEvent {
  emulator::EventReference reference;
  wire::Timestamp cluster_time;
  wire::Document token;
  wire::Document invalidate_token;
  std::vector<wire::Document> fragment_tokens;  // of the first eight
};
struct NamedEvents {
  std::vector<NamedEvent> events;
};
struct NamedRequest {
  std::uint64_t entry = 0;  // the journal's number
};
struct NamedFault {
  emulator::FaultId id = 0;
};
using Named = std::variant<NamedEvents, NamedRequest, NamedFault>;

class Names {
 public:
  Names(const emulator::Deployment& deployment, const emulator::Journal& journal)
      : deployment_(deployment), journal_(journal) {}

  // Set again by the next round of a repeat.
  void set(const std::string& name, Named named) { rounds_[name].push_back(std::move(named)); }
  bool has(std::string_view reference) const { return find(reference) != nullptr; }
  // The events that oplog entries are, as a name keeps them.
  NamedEvents capture(const std::vector<emulator::OplogPosition>& positions) const;

  // An entry of the journal is about to fall out: kept, if it has a name.
  void keep(const emulator::JournalEntry& entry);

  // Each: nullopt, nullptr or 0 when the name is not set or stands for something else.
  const emulator::JournalEntry* request(std::string_view reference) const;
  emulator::FaultId fault(std::string_view reference) const;
  // Alone: the last event; X.2 the second; X.invalidate; X.fragment1.
  std::optional<emulator::EventReference> event(std::string_view reference) const;
  // An event's `_id`; a request's post-batch token in the reply.
  std::optional<wire::Document> token(std::string_view reference) const;
  // The token of that moment, with no event in it.
  std::optional<wire::Document> high_water(std::string_view reference) const;
  // An event's; a reply's operationTime.
  std::optional<wire::Timestamp> cluster_time(std::string_view reference) const;
  // The cursor that a request opened or read.
  std::optional<std::int64_t> cursor(std::string_view reference) const;
  // The event as a plain stream shows it, while the oplog has it.
  std::optional<wire::Document> event_document(std::string_view reference) const;
  // The name of an event that was named alone or as one of several, for messages; empty: it has none.
  std::string name_of(const emulator::EventReference& event) const;
  // The same of an event's or request's token.
  std::string name_of_token(wire::DocumentView token) const;
  std::string member_name(emulator::MemberId member) const;
  // All names with their value, for control requests and messages.
  const std::map<std::string, std::vector<Named>, std::less<>>& all() const { return rounds_; }

 private:
  struct Found {
    const Named* named = nullptr;
    std::string_view selectors;  // what stands after the name (and round)
  };
  Found locate(std::string_view reference) const;
  const Named* find(std::string_view reference) const { return locate(reference).named; }
  struct Place {
    const NamedEvent* event = nullptr;
    int kind = 0;
  };
  Place place(std::string_view reference) const;

  const emulator::Deployment& deployment_;
  const emulator::Journal& journal_;
  std::map<std::string, std::vector<Named>, std::less<>> rounds_;
  std::map<std::uint64_t, emulator::JournalEntry> kept_;  // that the journal lost, by number
};

bool same_event(const emulator::EventReference& left, const emulator::EventReference& right);

}  // namespace scenarios
