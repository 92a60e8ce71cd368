// The places of a document's fields while it goes through a pipeline: a field that was taken away, that a stage wrote without a
// value, or that an event could have and has not, comes back to its place when a later stage adds it, as in mongod, whose
// documents keep the slot. Fields of documents inside, too, as far as stages touched them by path.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wire/document.h"

namespace emulator {

using FieldSteps = std::vector<std::string>;
// Whether a stage writes the fields it names (they have a place from then on, with or without a value) or takes them away.
enum class FieldTouch : std::uint8_t { Written, Removed };

class FieldSlots {
 public:
  // Places for the document's fields, and for each that was written and has none, before the next one that was written.
  explicit FieldSlots(wire::DocumentView document, std::span<const FieldSteps> written = {});
  // After an inclusion, which goes through the document before it first, and then through what it computes. Touched are the
  // paths it goes down, of several steps: their first field keeps a place, even without a value; and the fields it computes.
  static FieldSlots carried(wire::DocumentView before, wire::DocumentView document,
                            std::span<const FieldSteps> touched);
  // A place for a field that is not there: before the first of these fields that is; at the end if none is.
  void reserve(std::string_view name, std::initializer_list<std::string_view> before);
  // The document as a stage left it, each field in its place; new ones get places at the end. `before` is what the stage got.
  wire::Document settle(wire::DocumentView before, wire::Document after, std::span<const FieldSteps> touched,
                        FieldTouch touch);

 private:
  struct Slot {
    std::string name;
    std::vector<Slot> inner;
  };
  // What one level has to settle: the rests of the touched paths.
  using Rests = std::vector<std::span<const std::string>>;

  static void extend(std::vector<Slot>& slots, wire::DocumentView document);
  static bool in_order(const std::vector<Slot>& slots, wire::DocumentView document);
  static wire::Document in_place(std::vector<Slot>& slots, wire::Document document);
  static wire::Document settle(std::vector<Slot>& slots, wire::DocumentView before, wire::Document after,
                               const Rests& rests, FieldTouch touch);

  static wire::Value settle_value(Slot& slot, wire::ValueView before, wire::ValueView after, const Rests& rests,
                                  FieldTouch touch);

  std::vector<Slot> slots_;
};

}  // namespace emulator
