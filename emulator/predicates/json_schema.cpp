// $jsonSchema and $sampleRate.
#include "emulator/json_schema.h"

#include "emulator/number.h"
#include "emulator/predicates/table.h"

namespace emulator {
namespace {

class SchemaNode final : public MatchNode {
 public:
  explicit SchemaNode(JsonSchema schema) : schema_(std::move(schema)) {}
  bool matches(wire::DocumentView document, std::optional<std::size_t>*) const override {
    return schema_.accepts(wire::ValueView(wire::Type::Document, document.bytes()));
  }
  bool matches_value(wire::ValueView value) const override { return schema_.accepts(value); }

 private:
  JsonSchema schema_;
};

MatchNodePtr parse_schema(const PredicateInput& input) {
  if (!input.element.value.is(wire::Type::Document)) throw CommandError(14, "$jsonSchema must be an object");
  return std::make_unique<SchemaNode>(JsonSchema::parse(input.element.value.as_document()));
}

class SampleRateNode final : public MatchNode {
 public:
  SampleRateNode(double rate, RandomStream* random) : rate_(rate), random_(random) {}
  bool matches(wire::DocumentView, std::optional<std::size_t>*) const override {
    return rate_ >= 1 || (random_ != nullptr && random_->unit() < rate_);
  }
  bool matches_value(wire::ValueView) const override { return matches(wire::DocumentView(), nullptr); }

 private:
  double rate_;
  RandomStream* random_;
};

MatchNodePtr parse_sample_rate(const PredicateInput& input) {
  const wire::ValueView rate = input.element.value;
  if (!rate.is_number()) throw CommandError(2, "argument to $sampleRate must be a numeric type");
  const double number = to_double(rate);
  if (!(number >= 0 && number <= 1)) throw CommandError(2, "numeric argument to $sampleRate must be in [0, 1]");
  return std::make_unique<SampleRateNode>(number, input.context.expressions.random);
}

constexpr PredicateOperator operators[] = {
    {"$jsonSchema", PredicatePlace::TopLevel, parse_schema},
    {"$sampleRate", PredicatePlace::TopLevel, parse_sample_rate},
};

}  // namespace

extern constinit const PredicateSpec json_schema_predicate{operators};

}  // namespace emulator
