// Logical sessions by their lsid: last use, retryable writes done, and the transaction under way. Knows no cursors.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "wire/document.h"

namespace emulator {

struct Session {
  wire::Document lsid;  // {id, uid} as the oplog and events show it
  std::int64_t last_used_ms = 0;
};

class SessionTable {
 public:
  // The session of that lsid.id; made at its first use.
  Session& use(wire::DocumentView lsid, std::int64_t wall_ms);
  Session* find(wire::DocumentView lsid);
  void end(wire::DocumentView lsid);
  std::size_t size() const { return sessions_.size(); }

 private:
  std::map<std::string, Session> sessions_;  // by the bytes of lsid.id
};

}  // namespace emulator
