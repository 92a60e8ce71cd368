#include "scenarios/names.h"

#include <charconv>

#include "emulator/change_event.h"
#include "wire/resume_token.h"

namespace scenarios {
namespace {

// Fragments are numbered from 1; kind 2 + n is fragment n.
constexpr int fragments_named_max = 8;

std::optional<std::size_t> number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view first_part(std::string_view dotted) { return dotted.substr(0, dotted.find('.')); }
std::string_view after_first_part(std::string_view dotted) {
  const std::size_t dot = dotted.find('.');
  return dot == std::string_view::npos ? std::string_view{} : dotted.substr(dot + 1);
}

bool is_create(const emulator::OplogEntry& entry) {
  return entry.op == emulator::Op::Command && entry.o.view().first().name == "create";
}

}  // namespace

bool same_event(const emulator::EventReference& left, const emulator::EventReference& right) {
  return left.position == right.position && left.transaction_index == right.transaction_index &&
         left.kind == right.kind;
}

NamedEvents Names::capture(const std::vector<emulator::OplogPosition>& positions) const {
  // A collection that the write made on the way is no event of the write.
  bool only_creates = true;
  for (const auto position : positions) only_creates = only_creates && is_create(deployment_.oplog.at(position));
  NamedEvents named;
  for (const auto position : positions) {
    const emulator::OplogEntry& entry = deployment_.oplog.at(position);
    if (is_create(entry) && !only_creates) continue;
    const int version = deployment_.profile.token_version;
    for (const emulator::ChangeEvent& change : emulator::events_of(deployment_.oplog, position)) {
      wire::ResumeToken token = emulator::event_token(change, version);
      NamedEvent event{change.reference, entry.time, wire::encode(token), {}, {}};
      event.invalidate_token = wire::encode(emulator::event_token(emulator::invalidate_after(change), version));
      // A split event's tokens are of version 2.
      token = emulator::event_token(change, 2);
      for (int fragment = 0; fragment < fragments_named_max; ++fragment) {
        token.fragment_num = fragment;
        event.fragment_tokens.push_back(wire::encode(token));
      }
      named.events.push_back(std::move(event));
    }
  }
  return named;
}

Names::Found Names::locate(std::string_view reference) const {
  const auto rounds = rounds_.find(first_part(reference));
  if (rounds == rounds_.end()) return {};
  std::string_view selectors = after_first_part(reference);
  if (rounds->second.size() > 1)
    if (const auto round = number(first_part(selectors))) {
      if (*round < 1 || *round > rounds->second.size()) return {};
      return {&rounds->second[*round - 1], after_first_part(selectors)};
    }
  return {&rounds->second.back(), selectors};
}

Names::Place Names::place(std::string_view reference) const {
  auto [named, selectors] = locate(reference);
  const auto* events = named == nullptr ? nullptr : std::get_if<NamedEvents>(named);
  if (events == nullptr || events->events.empty()) return {};
  Place found{&events->events.back(), 0};
  for (; !selectors.empty(); selectors = after_first_part(selectors)) {
    const std::string_view part = first_part(selectors);
    if (const auto index = number(part)) {
      if (*index < 1 || *index > events->events.size()) return {};
      found.event = &events->events[*index - 1];
    } else if (part == "invalidate") {
      found.kind = 1;
    } else if (const auto fragment = number(part.substr(std::min<std::size_t>(part.size(), 8)))) {
      found.kind = static_cast<int>(2 + *fragment);
    }
  }
  return found;
}

const emulator::JournalEntry* Names::request(std::string_view reference) const {
  const Named* named = find(reference);
  const auto* request = named == nullptr ? nullptr : std::get_if<NamedRequest>(named);
  if (request == nullptr) return nullptr;
  const auto kept = kept_.find(request->entry);
  return kept == kept_.end() ? journal_.find(request->entry) : &kept->second;
}

void Names::keep(const emulator::JournalEntry& entry) {
  for (const auto& [name, rounds] : rounds_)
    for (const Named& round : rounds)
      if (const auto* request = std::get_if<NamedRequest>(&round); request != nullptr && request->entry == entry.number)
        kept_.emplace(entry.number, entry);
}

emulator::FaultId Names::fault(std::string_view reference) const {
  const Named* named = find(reference);
  const auto* fault = named == nullptr ? nullptr : std::get_if<NamedFault>(named);
  return fault == nullptr ? 0 : fault->id;
}

std::optional<emulator::EventReference> Names::event(std::string_view reference) const {
  const Place found = place(reference);
  if (found.event == nullptr) return std::nullopt;
  emulator::EventReference event = found.event->reference;
  event.kind = found.kind;
  return event;
}

std::optional<wire::Document> Names::token(std::string_view reference) const {
  if (const emulator::JournalEntry* entry = request(reference)) {
    if (entry->request()->post_batch_token.is_default()) return std::nullopt;
    return entry->request()->post_batch_token;
  }
  const Place found = place(reference);
  if (found.event == nullptr) return std::nullopt;
  if (found.kind == 0) return found.event->token;
  if (found.kind == 1) return found.event->invalidate_token;
  const auto fragment = static_cast<std::size_t>(found.kind - 3);
  if (fragment >= found.event->fragment_tokens.size()) return std::nullopt;
  return found.event->fragment_tokens[fragment];
}

std::optional<wire::Document> Names::high_water(std::string_view reference) const {
  const auto time = cluster_time(reference);
  if (!time) return std::nullopt;
  return wire::encode(wire::high_water_mark(*time, deployment_.profile.token_version));
}

std::optional<wire::Timestamp> Names::cluster_time(std::string_view reference) const {
  if (const emulator::JournalEntry* entry = request(reference)) {
    const wire::ValueView time = entry->request()->reply["operationTime"];
    if (!time.is(wire::Type::Timestamp)) return std::nullopt;
    return time.as_timestamp();
  }
  const Place found = place(reference);
  if (found.event == nullptr) return std::nullopt;
  return found.event->cluster_time;
}

std::optional<std::int64_t> Names::cursor(std::string_view reference) const {
  const emulator::JournalEntry* entry = request(reference);
  if (entry == nullptr) return std::nullopt;
  const std::int64_t id =
      entry->request()->opened_cursor != 0 ? entry->request()->opened_cursor : entry->request()->read_cursor;
  if (id == 0) return std::nullopt;
  return id;
}

std::optional<wire::Document> Names::event_document(std::string_view reference) const {
  const Place found = place(reference);
  if (found.event == nullptr || found.event->reference.position < deployment_.oplog.first()) return std::nullopt;
  const emulator::EventReference& wanted = found.event->reference;
  for (emulator::ChangeEvent& change : emulator::events_of(deployment_.oplog, wanted.position)) {
    if (change.reference.transaction_index != wanted.transaction_index) continue;
    if (found.kind == 1) change = emulator::invalidate_after(change);
    return emulator::build_event(change, {&deployment_.profile, deployment_.profile.token_version, false});
  }
  return std::nullopt;
}

std::string Names::name_of_token(wire::DocumentView token) const {
  for (const auto& [name, rounds] : rounds_) {
    if (const auto same = this->token(name); same && wire::compare_tokens(*same, token) == 0) return name;
    for (const Named& round : rounds)
      if (const auto* events = std::get_if<NamedEvents>(&round))
        for (const NamedEvent& event : events->events)
          if (wire::compare_tokens(event.token, token) == 0) return name_of(event.reference);
  }
  return {};
}

std::string Names::member_name(emulator::MemberId member) const {
  return deployment_.members.at(static_cast<std::size_t>(member)).name;
}

std::string Names::name_of(const emulator::EventReference& event) const {
  for (const auto& [name, rounds] : rounds_)
    for (std::size_t round = 0; round < rounds.size(); ++round) {
      const auto* events = std::get_if<NamedEvents>(&rounds[round]);
      if (events == nullptr) continue;
      for (std::size_t i = 0; i < events->events.size(); ++i) {
        emulator::EventReference same_kind = events->events[i].reference;
        same_kind.kind = event.kind;
        if (!same_event(same_kind, event)) continue;
        std::string text = name;
        if (rounds.size() > 1) text += "." + std::to_string(round + 1);
        if (events->events.size() > 1) text += "." + std::to_string(i + 1);
        if (event.kind == 1) text += ".invalidate";
        if (event.kind > 2) text += ".fragment" + std::to_string(event.kind - 2);
        return text;
      }
    }
  return {};
}

}  // namespace scenarios
