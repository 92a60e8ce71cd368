#include "emulator/request.h"

#include "emulator/command_error.h"
#include "emulator/error_codes.h"

namespace emulator {

wire::DocumentView Request::lsid() const {
  const wire::ValueView value = generic.lsid;
  return value.is(wire::Type::Document) ? value.as_document() : wire::DocumentView();
}

std::optional<std::int64_t> Request::txn_number() const {
  const wire::ValueView value = generic.txn_number;
  if (value.is(wire::Type::Int64)) return value.as_int64();
  return std::nullopt;
}

std::vector<wire::DocumentView> Request::documents(std::string_view field) const {
  std::vector<wire::DocumentView> out;
  for (const wire::DocumentSequence& sequence : sequences) {
    if (sequence.identifier() != field) continue;
    out.reserve(sequence.count());
    for (const wire::DocumentView document : sequence) out.push_back(document);
    return out;
  }
  const wire::ValueView value = body[field];
  const std::string full = std::string(name) + "." + std::string(field);
  if (value.missing())
    throw CommandError(code::missing_field, "BSON field '" + full + "' is missing but a required field");
  if (!value.is(wire::Type::Array))
    throw CommandError(code::type_mismatch, "BSON field '" + full + "' is the wrong type '" +
                                                std::string(wire::type_name(value.type())) +
                                                "', expected type 'array'");
  for (const wire::Element& element : value.as_document()) {
    if (!element.value.is(wire::Type::Document))
      throw CommandError(code::type_mismatch,
                         "BSON field '" + full + "." + std::string(element.name) + "' is the wrong type '" +
                             std::string(wire::type_name(element.value.type())) + "', expected type 'object'");
    out.push_back(element.value.as_document());
  }
  return out;
}

}  // namespace emulator
