// authenticate: by X.509 certificate only, as mongod since 4.0.
#include <array>

#include "emulator/arguments.h"
#include "emulator/authentication.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("mechanism"), std::string_view("user"), std::string_view("db")};

void check_mechanism(const Arguments& arguments) {
  arguments.required("mechanism");
  const std::string mechanism(arguments.text("mechanism").value_or(""));
  if (mechanism == "MONGODB-X509") return;
  if (scram_mechanism(mechanism)) throw CommandError(code::bad_value, "Unsupported mechanism: " + mechanism);
  throw CommandError(code::mechanism_unavailable,
                     "Received authentication for mechanism " + mechanism + " which is not enabled");
}

Outcome run(Context& context) {
  const Arguments arguments(context.request.body, "authenticate");
  check_mechanism(arguments);
  const std::string& subject = context.connection.identity.subject;
  if (subject.empty())
    throw CommandError(code::authentication_failed, "No verified subject name available from client");
  if (context.request.db != external_db)
    throw CommandError(code::protocol_error, "X.509 authentication must always use the $external database.");
  const std::string_view user = arguments.text("user").value_or("");
  if (!user.empty() && user != subject)
    throw CommandError(code::authentication_failed, "There is no x.509 client certificate matching the user.");
  log_in(context, {subject, std::string(external_db)});
  context.reply.append_string("dbname", external_db).append_string("user", subject);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec authenticate_command{.name = "authenticate",
                                                        .needs_auth = NeedsAuth::No,
                                                        .in_hello = InHello::Yes,
                                                        .api_version_1 = ApiVersion1::Yes,
                                                        .fields = fields,
                                                        .authorized = anybody,
                                                        .run = run,
                                                        .help = "Logs in by the client's X.509 certificate."};

}  // namespace emulator
