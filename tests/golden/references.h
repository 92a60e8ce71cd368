// The references of a case: values from earlier replies and events, fresh UUIDs, long runs of bytes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/random.h"
#include "wire/document.h"

namespace golden {

// What was seen so far. A response is nullopt where the step had none.
struct Seen {
  std::vector<wire::Document> setup;
  std::vector<std::optional<wire::Document>> responses;
  std::map<std::string, std::vector<wire::Document>, std::less<>> events;

  // "responses.3.cursor.id", "setup.0.operationTime", "events.s.0._id". Throws CaseError when there is none.
  wire::ValueView lookup(std::string_view path) const;
};

class References {
 public:
  explicit References(const Seen& seen) : seen_(seen) {}
  // The value with every reference in it replaced.
  wire::Value resolve(wire::ValueView value);
  wire::Document resolve(wire::DocumentView document);

 private:
  std::optional<wire::Value> referred(wire::DocumentView document);
  wire::Value moved(wire::DocumentView by, std::string_view key) const;

  const Seen& seen_;
  std::map<std::string, wire::Value, std::less<>> uuids_;
  emulator::RandomStream random_{1, "uuids of a case"};
};

// A number of any type, as cases write them.
std::int64_t integer(wire::ValueView value);

}  // namespace golden
