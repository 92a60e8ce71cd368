
#include "emulator/faults/fault.h"

namespace emulator {
namespace {

struct Path {
  std::string_view head;
  std::string_view rest;  // empty: head is the field itself
};

Path split(std::string_view dotted) {
  const std::size_t dot = dotted.find('.');
  if (dot == std::string_view::npos) return {dotted, {}};
  return {dotted.substr(0, dot), dotted.substr(dot + 1)};
}

// `value` set at `dotted`; nullptr: unset.
wire::Document changed(wire::DocumentView in, std::string_view dotted, const wire::Value* value) {
  const auto [head, rest] = split(dotted);
  wire::DocumentBuilder out;
  bool found = false;
  for (const auto& [name, old] : in) {
    if (name != head) {
      out.append(name, old);
      continue;
    }
    found = true;
    if (rest.empty()) {
      if (value != nullptr) out.append(name, value->view());
    } else if (old.is(wire::Type::Array)) {
      out.append_array(name, changed(old.as_document(), rest, value));
    } else if (old.is(wire::Type::Document)) {
      out.append_document(name, changed(old.as_document(), rest, value));
    } else if (value == nullptr) {
      out.append(name, old);
    } else {
      out.append_document(name, changed({}, rest, value));
    }
  }
  if (!found && value != nullptr) {
    if (rest.empty())
      out.append(head, value->view());
    else
      out.append_document(head, changed({}, rest, value));
  }
  return out.finish();
}

}  // namespace

wire::Document edited(wire::DocumentView reply, const ReplyEdit& edit) {
  wire::Document result(reply);
  for (const auto& [field, value] : edit.set) result = changed(result, field, &value);
  for (const std::string& field : edit.unset) result = changed(result, field, nullptr);
  return result;
}

}  // namespace emulator
