// One change stream of a case: opened, read and drained as a client would.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tests/golden/client.h"
#include "tests/golden/normaliser.h"
#include "tests/golden/references.h"

namespace golden {

class Stream {
 public:
  // `events` are those of Seen, which this stream fills.
  Stream(wire::DocumentView spec, std::vector<wire::Document>& events);

  void open(Client& client, References& references);
  // So many events more than were claimed before. Throws CaseError when they do not come.
  void read(support::InProcessServer& server, Client& client, std::size_t count);
  // Until nothing comes any more; `expected` events are waited for.
  void drain(support::InProcessServer& server, Client& client, std::optional<std::size_t> expected);
  // Kills the cursor, if there is one.
  void close(Client& client);

  const std::string& id() const { return id_; }
  bool is_open() const { return opened_ && end_.empty(); }
  // "open", "closed", or the error that ended it.
  Json end(const Normaliser& normaliser) const;

 private:
  // Returns how many events came.
  std::size_t get_more(Client& client, std::chrono::milliseconds wait);
  std::size_t take(wire::DocumentView cursor, std::string_view batch);

  wire::DocumentView spec_;
  std::string id_;
  std::string db_;
  std::string collection_;
  std::vector<wire::Document>& events_;
  std::size_t claimed_ = 0;
  std::int64_t cursor_ = 0;
  bool opened_ = false;
  std::string end_;  // empty: goes on
  wire::Document error_;
};

}  // namespace golden
