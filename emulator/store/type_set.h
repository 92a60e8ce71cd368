// A set of BSON types as $type takes it: codes, names, "number". Knows no documents.
#pragma once

#include <bitset>
#include <cstdint>
#include <string_view>

#include "wire/document.h"

namespace emulator {

class TypeSet {
 public:
  // A code, a name, or an array of them; throws CommandError. `path` is named when the set is empty.
  static TypeSet parse(std::string_view path, wire::ValueView value);
  bool contains(wire::Type type) const { return types_.test(static_cast<std::uint8_t>(type)); }

 private:
  void add(wire::Type type) { types_.set(static_cast<std::uint8_t>(type)); }
  void add(wire::ValueView value);
  std::bitset<256> types_;
};

}  // namespace emulator
