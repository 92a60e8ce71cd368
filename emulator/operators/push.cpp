#include <algorithm>
#include <limits>

#include "emulator/command_error.h"
#include "emulator/operators/array_parts.h"
#include "emulator/operators/table.h"
#include "emulator/push_clauses.h"

namespace emulator {
namespace {

using wire::Type;
using wire::ValueView;

class Push : public Modifier {
 public:
  explicit Push(PushClauses clauses) : clauses_(std::move(clauses)) {}

  UpdateOutcome modify(const UpdateTarget& target) const override {
    if (target.value && !target.value.is(Type::Array))
      throw CommandError(2, "The field '" + std::string(target.path) + "' must be an array but is of type " +
                                std::string(type_name(target.value.type())) + " in document {" + target.id_text() +
                                "}");
    std::vector<ValueView> elements;
    if (target.value) elements = elements_of(target.value);
    UpdateOutcome outcome;
    outcome.kind = insert(elements);
    outcome.appended = clauses_.each.size();
    // Sorting nothing moves nothing in mongod's document, which it looks at to see whether there is a change.
    if (sort(elements)) outcome.kind = elements.empty() ? UpdateOutcome::Kind::Rewritten : UpdateOutcome::Kind::Changed;
    if (slice(elements)) outcome.kind = UpdateOutcome::Kind::Changed;
    if (target.value.missing()) outcome.kind = UpdateOutcome::Kind::Changed;
    if (outcome.kind != UpdateOutcome::Kind::Unchanged) outcome.value = array_of(elements);
    return outcome;
  }

  std::optional<std::string_view> name_of_added(ValueView element) const override {
    const bool added = std::ranges::any_of(clauses_.each, [&](ValueView each) { return each.identical(element); });
    return added ? std::optional(std::string_view()) : std::nullopt;
  }

 private:
  // Only what lands behind the end of an array that had elements is logged by element, and not when the position is just the end.
  UpdateOutcome::Kind insert(std::vector<ValueView>& elements) const {
    if (clauses_.each.empty()) return UpdateOutcome::Kind::Unchanged;
    const auto size = static_cast<std::int64_t>(elements.size());
    std::int64_t position = clauses_.position;
    if (position < 0) position = std::max<std::int64_t>(size + position, 0);
    auto kind = size > 0 && position > size ? UpdateOutcome::Kind::Appended : UpdateOutcome::Kind::Changed;
    elements.insert(elements.begin() + std::min(position, size), clauses_.each.begin(), clauses_.each.end());
    return kind;
  }

  bool sort(std::vector<ValueView>& elements) const {
    if (!clauses_.order) return false;
    // Not a stable one: equal elements come out in the order that mongod's own std::sort leaves them in.
    std::sort(elements.begin(), elements.end(),
              [this](ValueView left, ValueView right) { return clauses_.order->before(left, right); });
    return true;
  }

  bool slice(std::vector<ValueView>& elements) const {
    if (!clauses_.slice) return false;
    const bool from_front = *clauses_.slice < 0;
    const std::uint64_t kept =
        from_front ? 0 - static_cast<std::uint64_t>(*clauses_.slice) : static_cast<std::uint64_t>(*clauses_.slice);
    if (elements.size() <= kept) return false;
    const auto dropped = static_cast<std::ptrdiff_t>(elements.size() - kept);
    if (from_front)
      elements.erase(elements.begin(), elements.begin() + dropped);
    else
      elements.erase(elements.end() - dropped, elements.end());
    return true;
  }

  PushClauses clauses_;
};

std::unique_ptr<Modifier> parse(std::string_view, ValueView argument, const ParseContext& context) {
  return std::make_unique<Push>(parse_push_clauses(argument, context.profile->wording));
}

}  // namespace

extern constinit const UpdateOperatorSpec push_operator{.name = "$push",
                                                        .array_as_id = ArrayAsId::AsArray,
                                                        .parse = parse,
                                                        .help = "Adds to an array: $each, $position, $slice, $sort."};

}  // namespace emulator
