// A small consumer as drivers are: watches app.items, keeps its token, resumes once after what can be resumed, starts anew after 286.
#pragma once

#include <optional>
#include <string>

#include "tests/support/fake_client.h"

namespace oplogue_test {

class StreamClient {
 public:
  explicit StreamClient(World& world) : world_(world) {}
  // Called again and again: sends what is due, takes what has come.
  void watch();
  // Sets a mark in-band, once.
  void mark(const std::string& name);

 private:
  enum class State { Closed, Greeting, Opening, Reading };
  void connect();
  void open_stream();
  void read_more();
  void take(const wire::Document& reply);

  World& world_;
  std::uint64_t connection_ = 0;
  State state_ = State::Closed;
  std::int64_t cursor_ = 0;
  wire::Document token_;
  bool marked_ = false;
};

}  // namespace oplogue_test
