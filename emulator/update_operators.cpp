#include <fmt/format.h>

#include "emulator/editable_document.h"
#include "emulator/operators/table.h"
#include "wire/value_text.h"

namespace emulator {

std::string UpdateTarget::id_text(std::string_view otherwise) const {
  const EditableValue* id = document->root().find("_id");
  return id != nullptr ? "_id: " + wire::shell_value_text(id->whole()) : std::string(otherwise);
}

const UpdateOperatorSpec* find_update_operator(std::string_view name) {
  for (const UpdateOperatorSpec* spec : all_update_operators())
    if (spec->name == name) return spec;
  return nullptr;
}

}  // namespace emulator
