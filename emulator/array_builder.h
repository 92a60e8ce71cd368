// Builds one array value, element by element; a missing one has a place (wire/document_places.h). Knows nothing of where it goes.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>

#include "wire/document_places.h"

namespace emulator {

class ArrayBuilder {
 public:
  ArrayBuilder& add(wire::ValueView value) {
    std::array<char, 20> name{};
    const auto end = std::to_chars(name.data(), name.data() + name.size(), count_++).ptr;
    builder_.append({name.data(), static_cast<std::size_t>(end - name.data())}, value ? value : wire::element_place);
    return *this;
  }
  std::size_t count() const { return count_; }
  wire::Value finish() {
    count_ = 0;
    wire::Value array = wire::Value::array(builder_.view());
    builder_.clear();
    return array;
  }

 private:
  wire::DocumentBuilder builder_;
  std::size_t count_ = 0;
};

}  // namespace emulator
