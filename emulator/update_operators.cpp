#include <fmt/format.h>

#include "emulator/operators/table.h"
#include "wire/value_text.h"

namespace emulator {

std::string UpdateTarget::id_text() const {
  wire::ValueView id = document.find("_id");
  return id ? "_id: " + wire::shell_value_text(id) : "no id";
}

const UpdateOperatorSpec* find_update_operator(std::string_view name) {
  for (const UpdateOperatorSpec* spec : all_update_operators())
    if (spec->name == name) return spec;
  return nullptr;
}

}  // namespace emulator
