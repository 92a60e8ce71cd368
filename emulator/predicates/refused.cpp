// Predicates that MongoDB has and Oplogue does not build: refused by name, and as mongod does where it refuses them itself.
#include <fmt/format.h>

#include "emulator/predicates/table.h"
#include "emulator/script_syntax.h"

namespace emulator {
namespace {

constexpr int wire_version_4_4 = 9;

[[noreturn]] void refuse_by_name(const PredicateInput& input) {
  not_built(fmt::format("the query operator {}", input.element.name));
}
MatchNodePtr refuse(const PredicateInput& input) { refuse_by_name(input); }

MatchNodePtr refuse_where(const PredicateInput& input) {
  if (input.context.place == MatchPlace::ChangeStream || input.context.place == MatchPlace::Aggregate ||
      input.context.place == MatchPlace::ArrayFilter)
    throw CommandError(2, "$where is not allowed in this context");
  const wire::ValueView code = input.element.value;
  if (code.is(wire::Type::JavaScriptWithScope) &&
      input.context.expressions.profile->max_wire_version >= wire_version_4_4)
    throw CommandError(4649201, "$where no longer supports deprecated BSON type CodeWScope");
  if (!code.is(wire::Type::String) && !code.is(wire::Type::JavaScript) && !code.is(wire::Type::JavaScriptWithScope))
    throw CommandError(2, "$where got bad type");
  const std::string_view script = code.is(wire::Type::JavaScriptWithScope) ? code.code() : code.as_string();
  if (script.empty()) throw CommandError(2, "code for $where cannot be empty");
  if (breaks_off(script)) throw CommandError(139, "SyntaxError: expected expression, got end of script");
  refuse_by_name(input);
}

MatchNodePtr refuse_text(const PredicateInput& input) {
  if (input.context.place == MatchPlace::ChangeStream)
    throw CommandError(17313, "$match with $text is only allowed as the first pipeline stage");
  if (input.context.place == MatchPlace::ArrayFilter) throw CommandError(2, "$text is not allowed in this context");
  if (!input.element.value.is(wire::Type::Document)) throw CommandError(2, "$text expects an object");
  refuse_by_name(input);
}

MatchNodePtr refuse_near(const PredicateInput& input) {
  if (input.context.place == MatchPlace::ChangeStream || input.context.place == MatchPlace::Aggregate)
    throw CommandError(5626500, "$geoNear, $near, and $nearSphere are not allowed in this context");
  refuse_by_name(input);
}

MatchNodePtr refuse_where_on_field(const PredicateInput&) {
  throw CommandError(2, "$where cannot be applied to a field");
}

constexpr PredicateOperator operators[] = {
    {"$where", PredicatePlace::TopLevel, refuse_where},  {"$where", PredicatePlace::Field, refuse_where_on_field},
    {"$text", PredicatePlace::TopLevel, refuse_text},    {"$near", PredicatePlace::Field, refuse_near},
    {"$nearSphere", PredicatePlace::Field, refuse_near}, {"$geoNear", PredicatePlace::Field, refuse_near},
    {"$geoWithin", PredicatePlace::Field, refuse},       {"$within", PredicatePlace::Field, refuse},
    {"$geoIntersects", PredicatePlace::Field, refuse},
};

}  // namespace

extern constinit const PredicateSpec refused_predicate{operators};

}  // namespace emulator
