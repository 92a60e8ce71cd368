#include "emulator/engine.h"

#include <algorithm>
#include <stdexcept>

#include "emulator/dispatch.h"
#include "emulator/error_codes.h"
#include "emulator/reply.h"
#include "emulator/turn.h"

namespace emulator {

Engine::Engine(DeploymentSpec spec, Now now, Observer* observer)
    : deployment_(std::move(spec), now), observer_(observer), jobs_(deployment_, now), last_now_(now) {
  for (const RootUser& user : deployment_.spec.users) create_root_user(user, now);
}

// Throws std::invalid_argument for a name or password that no user can have.
void Engine::create_root_user(const RootUser& user, Now now) {
  wire::DocumentBuilder command;
  command.append_string("createUser", user.name).append_string("pwd", user.password);
  command.begin_array("roles").append_string(command.item_name(), "root").end();
  const wire::Document reply = run("admin", command.finish(), now);
  if (const wire::ValueView reason = reply["errmsg"])
    throw std::invalid_argument("user \"" + user.name + "\": " + std::string(reason.as_string()));
}

Engine::~Engine() = default;

void Engine::step(const Input& input, Now now, std::vector<Effect>& effects) {
  last_now_ = now;
  Turn turn(*this, now, effects);
  std::visit(turn, input);
  turn.finish();
}

std::optional<RealTime> Engine::next_wake() const {
  std::optional<RealTime> due = jobs_.next_due(deployment_, last_now_);
  const auto sooner = [&](RealTime waited) {
    const RealTime real = waited - deployment_.clock.advanced();
    if (!due || real < *due) due = real;
  };
  if (const auto deadline = waits_.earliest_deadline(); deadline && *deadline != RealTime::max()) sooner(*deadline);
  for (const std::uint64_t id : delayed_) {
    const auto at = connections_.find(id);
    if (at != connections_.end() && !at->second->pieces.empty() && !at->second->pieces.front().held)
      sooner(at->second->pieces.front().due);
  }
  return due;
}

wire::Document Engine::run(std::string_view db, wire::DocumentView command, Now now) {
  wire::DocumentBuilder body;
  body.append_all(command);
  if (!command.has("$db")) body.append_string("$db", db);
  const wire::Document owned = body.finish();
  Exchange exchange;
  wire::OpMsg message;
  message.body = owned;
  exchange.message.operation = message;
  Connection connection;
  connection.identity.direct = true;
  if (const Member* primary = deployment_.primary()) connection.member = primary->id;
  exchange.member = connection.member;
  Context context(deployment_, exchange, connection, now);
  Outcome outcome = Replied{};
  try {
    read_request(exchange, deployment_.profile);
    exchange.command = command_named(exchange.request.name, deployment_.profile);
    outcome = dispatch(context);
  } catch (const CommandError& error) {
    fail_reply(exchange, error, deployment_);
  }
  if (std::holds_alternative<Wait>(outcome))
    fail_reply(exchange, CommandError(code::illegal_operation, "this command would wait, which a step cannot"),
               deployment_);
  else if (exchange.kind == ReplyKind::None)
    finish_reply(exchange, deployment_);
  return exchange.reply_document();
}

const Connection* Engine::connection(ConnectionId id) const {
  const auto at = connections_.find(static_cast<std::uint64_t>(id));
  return at == connections_.end() ? nullptr : &at->second->connection;
}

std::vector<const Connection*> Engine::connections() const {
  std::vector<const Connection*> out;
  out.reserve(connections_.size());
  for (const auto& [id, state] : connections_)
    if (!state->closing) out.push_back(&state->connection);
  std::sort(out.begin(), out.end(), [](const Connection* a, const Connection* b) { return a->number < b->number; });
  return out;
}

std::vector<const Exchange*> Engine::waiting() const {
  std::vector<const Exchange*> out;
  out.reserve(waits_.all().size());
  for (const auto& [id, waiter] : waits_.all()) out.push_back(waiter.exchange.get());
  return out;
}

}  // namespace emulator
