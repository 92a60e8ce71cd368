// A $jsonSchema, compiled: draft 4 with bsonType, as far as MongoDB takes it. Knows no query.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "wire/document.h"

namespace emulator {

class JsonSchema {
 public:
  // Throws CommandError as mongod; 238 for `encrypt`. Keeps its own copies.
  static JsonSchema parse(wire::DocumentView schema);
  bool accepts(wire::ValueView value) const;

 private:
  // Each holds for values that its keyword says nothing about.
  std::vector<std::function<bool(wire::ValueView)>> tests_;
};

}  // namespace emulator
