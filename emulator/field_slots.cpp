#include "emulator/field_slots.h"

#include <algorithm>
#include <ranges>
#include <unordered_map>
#include <unordered_set>

#include "emulator/array_builder.h"

namespace emulator {

FieldSlots::FieldSlots(wire::DocumentView document, std::span<const FieldSteps> written) {
  extend(slots_, document);
  auto next = slots_.end();
  for (const FieldSteps& steps : std::views::reverse(written)) {
    next = std::ranges::find(slots_, steps.front(), &Slot::name) == slots_.end()
               ? slots_.insert(next, Slot{steps.front(), {}})
               : std::ranges::find(slots_, steps.front(), &Slot::name);
  }
}

FieldSlots FieldSlots::carried(wire::DocumentView before, wire::DocumentView document,
                               std::span<const FieldSteps> touched) {
  enum class Path { Down, Here };
  const auto touches = [&](std::string_view name, Path path) {
    return std::ranges::any_of(touched, [&](const FieldSteps& steps) {
      return steps.front() == name && (steps.size() > 1 ? Path::Down : Path::Here) == path;
    });
  };
  std::vector<FieldSteps> places;
  for (const wire::Element& element : before)
    if (touches(element.name, Path::Down) || (document.has(element.name) && !touches(element.name, Path::Here)))
      places.push_back({std::string(element.name)});
  for (const FieldSteps& steps : touched)
    if (steps.size() == 1 && std::ranges::find(places, steps) == places.end()) places.push_back(steps);
  return FieldSlots(document, places);
}

void FieldSlots::reserve(std::string_view name, std::initializer_list<std::string_view> before) {
  if (std::ranges::find(slots_, name, &Slot::name) != slots_.end()) return;
  slots_.insert(std::ranges::find_first_of(slots_, before, {}, &Slot::name), Slot{std::string(name), {}});
}

void FieldSlots::extend(std::vector<Slot>& slots, wire::DocumentView document) {
  std::unordered_set<std::string_view> known;
  for (const Slot& slot : slots) known.insert(slot.name);
  std::vector<Slot> added;
  for (const wire::Element& element : document)
    if (known.insert(element.name).second) added.push_back({std::string(element.name), {}});
  slots.insert(slots.end(), std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
}

bool FieldSlots::in_order(const std::vector<Slot>& slots, wire::DocumentView document) {
  auto slot = slots.begin();
  for (const wire::Element& element : document) {
    slot = std::find_if(slot, slots.end(), [&](const Slot& each) { return each.name == element.name; });
    if (slot == slots.end()) return false;
    ++slot;
  }
  return true;
}

wire::Document FieldSlots::in_place(std::vector<Slot>& slots, wire::Document document) {
  if (in_order(slots, document)) return document;
  extend(slots, document);
  std::unordered_map<std::string_view, std::size_t> places;
  for (const Slot& slot : slots) places.emplace(slot.name, places.size());
  std::vector<std::pair<std::size_t, wire::Element>> fields;
  for (const wire::Element& element : document) fields.emplace_back(places.at(element.name), element);
  const auto place = [](const auto& field) { return field.first; };
  if (std::ranges::is_sorted(fields, {}, place)) return document;
  std::ranges::stable_sort(fields, {}, place);
  wire::DocumentBuilder out;
  for (const auto& [at, element] : fields) out.append(element.name, element.value);
  return out.finish();
}

wire::Document FieldSlots::settle(std::vector<Slot>& slots, wire::DocumentView before, wire::Document after,
                                  const Rests& rests, FieldTouch touch) {
  extend(slots, before);
  const auto slot_of = [&](std::string_view name) { return std::ranges::find(slots, name, &Slot::name); };
  bool goes_deeper = false;
  for (const auto& rest : rests) {
    goes_deeper = goes_deeper || rest.size() > 1;
    if (touch == FieldTouch::Written && slot_of(rest[0]) == slots.end()) slots.push_back({rest[0], {}});
    // A value that is written or removed whole is another one: what was known of its inside is gone.
    if (const auto slot = slot_of(rest[0]); rest.size() == 1 && slot != slots.end()) slot->inner.clear();
  }
  after = in_place(slots, std::move(after));
  if (!goes_deeper) return after;
  wire::DocumentBuilder out;
  for (const wire::Element& element : after) {
    Rests inside;
    for (const auto& rest : rests)
      if (rest[0] == element.name && rest.size() > 1) inside.push_back(rest.subspan(1));
    if (inside.empty())
      out.append(element.name, element.value);
    else
      out.append(element.name,
                 settle_value(*slot_of(element.name), before.find(element.name), element.value, inside, touch));
  }
  return out.finish();
}

// Documents in arrays have slots as well: those of an array are its indexes.
wire::Value FieldSlots::settle_value(Slot& slot, wire::ValueView before, wire::ValueView after, const Rests& rests,
                                     FieldTouch touch) {
  if (before.type() != after.type()) slot.inner.clear();
  if (after.is(wire::Type::Document)) {
    const wire::DocumentView old = before.is(wire::Type::Document) ? before.as_document() : wire::DocumentView();
    const wire::Document settled = settle(slot.inner, old, wire::Document(after.as_document()), rests, touch);
    return wire::Value::document(settled.view());
  }
  if (!after.is(wire::Type::Array)) return wire::Value(after);
  const wire::DocumentView old = before.is(wire::Type::Array) ? before.as_document() : wire::DocumentView();
  ArrayBuilder out;
  std::size_t index = 0;
  for (const wire::Element& element : after.as_document()) {
    if (slot.inner.size() <= index) slot.inner.push_back({std::string(element.name), {}});
    out.add(settle_value(slot.inner[index++], old.find(element.name), element.value, rests, touch));
  }
  return out.finish();
}

wire::Document FieldSlots::settle(wire::DocumentView before, wire::Document after, std::span<const FieldSteps> touched,
                                  FieldTouch touch) {
  Rests rests;
  for (const FieldSteps& steps : touched) rests.emplace_back(steps);
  return settle(slots_, before, std::move(after), rests, touch);
}

}  // namespace emulator
