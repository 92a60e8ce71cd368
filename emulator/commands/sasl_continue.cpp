#include <array>

#include "emulator/arguments.h"
#include "emulator/authentication.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("conversationId"), std::string_view("payload")};

std::int32_t conversation_id(const Arguments& arguments) {
  wire::ValueView id = arguments["conversationId"];
  if (id.is_nullish()) id = {};
  if (id.missing())
    throw CommandError(code::missing_field, "BSON field 'saslContinue.conversationId' is missing but a required field");
  if (!id.is(wire::Type::Int32))
    throw CommandError(code::type_mismatch, "BSON field 'saslContinue.conversationId' is the wrong type '" +
                                                std::string(wire::type_name(id.type())) + "', expected type 'int'");
  return id.as_int32();
}

// Takes what the client says next; returns the server's answer.
std::string go_on(Context& context, SaslConversation& conversation, const std::string& payload) {
  using State = SaslConversation::State;
  if (conversation.state == State::AwaitsEmpty) {
    if (!payload.empty()) fail_authentication();
    conversation.state = State::Done;
    return {};
  }
  // The user, or its password, may have gone since.
  if (find_user(context.deployment.store, conversation.name).is_default()) fail_authentication();
  std::string answer = conversation.scram.final(payload);
  conversation.state = conversation.skip_empty_exchange ? State::Done : State::AwaitsEmpty;
  return answer;
}

Outcome run(Context& context) {
  std::optional<SaslConversation>& current = context.connection.identity.conversation;
  const Arguments arguments(context.request.body, "saslContinue");
  const std::int32_t id = conversation_id(arguments);
  const std::string payload = read_payload(arguments.required("payload"));
  if (!current) throw CommandError(code::protocol_error, "No SASL session state found");
  try {
    if (id != 1) throw CommandError(code::protocol_error, "sasl: Mismatched conversation id");
    if (current->name.db != context.request.db) fail_authentication();
    const std::string answer = go_on(context, *current, payload);
    if (current->state == SaslConversation::State::Done) log_in(context, current->name);
    append_conversation(context, answer);
  } catch (const CommandError&) {
    current.reset();
    throw;
  }
  if (current->state == SaslConversation::State::Done) current.reset();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec sasl_continue_command{.name = "saslContinue",
                                                         .needs_auth = NeedsAuth::No,
                                                         .api_version_1 = ApiVersion1::Yes,
                                                         .fields = fields,
                                                         .secret = "payload",
                                                         .authorized = anybody,
                                                         .run = run,
                                                         .help = "Goes on logging in."};

}  // namespace emulator
