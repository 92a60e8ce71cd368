#include "emulator/scram.h"

#include <gtest/gtest.h>

#include <functional>

#include "emulator/command_error.h"
#include "wire/base64.h"

namespace emulator {
namespace {

// The examples of RFC 5802 §5 and RFC 7677 §3.
struct Example {
  ScramHash hash;
  std::string_view client_first, nonce, salt, server_first, client_final, server_final;
};

constexpr Example sha1_example{ScramHash::Sha1,
                               "n,,n=user,r=fyko+d2lbbFgONRv9qkxdawL",
                               "3rfcNHYJY1ZVvWVs7j",
                               "QSXCR+Q6sek8bf92",
                               "r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096",
                               "c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=",
                               "v=rmF9pqV8S7suAoZWja4dJRkFsKQ="};

constexpr Example sha256_example{
    ScramHash::Sha256,
    "n,,n=user,r=rOprNGfwEbeRWgbNEkqO",
    "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0",
    "W22ZaJ0SNY7soEsUEjb6gQ==",
    "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
    "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
    "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="};

ScramConversation begun(const Example& example, std::string_view password = "pencil") {
  ScramConversation conversation(example.hash);
  EXPECT_EQ(conversation.first(example.client_first), "user");
  const std::string salt = wire::from_base64(example.salt).value_or("");
  EXPECT_EQ(conversation.challenge(make_scram_credentials(example.hash, password, salt, 4096), example.nonce),
            example.server_first);
  return conversation;
}

int code_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const CommandError& error) {
    return error.code;
  }
  return 0;
}

TEST(Scram, SpeaksTheConversationsOfTheRfcs) {
  for (const Example& example : {sha1_example, sha256_example})
    EXPECT_EQ(begun(example).final(example.client_final), example.server_final);
}

TEST(Scram, RefusesAProofOfAnotherPassword) {
  for (const Example& example : {sha1_example, sha256_example}) {
    ScramConversation conversation = begun(example, "crayon");
    EXPECT_EQ(code_of([&] { conversation.final(example.client_final); }), 18);
  }
}

TEST(Scram, RefusesEveryFirstMessageThatMongodRefuses) {
  for (const char* message : {"", "xyz", "n=user,r=abcdef", "p=tls-unique,,n=user,r=abcdef",
                              "n,a=other,n=user,r=abcdef", "n,,m=x,n=user,r=abcdef", "n,,n=user,r=abc",
                              "n,,n=user,r=", "n,,n=,r=abcdef", "n,,n=us=5Der,r=abcdef", "n,,n=user="}) {
    ScramConversation conversation(ScramHash::Sha256);
    EXPECT_EQ(code_of([&] { conversation.first(message); }), 18) << message;
  }
}

TEST(Scram, ReadsNamesWithCommasAndEqualsSigns) {
  ScramConversation conversation(ScramHash::Sha256);
  EXPECT_EQ(conversation.first("y,a=a=3Db=2Cc,n=a=3Db=2Cc,r=abcdef,x=more"), "a=b,c");
}

TEST(Scram, SaysWhyAProofIsNone) {
  ScramConversation conversation = begun(sha256_example);
  const std::string start = "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,";
  EXPECT_EQ(code_of([&] { conversation.final(start + "p=AAAA"); }), 16);
  EXPECT_EQ(code_of([&] { conversation.final(start + "p=!!!"); }), 10270);
  EXPECT_EQ(code_of([&] { conversation.final("c=biws,r=other,p=AAAA"); }), 18);
  EXPECT_EQ(code_of([&] { conversation.final(""); }), 18);
}

}  // namespace
}  // namespace emulator
