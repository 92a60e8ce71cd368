// A client's connection as the model sees it: member, metadata, and what is under way. Knows no socket.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "emulator/identity.h"
#include "emulator/input.h"
#include "emulator/last_error.h"
#include "wire/document.h"

namespace emulator {

struct Connection {
  ConnectionId id{};
  MemberId member{};
  std::int64_t number = 0;  // what hello calls connectionId
  std::string peer;
  std::string local;        // the address the client came to: what hello says where nothing is advertised
  std::string application;  // client.application.name of the first hello
  wire::Document client;    // the client metadata document of the first hello
  bool hello_ok = false;    // the client said helloOk
  bool load_balanced = false;
  Identity identity;
  // What write replies call opTime; nullopt until it has written, or tried to.
  std::optional<wire::Timestamp> last_write;
  LastError last_error;  // what getLastError says
};

}  // namespace emulator
