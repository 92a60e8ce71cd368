// What the array operators share: arrays taken apart into views and built again.
#pragma once

#include <span>
#include <vector>

#include "wire/document.h"

namespace emulator {

inline std::vector<wire::ValueView> elements_of(wire::ValueView array) {
  std::vector<wire::ValueView> elements;
  for (const wire::Element& element : array.as_document()) elements.push_back(element.value);
  return elements;
}

inline wire::Value array_of(std::span<const wire::ValueView> elements) {
  wire::DocumentBuilder out;
  out.begin_array("");
  for (wire::ValueView element : elements) out.item(element);
  out.end();
  return out.view().first().value;
}

}  // namespace emulator
