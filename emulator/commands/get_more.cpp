// getMore: the next batch of a cursor, after the checks that mongod makes before it checks the cursor out (facts §4.2, §9).
#include "emulator/commands/table.h"
#include "emulator/cursor_session.h"
#include "emulator/error_codes.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("collection"),
                            std::string_view("batchSize"),
                            std::string_view("maxTimeMS"),
                            std::string_view("term"),
                            std::string_view("lastKnownCommittedOpTime"),
                            std::string_view("includeQueryStatsMetrics")};

std::int64_t whole(wire::ValueView value) {
  if (value.is(wire::Type::Int32)) return value.as_int32();
  if (value.is(wire::Type::Int64)) return value.as_int64();
  if (value.is(wire::Type::Double)) return static_cast<std::int64_t>(value.as_double());
  return 0;
}

[[noreturn]] void wrong_type(std::string_view field, wire::Type type, std::string_view expected) {
  throw CommandError(code::type_mismatch, "BSON field 'getMore." + std::string(field) + "' is the wrong type '" +
                                              std::string(wire::type_name(type)) + "', expected " +
                                              std::string(expected));
}

constexpr std::string_view numbers = "types '[long, int, decimal, double']";

std::int64_t cursor_id(const Request& request) {
  const wire::ValueView id = request.target();
  if (!id.is(wire::Type::Int64)) wrong_type("getMore", id.type(), "type 'long'");
  return id.as_int64();
}

std::string_view collection(const Request& request) {
  const wire::ValueView name = request["collection"];
  if (name.missing())
    throw CommandError(code::missing_field, "BSON field 'getMore.collection' is missing but a required field");
  if (!name.is(wire::Type::String)) wrong_type("collection", name.type(), "type 'string'");
  if (name.as_string().empty()) throw CommandError(code::invalid_namespace, "Collection names cannot be empty");
  return name.as_string();
}

std::optional<std::int64_t> batch_size(const Request& request) {
  const wire::ValueView value = request["batchSize"];
  if (value.missing() || value.is(wire::Type::Null)) return std::nullopt;
  if (!value.is_number()) wrong_type("batchSize", value.type(), numbers);
  const std::int64_t size = whole(value);
  if (size < 0)
    throw CommandError(51024, "BSON field 'batchSize' value must be >= 0, actual value '" + std::to_string(size) + "'");
  return size;
}

std::optional<std::int64_t> max_time_ms(const Request& request) {
  const wire::ValueView value = request["maxTimeMS"];
  if (value.missing()) return std::nullopt;
  if (!value.is_number()) wrong_type("maxTimeMS", value.type(), numbers);
  const std::int64_t ms = whole(value);
  if (ms < 0 || ms > 2147483647)
    throw CommandError(code::bad_value, std::to_string(ms) + " value for maxTimeMS is out of range");
  return ms;
}

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
  ReadRequest request;
  request.batch_size = batch_size(context.request);
  request.deadline = deadline;
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

Outcome go_on(Context& context, WaitState& state, WakeReason reason) {
  Cursor* cursor = context.deployment.cursors.find(state.cursor);
  if (reason == WakeReason::Killed || cursor == nullptr) {
    context.deployment.cursors.remove(state.cursor);
    throw CommandError(state.kill_code != 0 ? state.kill_code : code::cursor_killed,
                       "Executor error during getMore :: caused by :: operation was interrupted");
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
  const std::int64_t id = cursor_id(request);
  const std::string ns = std::string(request.db) + "." + std::string(collection(request));
  batch_size(request);
  const std::optional<std::int64_t> max_time = max_time_ms(request);
  Cursor* cursor = context.deployment.cursors.find(id);
  if (cursor == nullptr || cursor->member != context.member.id)
    throw CommandError(code::cursor_not_found, "cursor id " + std::to_string(id) + " not found");
  if (cursor->pinned_by != 0)
    throw CommandError(code::cursor_in_use, "cursor id " + std::to_string(id) + " is already in use");
  check_namespace(request, *cursor, ns);
  check_cursor_session(*cursor, request, context.profile().wording);
  if (max_time && !cursor->await_data())
    throw CommandError(code::bad_value, "cannot set maxTimeMS on getMore command for a non-awaitData cursor");
  context.exchange.read_cursor = id;
  context.exchange.starting_from = cursor->documents_returned;
  context.exchange.reads_stream = cursor->is_change_stream();
  // A cursor that awaits data waits a second unless the client says otherwise.
  const std::chrono::milliseconds wait(max_time.value_or(1000));
  return read(context, *cursor, context.deployment.clock.waited(context.now) + wait);
}

}  // namespace

extern constinit const CommandSpec get_more_command{.name = "getMore",
                                                    .in_transaction = InTransaction::Allowed,
                                                    .api_version_1 = ApiVersion1::Yes,
                                                    .fields = fields,
                                                    .run = run,
                                                    .help = "Reads the next batch of a cursor."};

}  // namespace emulator
