// The client's side of SCRAM, for tests: what a driver computes, from the RFC and not from this program's server side.
#pragma once

#include <string>
#include <string_view>

#include "emulator/scram.h"
#include "tests/support/fake_client.h"

namespace oplogue_test {

class ScramClient {
 public:
  // `password`: as the mechanism takes it.
  ScramClient(emulator::ScramHash hash, std::string user, std::string password, std::string nonce);
  // "n,,n=user,r=nonce"
  std::string first() const;
  // The answer to the server's first message.
  std::string final(std::string_view server_first);
  // What the server must say at the end.
  std::string expected_end() const { return expected_end_; }

 private:
  emulator::ScramHash hash_;
  std::string user_;
  std::string password_;
  std::string nonce_;
  std::string expected_end_;
};

// Logs in on a connection of the world; returns the last reply.
wire::Document log_in(World& world, std::uint64_t connection, std::string_view db, const std::string& user,
                      const std::string& password, emulator::ScramHash hash = emulator::ScramHash::Sha256);
// Sends a command and takes its reply; a default document: there was none.
wire::Document ask(World& world, std::uint64_t connection, std::string_view db, wire::DocumentView command);

}  // namespace oplogue_test
