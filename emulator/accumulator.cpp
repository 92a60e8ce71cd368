#include "emulator/accumulator.h"

#include <fmt/format.h>

#include "emulator/accumulators/table.h"
#include "emulator/command_error.h"

namespace emulator {
namespace {

using wire::Type;

const AccumulatorName* find_accumulator(std::string_view name) {
  for (const AccumulatorSpec* spec : all_accumulators())
    for (const AccumulatorName& each : spec->names)
      if (each.name == name) return &each;
  return nullptr;
}

AccumulatorDefinition define(const AccumulatorInput& input) {
  const AccumulatorName* found = find_accumulator(input.name);
  if (found == nullptr || input.context.profile->max_wire_version < found->wire_version_min)
    throw CommandError(15952, fmt::format("unknown group operator '{}'", input.name));
  if (found->compares && input.context.collation) not_built(fmt::format("{} under a collation", input.name));
  if (found->parse != nullptr) return found->parse(input);
  if (input.argument.is(Type::Array))
    throw CommandError(40237, fmt::format("The {} accumulator is a unary operator", input.name));
  return {parse_expression(input.argument, input.context),
          [found](wire::ValueView) { return found->make(found->name); }};
}

}  // namespace

AccumulatedField parse_accumulated_field(const wire::Element& field, const ParseContext& context) {
  const auto& [name, value] = field;
  if (!value.is(Type::Document))
    throw CommandError(40234, fmt::format("The field '{}' must be an accumulator object", name));
  if (name.find('.') != std::string_view::npos)
    throw CommandError(40235, fmt::format("The field name '{}' cannot contain '.'", name));
  if (name.starts_with('$'))
    throw CommandError(40236, fmt::format("The field name '{}' cannot be an operator name", name));
  if (value.as_document().count() != 1)
    throw CommandError(40238, fmt::format("The field '{}' must specify one accumulator", name));
  const auto [accumulator, argument] = value.as_document().first();
  return {std::string(name), define({accumulator, argument, context})};
}

Accumulation::Accumulation(const std::vector<AccumulatedField>& fields, wire::Value group) : group_(std::move(group)) {
  for (const AccumulatedField& field : fields) accumulators_.push_back(field.accumulator.begin(group_));
}

void Accumulation::add(const std::vector<AccumulatedField>& fields, wire::DocumentView document) {
  for (std::size_t i = 0; i < fields.size(); ++i)
    accumulators_[i]->add(evaluate(*fields[i].accumulator.input, document));
}

wire::Document Accumulation::finish(const std::vector<AccumulatedField>& fields, wire::ValueView id) const {
  wire::DocumentBuilder out;
  out.append("_id", id);
  for (std::size_t i = 0; i < fields.size(); ++i) out.append(fields[i].name, accumulators_[i]->result());
  return out.finish();
}

}  // namespace emulator
