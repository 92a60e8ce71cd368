#include "emulator/field_slots.h"

#include <algorithm>
#include <unordered_map>

namespace emulator {

FieldSlots::FieldSlots(wire::DocumentView document) {
  for (const wire::Element& element : document) names_.emplace_back(element.name);
}

void FieldSlots::reserve(std::string_view name, std::initializer_list<std::string_view> before) {
  if (std::ranges::find(names_, name) != names_.end()) return;
  names_.emplace(std::ranges::find_first_of(names_, before), name);
}

bool FieldSlots::in_order(wire::DocumentView document) const {
  auto slot = names_.begin();
  for (const wire::Element& element : document) {
    slot = std::find(slot, names_.end(), element.name);
    if (slot == names_.end()) return false;
    ++slot;
  }
  return true;
}

wire::Document FieldSlots::settle(wire::Document document, const std::vector<std::string>& written) {
  for (const std::string& name : written) reserve(name, {});
  if (in_order(document)) return document;
  std::unordered_map<std::string_view, std::size_t> places;
  for (const std::string& name : names_) places.emplace(name, places.size());
  std::vector<std::pair<std::size_t, wire::Element>> fields;
  std::vector<std::string> added;
  for (const wire::Element& element : document) {
    const auto [at, is_new] = places.emplace(element.name, places.size());
    if (is_new) added.emplace_back(element.name);
    fields.emplace_back(at->second, element);
  }
  names_.insert(names_.end(), added.begin(), added.end());
  const auto place = [](const auto& field) { return field.first; };
  if (std::ranges::is_sorted(fields, {}, place)) return document;
  std::ranges::stable_sort(fields, {}, place);
  wire::DocumentBuilder out;
  for (const auto& [at, element] : fields) out.append(element.name, element.value);
  return out.finish();
}

}  // namespace emulator
