#include "emulator/journal.h"

#include <algorithm>

#include "emulator/commands/table.h"
#include "emulator/secrets.h"

namespace emulator {

wire::Document whole_request(const Request& request) {
  if (request.sequences.empty()) return wire::Document(request.body);
  wire::DocumentBuilder whole;
  whole.append_all(request.body);
  for (const wire::DocumentSequence& sequence : request.sequences) {
    whole.begin_array(sequence.identifier());
    for (const wire::DocumentView document : sequence) whole.append_document(whole.item_name(), document);
    whole.end();
  }
  return whole.finish();
}

std::size_t Journal::weight(const JournalEntry& entry) {
  std::size_t bytes = sizeof(JournalEntry) + entry.application.size();
  if (const JournalRequest* request = entry.request())
    bytes += request->body.size() + request->reply.size() + request->events.bytes();
  if (const auto* step = std::get_if<JournalStep>(&entry.what)) bytes += step->text.size();
  return bytes;
}

void Journal::bound() {
  while (entries_.size() > 1 && (entries_.size() > bounds_.entries_max || bytes_ > bounds_.bytes_max)) {
    if (on_lost_) on_lost_(entries_.front());
    bytes_ -= weight(entries_.front());
    entries_.pop_front();
    ++lost_;
  }
}

std::uint64_t Journal::append(JournalEntry entry) {
  if (level_ == JournalLevel::Off) return 0;
  entry.number = next_++;
  entries_.push_back(std::move(entry));
  kept(entries_.back());
  return next_ - 1;
}

JournalEntry& Journal::begin(std::uint64_t exchange, Now now, std::int64_t wall_ms) {
  JournalEntry& entry = entries_.emplace_back();
  entry.number = next_++;
  entry.exchange = exchange;
  entry.real = now.real;
  entry.wall_ms = wall_ms;
  return entry;
}

void Journal::kept(const JournalEntry& entry) {
  bytes_ += weight(entry);
  bound();
}

std::uint64_t Journal::arrived(const Exchange& exchange, const Connection& connection, Now now, std::int64_t wall_ms) {
  if (level_ == JournalLevel::Off) return 0;
  JournalEntry& entry = begin(exchange.id, now, wall_ms);
  entry.member = exchange.member;
  entry.connection = exchange.connection;
  entry.application = connection.application;
  JournalRequest& request = entry.what.emplace<JournalRequest>();
  request.command = exchange.command != nullptr ? exchange.command->name : exchange.request.name;
  request.db = exchange.request.db;
  request.body = level_ == JournalLevel::Full ? whole_request(exchange.request) : wire::Document(exchange.request.body);
  hide_secrets(request.body, exchange.command);
  request.monitoring = exchange.monitoring;
  numbers_[exchange.id] = entry.number;
  kept(entry);
  return next_ - 1;
}

void Journal::over(const Exchange& exchange, Now now) {
  JournalEntry* entry = find_open(exchange.id);
  if (entry == nullptr) return;
  bytes_ -= weight(*entry);
  JournalRequest& request = *entry->request();
  request.over = true;
  request.over_real = now.real;
  request.kind = exchange.kind;
  request.error_code = exchange.error_code;
  request.opened_cursor = exchange.opened_cursor;
  request.read_cursor = exchange.read_cursor;
  request.is_batch = exchange.batch.has_value();
  for (const Exchange::TakenBy& taker : exchange.faults) request.faults.push_back(taker.fault);
  if (exchange.batch) {
    request.post_batch_token = exchange.batch->post_batch_token;
    request.events = exchange.batch->events;
  }
  // A large batch is known by its events' references: rendering it a second time would cost more than serving it.
  const bool keeps_reply = exchange.kind != ReplyKind::None && exchange.body.size() <= journal_reply_bytes_max;
  if (level_ == JournalLevel::Full && keeps_reply) {
    request.reply = exchange.reply_document();
    hide_secrets(request.reply, exchange.command);
  }
  bytes_ += weight(*entry);
  bound();
}

void Journal::delivered(std::uint64_t exchange, Now now, std::int64_t wall_ms) {
  JournalEntry* request = find_open(exchange);
  numbers_.erase(exchange);
  if (request == nullptr) return;
  request->request()->delivered = true;
  if (request->request()->monitoring) return;
  JournalEntry& entry = begin(exchange, now, wall_ms);  // a deque: `request` stays where it is
  entry.member = request->member;
  entry.connection = request->connection;
  entry.application = request->application;
  entry.what = JournalDelivery{request->number};
  kept(entry);
}

void Journal::name_application(std::uint64_t number, const std::string& application) {
  if (find(number) == nullptr) return;
  JournalEntry& entry = entries_[number - entries_.front().number];
  bytes_ += application.size() - entry.application.size();
  entry.application = application;
}

void Journal::closed(ConnectionId connection) {
  std::erase_if(numbers_, [&](const auto& open) {
    const JournalEntry* entry = find(open.second);
    return entry == nullptr || entry->connection == connection;
  });
}

const JournalEntry* Journal::find(std::uint64_t number) const {
  if (entries_.empty() || number < entries_.front().number || number > entries_.back().number) return nullptr;
  return &entries_[number - entries_.front().number];
}

const JournalEntry* Journal::find_exchange(std::uint64_t exchange) const {
  const auto known = numbers_.find(exchange);
  return known == numbers_.end() ? nullptr : find(known->second);
}

JournalEntry* Journal::find_open(std::uint64_t exchange) {
  const JournalEntry* entry = find_exchange(exchange);
  return entry == nullptr ? nullptr : &entries_[entry->number - entries_.front().number];
}

}  // namespace emulator
