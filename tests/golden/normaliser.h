// BSON as a server sent it → the tree that a golden holds: what differs between runs becomes a placeholder or a volatile leaf.
#pragma once

#include <set>
#include <string>

#include "emulator/input.h"
#include "tests/golden/tree.h"
#include "wire/document.h"

namespace golden {

// The value in canonical Extended JSON.
Json plain(wire::ValueView value);
// Only names and types.
Json shape(wire::ValueView value);

class Normaliser {
 public:
  // What the case itself names is no chance: it stays. `host` is masked in texts.
  Normaliser(wire::DocumentView golden_case, std::string host);

  // `now`: dates within a day of it are a server's.
  void set_now(emulator::SystemTime now) { now_ = now; }
  // The whole reply to `command`: its operationTime counts only when the command wrote something.
  Json response(wire::DocumentView command, wire::DocumentView reply) const;
  Json event(wire::DocumentView event) const;

 private:
  // Whether cluster times are numbered, or any will do.
  enum class Times { Numbered, Any };

  void collect(wire::ValueView value);
  bool is_literal(wire::ValueView value) const;
  Json walk(wire::ValueView value, std::string_view key, Times times) const;
  Json document(wire::DocumentView document, Times times) const;
  Json scalar(wire::ValueView value, std::string_view key, Times times) const;
  Json time(wire::ValueView value, std::string_view key, Times times) const;
  Json binary(wire::ValueView value) const;
  Json text(std::string_view text) const;
  Json token(std::string_view digits) const;
  Json key_value(const Json& value) const;

  std::string host_;
  emulator::SystemTime now_{};
  std::set<std::string> literals_;  // type byte and bytes
};

}  // namespace golden
