#include "emulator/secrets.h"

#include <gtest/gtest.h>

#include "emulator/dispatch.h"
#include "wire/extended_json.h"

namespace emulator {
namespace {

std::string hidden(std::string_view command, std::string_view json) {
  wire::Document document = wire::document_from_json(json);
  hide_secrets(document, command_named(command, *find_profile("mongodb-6.0")));
  return wire::to_json(document, wire::JsonForm::Relaxed);
}

// The same text as hidden() writes it.
std::string shown(std::string_view json) {
  return wire::to_json(wire::document_from_json(json), wire::JsonForm::Relaxed);
}

TEST(Secrets, PasswordsAndPayloadsAreHidden) {
  EXPECT_EQ(hidden("createUser", R"({"createUser":"a","pwd":"secret","roles":[]})"),
            shown(R"({"createUser":"a","pwd":"xxx","roles":[]})"));
  EXPECT_EQ(hidden("updateUser", R"({"updateUser":"a","pwd":"secret"})"), shown(R"({"updateUser":"a","pwd":"xxx"})"));
  EXPECT_EQ(hidden("saslStart", R"({"saslStart":1,"payload":"bixu"})"), shown(R"({"saslStart":1,"payload":"xxx"})"));
  EXPECT_EQ(hidden("saslContinue", R"({"conversationId":1,"done":true,"payload":"dj0="})"),
            shown(R"({"conversationId":1,"done":true,"payload":"xxx"})"));
}

TEST(Secrets, ThoseOfCarriedCommandsAreHiddenToo) {
  EXPECT_EQ(hidden("hello", R"({"hello":1,"speculativeAuthenticate":{"saslStart":1,"payload":"bixu","db":"admin"}})"),
            shown(R"({"hello":1,"speculativeAuthenticate":{"saslStart":1,"payload":"xxx","db":"admin"}})"));
  EXPECT_EQ(
      hidden("oplogue", R"({"oplogue":[{"command":{"db":"admin","command":{"createUser":"a","pwd":"secret"}}}]})"),
      shown(R"({"oplogue":[{"command":{"db":"admin","command":{"createUser":"a","pwd":"xxx"}}}]})"));
}

TEST(Secrets, OtherCommandsAreLeftAlone) {
  EXPECT_EQ(hidden("insert", R"({"insert":"c","documents":[{"pwd":"public"}]})"),
            shown(R"({"insert":"c","documents":[{"pwd":"public"}]})"));
}

}  // namespace
}  // namespace emulator
