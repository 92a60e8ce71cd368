// What happened to a deployment, as a bounded list: connections, requests with replies, deliveries, faults, steps. Holds references
// into the oplog, not copies of events. Knows no JSON; who shows it renders it (scenarios/).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "emulator/batch.h"
#include "emulator/connection.h"
#include "emulator/exchange.h"
#include "emulator/input.h"
#include "emulator/limits.h"
#include "wire/document.h"

namespace emulator {

// Commands: requests without the documents of replies. Full: replies as they were sent, too.
enum class JournalLevel { Off, Commands, Full };

struct JournalOpened {
  std::string peer;
};
struct JournalClosed {
  CloseCause cause = CloseCause::ByClient;
};

// Larger replies are not kept whole.
inline constexpr std::size_t journal_reply_bytes_max = std::size_t{64} << 10;

// A request, from its arrival on; the reply's part is filled in by its outcome.
struct JournalRequest {
  std::string command;  // MongoDB's spelling; as the client wrote it if this profile has no such command
  std::string db;
  wire::Document body;  // document sequences merged in as arrays
  bool monitoring = false;
  bool over = false;
  bool delivered = false;
  ReplyKind kind = ReplyKind::None;
  int error_code = 0;
  wire::Document reply;  // JournalLevel::Full, once over; default: none was sent
  std::int64_t opened_cursor = 0;
  std::int64_t read_cursor = 0;
  // Of a change stream's batch.
  bool is_batch = false;
  EventReferences events;
  wire::Document post_batch_token;
  std::vector<std::uint64_t> faults;  // that took it
  RealTime over_real{};
};

// A reply that left whole.
struct JournalDelivery {
  std::uint64_t request = 0;  // the entry's number
};

struct JournalFault {
  std::uint64_t fault = 0;
  std::string name;
  std::uint64_t request = 0;  // the entry's number
};

// A step of a script began (text: as a failure names it), or a mark was set.
struct JournalStep {
  std::string text;
};

struct JournalEntry {
  std::uint64_t number = 0;    // from 1, never reused while the process lives
  std::uint64_t exchange = 0;  // 0: none
  RealTime real{};
  std::int64_t wall_ms = 0;  // the deployment's time
  MemberId member{};
  ConnectionId connection{};  // 0: none
  std::string application;
  std::variant<JournalOpened, JournalClosed, JournalRequest, JournalDelivery, JournalFault, JournalStep> what;

  const JournalRequest* request() const { return std::get_if<JournalRequest>(&what); }
  JournalRequest* request() { return std::get_if<JournalRequest>(&what); }
};

struct JournalBounds {
  std::size_t entries_max = 65'536;
  std::size_t bytes_max = journal_bytes_default;
};

class Journal {
 public:
  explicit Journal(JournalLevel level = JournalLevel::Full, JournalBounds bounds = {})
      : level_(level), bounds_(bounds) {}

  JournalLevel level() const { return level_; }
  // Told of each entry that is about to fall out; must not append.
  void on_lost(std::function<void(const JournalEntry&)> hears) { on_lost_ = std::move(hears); }
  // Appends; the entry's number is given here and returned (0: the journal is off). The oldest fall out beyond the bounds.
  std::uint64_t append(JournalEntry entry);
  // Arrival and outcome of a request.
  std::uint64_t arrived(const Exchange& exchange, const Connection& connection, Now now, std::int64_t wall_ms);
  void over(const Exchange& exchange, Now now);
  // A connection's name is known only once its hello was read.
  void name_application(std::uint64_t number, const std::string& application);
  // Its reply left whole; or never will, as its connection closed.
  void delivered(std::uint64_t exchange, Now now, std::int64_t wall_ms);

  void closed(ConnectionId connection);

  const std::deque<JournalEntry>& entries() const { return entries_; }
  // nullptr when it fell out or never was. Numbers are consecutive.
  const JournalEntry* find(std::uint64_t number) const;
  // Of a request whose reply has not left; nullptr otherwise.
  const JournalEntry* find_exchange(std::uint64_t exchange) const;
  std::uint64_t last_number() const { return next_ - 1; }
  // Entries that fell out.
  std::uint64_t lost() const { return lost_; }

 private:
  // The newest entry, to be filled where it lies; kept() when it is.
  JournalEntry& begin(std::uint64_t exchange, Now now, std::int64_t wall_ms);
  void kept(const JournalEntry& entry);
  JournalEntry* find_open(std::uint64_t exchange);
  static std::size_t weight(const JournalEntry& entry);
  void bound();

  JournalLevel level_;
  JournalBounds bounds_;
  std::function<void(const JournalEntry&)> on_lost_;
  std::deque<JournalEntry> entries_;
  std::unordered_map<std::uint64_t, std::uint64_t> numbers_;  // of requests whose reply has not left, by exchange
  std::size_t bytes_ = 0;
  std::uint64_t next_ = 1;
  std::uint64_t lost_ = 0;
};

// The request whole: the body's fields, document sequences as arrays.
wire::Document whole_request(const Request& request);

}  // namespace emulator
