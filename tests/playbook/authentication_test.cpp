// Logging in, and what is allowed before it, as mongod 6.0.5 answered the same requests.
#include <gtest/gtest.h>

#include "tests/support/secured.h"
#include "wire/base64.h"

namespace oplogue_test {
namespace {

using emulator::ScramHash;

std::string error_of(const wire::Document& reply) {
  if (!reply["errmsg"].is(wire::Type::String)) return "ok";
  return std::to_string(reply["code"].as_int32()) + " " + std::string(reply["errmsg"].as_string());
}

const std::string failed = "18 Authentication failed.";

TEST(Authentication, BothMechanismsLetTheRightPasswordIn) {
  Secured secured;
  for (const ScramHash hash : {ScramHash::Sha1, ScramHash::Sha256}) {
    const std::uint64_t connection = secured.open();
    EXPECT_EQ(secured.error(connection, "app", R"({"find": "c"})"), "13 command find requires authentication");
    const wire::Document end = log_in(secured.world, connection, "admin", "root", "secret", hash);
    EXPECT_TRUE(end["done"].is(wire::Type::Bool) && end["done"].as_bool());
    EXPECT_EQ(secured.error(connection, "app", R"({"find": "c"})"), "ok");
  }
}

TEST(Authentication, WhateverIsWrongIsNotSaid) {
  Secured secured;
  for (const ScramHash hash : {ScramHash::Sha1, ScramHash::Sha256}) {
    EXPECT_EQ(error_of(log_in(secured.world, secured.open(), "admin", "root", "Secret", hash)), failed);
    EXPECT_EQ(error_of(log_in(secured.world, secured.open(), "admin", "nobody", "secret", hash)), failed);
    EXPECT_EQ(error_of(log_in(secured.world, secured.open(), "app", "root", "secret", hash)), failed);
  }
}

TEST(Authentication, BeforeItOnlySomeCommandsRun) {
  Secured secured;
  const std::uint64_t connection = secured.open();
  for (const char* command : {R"({"hello": 1})", R"({"ping": 1})", R"({"buildInfo": 1})", R"({"connectionStatus": 1})",
                              R"({"whatsmyuri": 1})", R"({"listCommands": 1})"})
    EXPECT_EQ(secured.error(connection, "admin", command), "ok") << command;
  EXPECT_EQ(secured.error(connection, "admin", R"({"nosuch": 1})"), "59 no such command: 'nosuch'");
  EXPECT_EQ(secured.error(connection, "app", R"({"getParameter": 1, "logLevel": 1})"),
            "13 getParameter may only be run against the admin database.");
  EXPECT_EQ(secured.error(connection, "admin", R"({"logout": 1})"), "13 command logout requires authentication");
  EXPECT_EQ(secured.error(connection, "app", R"({"find": 1, "bogus": 1})"), "13 command find requires authentication");
}

TEST(Authentication, ItIsAskedForOnlyWhereItIsOn) {
  World world = Secured::without_authentication();
  world.open(1);
  EXPECT_EQ(error_of(ask(world, 1, "app", json(R"({"find": "c"})"))), "ok");
  EXPECT_EQ(error_of(ask(world, 1, "admin", json(R"({"createUser": "a", "pwd": "p", "roles": ["root"]})"))), "ok");
  EXPECT_EQ(error_of(log_in(world, 1, "admin", "a", "p")), "ok");
}

TEST(Authentication, TheLocalhostExceptionLastsUntilTheFirstUser) {
  Secured secured(Secured::Users::None);
  const std::uint64_t connection = secured.open();
  EXPECT_EQ(secured.error(connection, "app", R"({"find": "c"})"),
            "13 not authorized on app to execute command { find: \"c\", $db: \"app\" }");
  EXPECT_EQ(secured.error(connection, "app", R"({"createUser": "x", "pwd": "x", "roles": []})"),
            "13 not authorized on app to execute command { createUser: \"x\", pwd: \"xxx\", roles: [], $db: \"app\" }");
  EXPECT_EQ(secured.error(connection, "admin", R"({"createUser": "x", "pwd": "x", "roles": ["root"]})"), "ok");
  EXPECT_EQ(secured.error(connection, "admin", R"({"createUser": "y", "pwd": "x", "roles": ["root"]})"),
            "13 command createUser requires authentication");
}

TEST(Authentication, AHelloMayBeginItAndSaysHow) {
  Secured secured;
  const std::uint64_t connection = secured.open();
  ScramClient client(ScramHash::Sha256, "root", "secret", "rOprNGfwEbeRWgbNEkqO");
  wire::DocumentBuilder hello;
  const std::string first = client.first();
  hello.append_int32("hello", 1).append_string("saslSupportedMechs", "admin.root");
  hello.begin_document("speculativeAuthenticate").append_int32("saslStart", 1);
  hello.append_string("mechanism", "SCRAM-SHA-256").append_string("db", "admin");
  hello.append_binary("payload", 0, {reinterpret_cast<const std::uint8_t*>(first.data()), first.size()}).end();
  const wire::Document reply = ask(secured.world, connection, "admin", hello.finish());
  EXPECT_EQ(reply.find_path("saslSupportedMechs.0").as_string(), "SCRAM-SHA-256");
  EXPECT_EQ(reply.find_path("saslSupportedMechs.1").as_string(), "SCRAM-SHA-1");
  EXPECT_FALSE(reply.find_path("speculativeAuthenticate.done").as_bool());
  const auto challenge = reply.find_path("speculativeAuthenticate.payload").as_binary().bytes;
  const std::string final = client.final({reinterpret_cast<const char*>(challenge.data()), challenge.size()});
  // Without skipEmptyExchange the conversation has a last, empty round.
  for (const std::string& payload : {final, std::string()}) {
    wire::DocumentBuilder go_on;
    go_on.append_int32("saslContinue", 1).append_int32("conversationId", 1);
    go_on.append_string("payload",
                        wire::to_base64({reinterpret_cast<const std::uint8_t*>(payload.data()), payload.size()}));
    const wire::Document next = ask(secured.world, connection, "admin", go_on.finish());
    EXPECT_EQ(next["done"].as_bool(), payload.empty());
  }
  EXPECT_EQ(secured.error(connection, "app", R"({"find": "c"})"), "ok");
}

TEST(Authentication, AHelloForAnUnknownUserSaysNothing) {
  Secured secured;
  const wire::Document reply = ask(secured.world, secured.open(), "admin",
                                   json(R"({"hello": 1, "saslSupportedMechs": "admin.nobody", "speculativeAuthenticate":
            {"saslStart": 1, "mechanism": "SCRAM-SHA-256", "db": "admin",
             "payload": {"$binary": {"base64": "biwsbj1ub2JvZHkscj1hYmNkZWY=", "subType": "0"}}}})"));
  EXPECT_EQ(error_of(reply), "ok");
  EXPECT_FALSE(reply.has("saslSupportedMechs"));
  EXPECT_FALSE(reply.has("speculativeAuthenticate"));
  EXPECT_EQ(secured.error(secured.open(), "admin", R"({"hello": 1, "speculativeAuthenticate": {"ping": 1}})"),
            "51769 hello.speculativeAuthenticate unknown command: ping");
  EXPECT_EQ(secured.error(secured.open(), "admin", R"({"hello": 1, "saslSupportedMechs": "root"})"),
            "2 UserName must contain a '.' separated database.user pair");
}

TEST(Authentication, ConversationsThatGoWrongAreAnsweredAsMongodDoes) {
  Secured secured;
  const std::uint64_t connection = secured.open();
  const auto error = [&](const char* command) { return secured.error(connection, "admin", command); };
  EXPECT_EQ(error(R"({"saslContinue": 1, "conversationId": 1, "payload": ""})"), "17 No SASL session state found");
  EXPECT_EQ(error(R"({"saslContinue": 1})"),
            "40414 BSON field 'saslContinue.conversationId' is missing but a required field");
  EXPECT_EQ(error(R"({"saslStart": 1, "mechanism": "PLAIN", "payload": ""})"),
            "334 Received authentication for mechanism PLAIN which is not enabled");
  EXPECT_EQ(error(R"({"saslStart": 1, "mechanism": "SCRAM-SHA-256", "payload": 5})"),
            "2 Invalid SASLPayload type. Expected Base64 or BinData, got: int");
  EXPECT_EQ(secured.error(connection, "$external", R"({"saslStart": 1, "mechanism": "SCRAM-SHA-1", "payload": ""})"),
            "334 Unsupported mechanism 'SCRAM-SHA-1' on authentication database '$external'");
  // n,,n=root,r=abcdef
  EXPECT_EQ(error(R"({"saslStart": 1, "mechanism": "SCRAM-SHA-256", "payload": "biwsbj1yb290LHI9YWJjZGVm"})"), "ok");
  EXPECT_EQ(error(R"({"saslContinue": 1, "conversationId": 9, "payload": ""})"), "17 sasl: Mismatched conversation id");
  EXPECT_EQ(error(R"({"saslContinue": 1, "conversationId": 1, "payload": ""})"), "17 No SASL session state found");
}

TEST(Authentication, AConnectionIsOneUsersUntilItLogsOut) {
  Secured secured;
  const std::uint64_t connection = secured.user("alice", R"(["read"])", "app");
  EXPECT_EQ(error_of(log_in(secured.world, connection, "admin", "root", "secret")),
            "5626701 Each client connection may only be authenticated once. Previously authenticated as: alice@app");
  EXPECT_EQ(secured.error(connection, "admin", R"({"logout": 1})"), "ok");
  EXPECT_EQ(secured.error(connection, "app", R"({"find": "c"})"), "ok") << "another database logs nobody out";
  EXPECT_EQ(secured.error(connection, "app", R"({"logout": 1})"), "ok");
  EXPECT_EQ(secured.error(connection, "app", R"({"find": "c"})"), "13 command find requires authentication");
}

TEST(Authentication, TheSameTestGivesTheSameBytes) {
  const auto transcript = [] {
    Secured secured;
    const std::uint64_t connection = secured.open();
    log_in(secured.world, connection, "admin", "root", "secret");
    ask(secured.world, connection, "admin", json(R"({"usersInfo": 1, "showCredentials": true})"));
    return secured.world.bytes(connection);
  };
  EXPECT_EQ(transcript(), transcript());
}

TEST(Authentication, ACertificatesSubjectIsAUsersName) {
  Secured secured;
  const std::uint64_t admin = secured.root();
  const std::string subject = R"(CN=alice,OU=Clients,O=Test\, Inc.,C=DE)";
  wire::DocumentBuilder create;
  create.append_string("createUser", subject).begin_array("roles").end();
  EXPECT_EQ(error_of(ask(secured.world, admin, "$external", create.finish())), "ok");
  const auto error = [&](std::uint64_t connection, const char* db, const char* command) {
    return secured.error(connection, db, command);
  };
  const char* authenticate = R"({"authenticate": 1, "mechanism": "MONGODB-X509"})";
  EXPECT_EQ(error(secured.open(), "$external", authenticate), "18 No verified subject name available from client");
  const std::uint64_t alice = secured.open(subject);
  EXPECT_EQ(error(alice, "admin", authenticate), "17 X.509 authentication must always use the $external database.");
  EXPECT_EQ(error(alice, "$external", R"({"authenticate": 1, "mechanism": "MONGODB-X509", "user": "CN=bob"})"),
            "18 There is no x.509 client certificate matching the user.");
  EXPECT_EQ(error(alice, "$external", R"({"authenticate": 1, "mechanism": "SCRAM-SHA-256"})"),
            "2 Unsupported mechanism: SCRAM-SHA-256");
  const wire::Document reply = ask(secured.world, alice, "$external", json(authenticate));
  EXPECT_EQ(reply["user"].as_string(), subject);
  EXPECT_EQ(error(secured.open("CN=carol"), "$external", authenticate),
            "11 Could not find user \"CN=carol\" for db \"$external\"");
}

}  // namespace
}  // namespace oplogue_test
