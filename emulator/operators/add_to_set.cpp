#include <algorithm>

#include "emulator/command_error.h"
#include "emulator/operators/array_parts.h"
#include "emulator/operators/table.h"
#include "wire/compare.h"
#include "wire/value_text.h"

namespace emulator {
namespace {

using wire::Type;
using wire::ValueView;

// Returns whether it was new.
bool add_new(std::vector<ValueView>& set, ValueView value) {
  if (std::ranges::any_of(set, [value](ValueView element) { return wire::equal_values(element, value); })) return false;
  set.push_back(value);
  return true;
}

class AddToSet : public Modifier {
 public:
  // Named as the update names them.
  explicit AddToSet(std::vector<wire::Element> values) : values_(std::move(values)) {}

  UpdateOutcome modify(const UpdateTarget& target) const override {
    if (target.value && !target.value.is(Type::Array))
      throw CommandError(2, "Cannot apply $addToSet to non-array field. Field named '" + std::string(target.name) +
                                "' has non-array type " + std::string(type_name(target.value.type())));
    std::vector<ValueView> set;
    if (target.value) set = elements_of(target.value);
    bool changed = target.value.missing();
    for (const wire::Element& each : values_) changed |= add_new(set, each.value);
    return changed ? UpdateOutcome::changed(array_of(set)) : UpdateOutcome{};
  }

  std::optional<std::string_view> name_of_added(ValueView element) const override {
    const auto found = std::ranges::find_if(values_, [&](const auto& each) { return each.value.identical(element); });
    return found == values_.end() ? std::nullopt : std::optional(found->name);
  }

 private:
  std::vector<wire::Element> values_;
};

std::unique_ptr<Modifier> parse(std::string_view field, ValueView argument, const ParseContext&) {
  const bool each = argument.is(Type::Document) && argument.as_document().first().name == "$each";
  if (!each) return std::make_unique<AddToSet>(std::vector{wire::Element{field, argument}});
  ValueView list = argument.as_document().first().value;
  if (!list.is(Type::Array))
    throw CommandError(14, "The argument to $each in $addToSet must be an array but it was of type " +
                               std::string(type_name(list.type())));
  if (argument.as_document().count() > 1)
    throw CommandError(2, "Found unexpected fields after $each in $addToSet: " + wire::shell_value_text(argument));
  const wire::DocumentView values = list.as_document();
  return std::make_unique<AddToSet>(std::vector<wire::Element>(values.begin(), values.end()));
}

}  // namespace

extern constinit const UpdateOperatorSpec add_to_set_operator{
    .name = "$addToSet",
    .array_as_id = ArrayAsId::AsArray,
    .parse = parse,
    .help = "Adds values to an array that has no equal ones yet."};

}  // namespace emulator
