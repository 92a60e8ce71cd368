#include <array>

#include "emulator/arguments.h"
#include "emulator/authentication.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "wire/base64.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("mechanism"), std::string_view("payload"),
                            std::string_view("autoAuthorize"), std::string_view("options")};

constexpr std::size_t server_nonce_bytes = 24;

ScramHash mechanism_of(const Context& context, const Arguments& arguments) {
  arguments.required("mechanism");
  const std::string name(arguments.text("mechanism").value_or(""));
  const std::optional<ScramHash> hash = scram_mechanism(name);
  const std::string db(context.request.db);
  if (!hash && name != "MONGODB-X509")
    throw CommandError(code::mechanism_unavailable,
                       "Received authentication for mechanism " + name + " which is not enabled");
  if (!hash || db == external_db)
    throw CommandError(code::mechanism_unavailable,
                       "Unsupported mechanism '" + name + "' on authentication database '" + db + "'");
  return *hash;
}

Outcome run(Context& context) {
  std::optional<SaslConversation>& conversation = context.connection.identity.conversation;
  conversation.reset();
  const Arguments arguments(context.request.body, "saslStart");
  const wire::ValueView payload = arguments.required("payload");
  const ScramHash hash = mechanism_of(context, arguments);
  SaslConversation begun{.scram = ScramConversation(hash), .name = {}};
  begun.base64_payload = payload.is(wire::Type::String);
  begun.skip_empty_exchange = is_truthy(arguments.object("options")["skipEmptyExchange"]);
  begun.name = {begun.scram.first(read_payload(payload)), std::string(context.request.db)};
  const wire::Document user = find_user(context.deployment.store, begun.name);
  const std::optional<ScramCredentials> credentials = credentials_of(user, hash);
  if (!credentials) fail_authentication();
  const std::string nonce = context.deployment.secrets.bytes(server_nonce_bytes);
  const std::string challenge = begun.scram.challenge(
      *credentials, wire::to_base64({reinterpret_cast<const std::uint8_t*>(nonce.data()), nonce.size()}));
  conversation = std::move(begun);
  append_conversation(context, challenge);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec sasl_start_command{.name = "saslStart",
                                                      .needs_auth = NeedsAuth::No,
                                                      .in_hello = InHello::Yes,
                                                      .api_version_1 = ApiVersion1::Yes,
                                                      .fields = fields,
                                                      .secret = "payload",
                                                      .authorized = anybody,
                                                      .run = run,
                                                      .help = "Begins to log in with SCRAM."};

}  // namespace emulator
