// $redact.
#include <fmt/format.h>

#include "emulator/array_builder.h"
#include "emulator/expression_parts.h"
#include "emulator/stages/table.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;

// Slots of the names that only $redact knows.
enum Slot : std::size_t { Current, Descend, Prune, Keep };

class RedactStage final : public Stage {
 public:
  explicit RedactStage(ExpressionPtr expression) : expression_(std::move(expression)) {}
  std::optional<wire::Document> apply(const wire::Document& document) const override {
    Variables variables(document);
    set_local(variables, Descend, Value::string("descend"));
    set_local(variables, Prune, Value::string("prune"));
    set_local(variables, Keep, Value::string("keep"));
    return redacted(document, variables);
  }

 private:
  std::optional<wire::Document> redacted(wire::DocumentView document, Variables& variables) const {
    set_local(variables, Current, Value::document(document));
    const Value verdict = expression_->evaluate(variables);
    const std::string_view word = verdict.type() == Type::String ? verdict.view().as_string() : std::string_view();
    if (word == "keep") return wire::Document(document);
    if (word == "prune") return std::nullopt;
    if (word != "descend")
      throw CommandError(
          17053,
          fmt::format("$redact's expression should not return anything aside from the variables $$KEEP, $$DESCEND, "
                      "and $$PRUNE, but returned {}",
                      expression_text(verdict)));
    wire::DocumentBuilder out;
    for (const auto& [name, value] : document)
      if (const Value kept = redacted_value(value, variables)) out.append(name, kept);
    return out.finish();
  }

  Value redacted_value(wire::ValueView value, Variables& variables) const {
    if (value.is(Type::Document)) {
      const std::optional<wire::Document> kept = redacted(value.as_document(), variables);
      return kept ? Value::document(*kept) : Value();
    }
    if (!value.is(Type::Array)) return value;
    ArrayBuilder out;
    for (const wire::Element& element : value.as_document())
      if (const Value kept = redacted_value(element.value, variables)) out.add(kept);
    return out.finish();
  }

  ExpressionPtr expression_;
};

StagePtr parse(const StageInput& input) {
  ParseScope scope(input.context);
  for (const std::string_view name : {"CURRENT", "DESCEND", "PRUNE", "KEEP"}) scope.declare(name);
  return std::make_unique<RedactStage>(scope.parse(input.argument));
}

constexpr StageName names[] = {{"$redact", parse, AfterChangeStream::Allowed}};

}  // namespace

extern constinit const StageSpec redact_stage{names};

}  // namespace emulator
