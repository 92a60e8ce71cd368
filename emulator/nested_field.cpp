#include "emulator/nested_field.h"

namespace emulator {
namespace {

void append_nested(wire::DocumentBuilder& out, wire::ValueView old, std::span<const std::string> steps,
                   wire::ValueView value) {
  if (steps.size() == 1) {
    if (value) out.append(steps[0], value);
    return;
  }
  const bool enters = old.is(wire::Type::Document);
  if (!enters && !value) {
    if (old) out.append(steps[0], old);
    return;
  }
  out.append_document(steps[0],
                      with_nested_field(enters ? old.as_document() : wire::DocumentView(), steps.subspan(1), value));
}

}  // namespace

wire::Document with_nested_field(wire::DocumentView document, std::span<const std::string> steps,
                                 wire::ValueView value) {
  wire::DocumentBuilder out;
  bool found = false;
  for (const auto& [name, old] : document) {
    if (name != steps[0]) {
      out.append(name, old);
      continue;
    }
    found = true;
    append_nested(out, old, steps, value);
  }
  if (!found) append_nested(out, {}, steps, value);
  return out.finish();
}

}  // namespace emulator
