// What the engine tells the Director: into the journal, to the limits, then on with the script, all in the same turn.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "scenarios/play.h"
#include "scenarios/report.h"

namespace scenarios {
namespace {

// In-band steps are no client's requests: no script waits for them, no limit counts them.
bool is_control(const emulator::Exchange& exchange) {
  return exchange.command != nullptr && exchange.command->faultable == emulator::Faultable::No;
}

}  // namespace

emulator::JournalEntry Director::Play::entry_for(const emulator::Connection& connection) const {
  emulator::JournalEntry entry;
  entry.real = stage_.now().real;
  entry.wall_ms = stage_.wall_ms();
  entry.member = connection.member;
  entry.connection = connection.id;
  entry.application = connection.application;
  return entry;
}

template <class Judge>
void Director::Play::ask_limits(Judge&& judge) {
  if (phase_ != Phase::Running) return;
  for (PlacedLimit& placed : stage_.limits())
    if (const auto broken = judge(*placed.limit)) {
      stage_.set_script(&main_);
      fail(failure_text(stage_, PlacedStep{nullptr, placed.at, placed.text}, *broken));
      return;
    }
}

void Director::Play::opened(const emulator::Connection& connection) {
  stage_.note_connection();
  emulator::JournalEntry entry = entry_for(connection);
  entry.what = emulator::JournalOpened{connection.peer};
  stage_.journal().append(std::move(entry));
}

void Director::Play::closed(const emulator::Connection& connection, emulator::CloseCause cause) {
  emulator::JournalEntry entry = entry_for(connection);
  entry.what = emulator::JournalClosed{cause};
  stage_.journal().append(std::move(entry));
  stage_.journal().closed(connection.id);
  std::erase(greeted_, connection.id);
  advance();
}

void Director::Play::command(emulator::Exchange& exchange) {
  const emulator::Connection* connection = stage_.engine().connection(exchange.connection);
  if (connection == nullptr) return;
  const std::uint64_t number = stage_.journal().arrived(exchange, *connection, stage_.now(), stage_.wall_ms());
  const emulator::JournalEntry* entry = stage_.journal().find(number);
  if (entry == nullptr || is_control(exchange)) return;
  ask_limits([&](Limit& limit) { return limit.arrived(Seen{*entry, &exchange}, stage_.names(), stage_.now().real); });
}

void Director::Play::waiting(emulator::Exchange&) { advance(); }

void Director::Play::outcome(emulator::Exchange& exchange) {
  stage_.journal().over(exchange, stage_.now());
  const emulator::JournalEntry* entry = stage_.journal().find_exchange(exchange.id);
  if (exchange.error_code == emulator::code::not_implemented) {
    const wire::ValueView sentence = exchange.reply_document()["errmsg"];
    const std::string text = sentence.is(wire::Type::String) ? std::string(sentence.as_string()) : "a command";
    if (std::ranges::find(finished_.refused, text) == finished_.refused.end()) finished_.refused.push_back(text);
  }
  if (entry != nullptr && !is_control(exchange)) {
    if (exchange.monitoring) note_hello(exchange, entry->number);
    stage_.came({Thing::Kind::RequestOver, entry->number});
    ask_limits([&](Limit& limit) { return limit.over(Seen{*entry}, stage_.names(), stage_.now().real); });
  }
  advance();
}

// A connection counts from its first hello, where the application's name is known.
void Director::Play::note_hello(const emulator::Exchange& exchange, std::uint64_t number) {
  if (std::ranges::find(greeted_, exchange.connection) != greeted_.end()) return;
  greeted_.push_back(exchange.connection);
  if (const emulator::Connection* connection = stage_.engine().connection(exchange.connection))
    stage_.journal().name_application(number, connection->application);
  stage_.came({Thing::Kind::Connected, number});
  if (const emulator::JournalEntry* entry = stage_.journal().find(number))
    ask_limits([&](Limit& limit) { return limit.connected(Seen{*entry}, stage_.names(), stage_.now().real); });
}

void Director::Play::delivered(emulator::ConnectionId, std::uint64_t exchange) {
  stage_.journal().delivered(exchange, stage_.now(), stage_.wall_ms());
  advance();
}

}  // namespace scenarios
