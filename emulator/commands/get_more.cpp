// getMore: the next batch of a cursor, after the checks that mongod makes before it checks the cursor out (facts §4.2, §9).
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/cursor_session.h"
#include "emulator/error_codes.h"
#include "emulator/facts/stream_facts.h"
#include "emulator/get_more_request.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("collection"),
                            std::string_view("batchSize"),
                            std::string_view("maxTimeMS"),
                            std::string_view("term"),
                            std::string_view("lastKnownCommittedOpTime"),
                            std::string_view("includeQueryStatsMetrics")};

// Leaves the cursor as an error or a finished read wants it.
class Pin {
 public:
  Pin(Deployment& deployment, Cursor& cursor, std::uint64_t exchange) : deployment_(deployment), id_(cursor.id) {
    cursor.pinned_by = exchange;
  }
  Pin(const Pin&) = delete;
  Pin& operator=(const Pin&) = delete;
  ~Pin() {
    Cursor* cursor = deployment_.cursors.find(id_);
    if (cursor == nullptr || waits_) return;
    if (!read_ || cursor->exhausted)
      deployment_.cursors.remove(id_);
    else
      cursor->pinned_by = 0;
  }
  void read() { read_ = true; }
  void waits() { waits_ = true; }

 private:
  Deployment& deployment_;
  std::int64_t id_;
  bool read_ = false;
  bool waits_ = false;
};

Outcome go_on(Context& context, WaitState& state, WakeReason reason);

Outcome read(Context& context, Cursor& cursor, RealTime deadline) {
  Pin pin(context.deployment, cursor, context.exchange.id);
  const ReadRequest request{read_get_more(context.request, context.profile()).batch_size, deadline};
  Outcome outcome = cursor.read(context, request);
  cursor.last_used_ms = context.wall_ms();
  pin.read();
  if (Wait* wait = std::get_if<Wait>(&outcome)) {
    pin.waits();
    wait->deadline = deadline;
    wait->resume = go_on;
    wait->state.cursor = cursor.id;
    wait->state.number = deadline.count();
  }
  context.exchange.exhaust = std::holds_alternative<Replied>(outcome) && !cursor.exhausted;
  return outcome;
}

std::string interrupted(const StreamFacts& facts) {
  return std::string(facts.get_more_error_prefix) + std::string(facts.scan_error_prefix) + "operation was interrupted";
}

Outcome go_on(Context& context, WaitState& state, WakeReason reason) {
  Cursor* cursor = context.deployment.cursors.find(state.cursor);
  if (reason == WakeReason::Killed || cursor == nullptr) {
    context.deployment.cursors.remove(state.cursor);
    throw CommandError(state.kill_code != 0 ? state.kill_code : code::cursor_killed,
                       interrupted(context.profile().streams));
  }
  // Expired: its time is up, by its deadline or by a fault that ends it, so the read will not wait again.
  // Nor does an OP_GET_MORE, whatever ended the wait.
  const bool again = reason != WakeReason::Expired && context.request.legacy != Legacy::GetMore;
  return read(context, *cursor, again ? RealTime(state.number) : RealTime::min());
}

void check_namespace(const Request& request, const Cursor& cursor, const std::string& ns) {
  if (cursor.ns() == ns) return;
  if (request.legacy == Legacy::GetMore)
    throw CommandError(code::unauthorized, "Requested getMore on namespace " + ns + ", but cursor " +
                                               std::to_string(cursor.id) + " belongs to namespace " + cursor.ns());
  throw CommandError(code::unauthorized, "Requested getMore on namespace '" + ns +
                                             "', but cursor belongs to a different namespace " + cursor.ns());
}

Outcome run(Context& context) {
  const Request& request = context.request;
  const GetMoreRequest wanted = read_get_more(request, context.profile());
  const std::int64_t id = wanted.id;
  const std::string ns = std::string(request.db) + "." + std::string(wanted.collection);
  Cursor* cursor = context.deployment.cursors.find(id);
  if (cursor == nullptr || cursor->member != context.member.id)
    throw CommandError(code::cursor_not_found, "cursor id " + std::to_string(id) + " not found");
  if (cursor->pinned_by != 0)
    throw CommandError(code::cursor_in_use, "cursor id " + std::to_string(id) + " is already in use");
  check_namespace(request, *cursor, ns);
  check_cursor_owner(context, *cursor);
  check_cursor_session(*cursor, request, context.profile().wording);
  if (wanted.max_time_ms && !cursor->await_data())
    throw CommandError(code::bad_value, "cannot set maxTimeMS on getMore command for a non-awaitData cursor");
  context.exchange.read_cursor = id;
  context.exchange.starting_from = cursor->documents_returned;
  context.exchange.reads_stream = cursor->is_change_stream();
  // A cursor that awaits data waits a second unless the client says otherwise.
  const std::chrono::milliseconds wait(wanted.max_time_ms.value_or(1000));
  return read(context, *cursor, context.deployment.clock.waited(context.now) + wait);
}

}  // namespace

extern constinit const CommandSpec get_more_command{.name = "getMore",
                                                    .in_transaction = InTransaction::Allowed,
                                                    .read_concern = ReadConcernLevels::All,
                                                    .api_version_1 = ApiVersion1::Yes,
                                                    .fields = fields,
                                                    .profiled_as = "getmore",
                                                    .authorized = anybody,
                                                    .run = run,
                                                    .help = "Reads the next batch of a cursor."};

}  // namespace emulator
