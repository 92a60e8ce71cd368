// The places of a document's fields while it goes through a pipeline: a field that was taken away, or that an event could have
// and has not, comes back to its place when a later stage adds it, as in mongod, whose documents keep the slot. Top level only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wire/document.h"

namespace emulator {

class FieldSlots {
 public:
  explicit FieldSlots(wire::DocumentView document);
  // A place for a field that is not there: before the first of these fields that is; at the end if none is.
  void reserve(std::string_view name, std::initializer_list<std::string_view> before);
  // The document as a stage left it, each field in its place; new ones get places at the end, first those that it wrote.
  wire::Document settle(wire::Document document, const std::vector<std::string>& written = {});

 private:
  bool in_order(wire::DocumentView document) const;

  std::vector<std::string> names_;
};

}  // namespace emulator
