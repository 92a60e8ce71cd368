// Who a connection's client is: nobody yet, a user, or the deployment's own steps, whom nothing asks.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulator/privileges.h"
#include "emulator/scram.h"
#include "emulator/users.h"
#include "wire/document.h"

namespace emulator {

// A user who logged in. The document is the one that the privileges were read from: another one means that they changed.
struct Login {
  UserName name;
  wire::Document user;
  std::vector<RoleName> roles;
  Privileges privileges;
};

// `user`: as find_user gave it.
Login make_login(wire::Document user);

// A conversation of saslStart that is under way.
struct SaslConversation {
  ScramConversation scram;
  UserName name;
  enum class State { AwaitsProof, AwaitsEmpty, Done } state = State::AwaitsProof;
  bool skip_empty_exchange = false;
  bool base64_payload = false;  // as the client's, the server's payloads are strings
};

struct Identity {
  bool direct = false;  // no network client: a step
  std::string subject;  // of its X.509 certificate, as RFC 2253 writes it; empty: it showed none
  std::optional<Login> login;
  std::optional<SaslConversation> conversation;
};

}  // namespace emulator
