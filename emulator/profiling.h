// The database profiler: whose operations are written into system.profile, and what is written. Knows no command: rows say as what
// they are profiled.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace emulator {

class Deployment;
struct Connection;
struct Exchange;
struct Now;

class Profiling {
 public:
  // 0: off. 1: slow operations. 2: all.
  std::int32_t level(std::string_view db) const {
    const auto at = levels_.find(db);
    return at == levels_.end() ? 0 : at->second;
  }
  void set_level(std::string_view db, std::int32_t level) {
    if (level == 0)
      levels_.erase(std::string(db));
    else
      levels_.insert_or_assign(std::string(db), level);
  }
  bool is_off() const { return levels_.empty(); }

  std::int32_t slow_ms = 100;  // the server's, not a database's

 private:
  std::map<std::string, std::int32_t, std::less<>> levels_;  // of databases that are profiled
};

// The collection that a database's profile goes into, made when it is not there; as a server's it is not replicated.
void create_profile_collection(Deployment& deployment, std::string_view db);
// Writes down a request that has run and has its reply as the command made it, where its database is profiled. Operations take no
// time here: none is slow unless slow_ms is 0.
void profile_operation(Deployment& deployment, const Exchange& exchange, const Connection& connection, Now now);

}  // namespace emulator
