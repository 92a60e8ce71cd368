#include "emulator/profiling.h"

#include "emulator/arguments.h"
#include "emulator/commands/table.h"
#include "emulator/deployment.h"
#include "emulator/exchange.h"
#include "emulator/users.h"

namespace emulator {
namespace {

constexpr std::string_view profile_collection = "system.profile";
constexpr std::int32_t profile_collection_bytes = 1024 * 1024;

bool is_profiled(const Deployment& deployment, const Exchange& exchange) {
  const CommandSpec* spec = exchange.command;
  if (spec == nullptr || spec->profiled_as.empty()) return false;
  const std::int32_t level = deployment.profiling.level(exchange.request.db);
  return level == 2 || (level == 1 && deployment.profiling.slow_ms <= 0);
}

std::string_view collection_of(const Request& request) {
  const wire::ValueView own = request.target();
  const wire::ValueView name = own.is(wire::Type::String) ? own : request["collection"];
  return name.is(wire::Type::String) ? name.as_string() : std::string_view("$cmd.aggregate");
}

// What a reply says of the documents it is about.
void append_work(wire::DocumentBuilder& out, const Exchange& exchange, std::string_view op) {
  const wire::Document& reply = exchange.reply_document();
  if (const wire::ValueView cursor = reply["cursor"]; cursor.is(wire::Type::Document)) {
    const wire::DocumentView fields = cursor.as_document();
    const std::int64_t id = exchange.read_cursor != 0 ? exchange.read_cursor : whole_number(fields["id"]);
    if (id != 0) out.append_int64("cursorid", id);
    if (whole_number(fields["id"]) == 0) out.append_bool("cursorExhausted", true);
    const wire::ValueView batch = fields[exchange.read_cursor != 0 ? "nextBatch" : "firstBatch"];
    out.append_int32("numYield", 0);
    if (batch.is(wire::Type::Array))
      out.append_int32("nreturned", static_cast<std::int32_t>(batch.as_document().count()));
    return;
  }
  const auto n = static_cast<std::int32_t>(whole_number(reply["n"]));
  if (op == "insert") out.append_int32("ninserted", n);
  if (op == "update") {
    const wire::ValueView upserted = reply["upserted"];
    const std::int32_t made = upserted ? static_cast<std::int32_t>(upserted.as_document().count()) : 0;
    out.append_int32("nMatched", n - made).append("nModified", reply["nModified"]).append_int32("nUpserted", made);
  }
  if (op == "remove") out.append_int32("ndeleted", n);
  out.append_int32("numYield", 0);
}

void append_error(wire::DocumentBuilder& out, const Exchange& exchange) {
  if (exchange.kind != ReplyKind::Error) return;
  const wire::Document& reply = exchange.reply_document();
  out.append_double("ok", 0.0).append("errMsg", reply["errmsg"]);
  if (exchange.error_code != 0) out.append("errName", reply["codeName"]).append("errCode", reply["code"]);
}

enum class Extent { Command, Statement };

void append_end(wire::DocumentBuilder& out, const Exchange& exchange, const Connection& connection,
                std::int64_t wall_ms, Extent extent) {
  if (extent == Extent::Command) {
    constexpr std::int32_t header_bytes = 21;  // of an OP_MSG with one section
    append_error(out, exchange);
    out.append_int32("responseLength", static_cast<std::int32_t>(exchange.body.size()) + header_bytes);
    out.append_string("protocol", "op_msg");
  }
  out.append_int32("millis", 0).append_date("ts", wall_ms);
  out.append_string("client", connection.peer.substr(0, connection.peer.rfind(':')));
  if (!connection.application.empty()) out.append_string("appName", connection.application);
  out.begin_array("allUsers");
  if (connection.identity.login)
    out.begin_document(out.item_name())
        .append_string("user", connection.identity.login->name.user)
        .append_string("db", connection.identity.login->name.db)
        .end();
  out.end().append_string("user", connection.identity.login ? user_text(connection.identity.login->name) : "");
}

void write(Deployment& deployment, std::string_view db, wire::Document entry) {
  create_profile_collection(deployment, db);
  Collection& profile = *deployment.store.find(db, profile_collection);
  const Stamp stamp{deployment.cluster_time(), 0};
  profile.insert(std::move(entry), stamp);
  while (const std::optional<RecordId> oldest = profile.surplus()) profile.remove(*oldest, stamp);
}

}  // namespace

void create_profile_collection(Deployment& deployment, std::string_view db) {
  if (deployment.store.find(db, profile_collection) != nullptr) return;
  auto identity = std::make_shared<OplogNamespace>(
      OplogNamespace{std::string(db), std::string(profile_collection), deployment.uuids.uuid()});
  wire::DocumentBuilder options;
  options.append_bool("capped", true).append_int32("size", profile_collection_bytes);
  deployment.store.create(std::move(identity), options.finish());
}

void profile_operation(Deployment& deployment, const Exchange& exchange, const Connection& connection, Now now) {
  if (deployment.profiling.is_off() || exchange.kind == ReplyKind::None || !is_profiled(deployment, exchange)) return;
  const Request& request = exchange.request;
  const std::string_view op = exchange.command->profiled_as;
  const std::string_view collection = collection_of(request);
  if (collection == profile_collection) return;
  // A write that fails as a whole came to no statement.
  const bool writes = op == "insert" || op == "update" || op == "remove";
  if (writes && exchange.kind == ReplyKind::Error) return;
  const std::string ns = std::string(request.db) + "." + std::string(collection);
  const std::int64_t wall_ms = deployment.clock.wall_ms(now);
  const std::string_view field = op == "update" ? "updates" : op == "remove" ? "deletes" : "";
  if (field.empty()) {
    wire::DocumentBuilder out;
    out.append_string("op", op).append_string("ns", ns).begin_document("command");
    for (const wire::Element& element : request.body)
      if (op != "insert" || element.name != "documents") out.append(element.name, element.value);
    out.end();
    append_work(out, exchange, op);
    append_end(out, exchange, connection, wall_ms, Extent::Command);
    write(deployment, request.db, out.finish());
    return;
  }
  // Updates and removals are operations of their own; a reply sums them up.
  const std::vector<wire::DocumentView> statements = request.documents(field);
  for (const wire::DocumentView statement : statements) {
    wire::DocumentBuilder out;
    out.append_string("op", op).append_string("ns", ns).append_document("command", statement);
    if (statements.size() == 1) append_work(out, exchange, op);
    append_end(out, exchange, connection, wall_ms, Extent::Statement);
    write(deployment, request.db, out.finish());
  }
}

}  // namespace emulator
