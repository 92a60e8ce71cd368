// $bucket: a $group by a $switch over the boundaries, then a $sort.
#include <fmt/format.h>

#include "emulator/stages/composed_stage.h"
#include "emulator/value_text.h"
#include "wire/compare.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

struct Bucket {
  ValueView group_by;
  std::vector<Value> boundaries;
  Value otherwise;
  ValueView output;
};

Value constant_of(ValueView value, const StageInput& input, int code, std::string_view what) {
  const ExpressionPtr expression = parse_expression(value, input.context);
  if (expression->constant() == nullptr)
    throw CommandError(
        code, fmt::format("The $bucket '{}, but found{}: {}.", what, code == 40191 ? " value" : "", bson_text(value)));
  return *expression->constant();
}

void read_boundaries(ValueView value, const StageInput& input, Bucket& bucket) {
  if (!value.is(Type::Array))
    throw CommandError(40200, fmt::format("The $bucket 'boundaries' field must be an array, but found type: {}.",
                                          wire::type_name(value.type())));
  for (const wire::Element& element : value.as_document())
    bucket.boundaries.push_back(
        constant_of(element.value, input, 40191, "boundaries' field must be an array of constant values"));
  if (bucket.boundaries.size() < 2)
    throw CommandError(40192,
                       fmt::format("The $bucket 'boundaries' field must have at least 2 values, but found {} value(s).",
                                   bucket.boundaries.size()));
}

void check_order(const std::vector<Value>& boundaries) {
  for (std::size_t i = 1; i < boundaries.size(); ++i) {
    const ValueView low = boundaries[i - 1];
    const ValueView high = boundaries[i];
    if (wire::canonical_type(low.type()) != wire::canonical_type(high.type()))
      throw CommandError(40193, fmt::format("All values in the the 'boundaries' option to $bucket must have the same "
                                            "type. Found conflicting types {} and {}.",
                                            wire::type_name(low.type()), wire::type_name(high.type())));
    if (wire::compare_values(low, high) >= 0)
      throw CommandError(
          40194, fmt::format("The 'boundaries' option to $bucket must be sorted, but elements {} and {} are not "
                             "in ascending order ({} is not less than {}).",
                             i - 1, i, expression_text(low), expression_text(high)));
  }
}

void check_default(const Bucket& bucket) {
  if (bucket.otherwise.missing()) return;
  const bool outside = wire::compare_values(bucket.otherwise, bucket.boundaries.front()) < 0 ||
                       wire::compare_values(bucket.otherwise, bucket.boundaries.back()) >= 0;
  if (!outside)
    throw CommandError(40199,
                       "The $bucket 'default' field must be less than the lowest boundary or greater than or equal to "
                       "the highest boundary.");
}

bool is_group_by(ValueView value) {
  if (value.is(Type::String)) return value.as_string().starts_with('$');
  return value.is(Type::Document) && value.as_document().first().name.starts_with('$');
}

Bucket read(const StageInput& input) {
  if (!input.argument.is(Type::Document))
    throw CommandError(40201, fmt::format("Argument to $bucket stage must be an object, but found type: {}.",
                                          wire::type_name(input.argument.type())));
  Bucket bucket;
  for (const auto& [name, value] : input.argument.as_document()) {
    if (name == "groupBy") {
      bucket.group_by = value;
      if (!is_group_by(value))
        throw CommandError(40202, fmt::format("The $bucket 'groupBy' field must be defined as a $-prefixed path or an "
                                              "expression, but found: {}.",
                                              bson_text(value)));
    } else if (name == "boundaries") {
      read_boundaries(value, input, bucket);
      check_order(bucket.boundaries);
    } else if (name == "default") {
      bucket.otherwise = constant_of(value, input, 40195, "default' field must be a constant expression");
    } else if (name == "output") {
      if (!value.is(Type::Document))
        throw CommandError(40196, fmt::format("The $bucket 'output' field must be an object, but found type: {}.",
                                              wire::type_name(value.type())));
      bucket.output = value;
    } else {
      throw CommandError(40197, fmt::format("Unrecognized option to $bucket: {}.", name));
    }
  }
  if (bucket.group_by.missing() || bucket.boundaries.empty())
    throw CommandError(40198, "$bucket requires 'groupBy' and 'boundaries' to be specified.");
  check_default(bucket);
  return bucket;
}

void append_constant(wire::DocumentBuilder& out, std::string_view name, ValueView value) {
  out.begin_document(name).append("$const", value).end();
}

void append_test(wire::DocumentBuilder& out, std::string_view comparison, ValueView group_by, ValueView boundary) {
  out.begin_document(out.item_name()).begin_array(comparison).item(group_by);
  append_constant(out, out.item_name(), boundary);
  out.end().end();
}

// One branch a pair of boundaries: {case: {$and: [{$gte: …}, {$lt: …}]}, then: lower}.
void append_switch(wire::DocumentBuilder& out, const Bucket& bucket) {
  out.begin_document("_id").begin_document("$switch").begin_array("branches");
  for (std::size_t i = 0; i + 1 < bucket.boundaries.size(); ++i) {
    out.begin_document(out.item_name()).begin_document("case").begin_array("$and");
    append_test(out, "$gte", bucket.group_by, bucket.boundaries[i]);
    append_test(out, "$lt", bucket.group_by, bucket.boundaries[i + 1]);
    out.end().end();
    append_constant(out, "then", bucket.boundaries[i]);
    out.end();
  }
  out.end();
  if (bucket.otherwise) append_constant(out, "default", bucket.otherwise);
  out.end().end();
}

StagePtr parse(const StageInput& input) {
  const Bucket bucket = read(input);
  wire::DocumentBuilder out;
  out.begin_array("stages").begin_document(out.item_name()).begin_document("$group");
  append_switch(out, bucket);
  if (bucket.output)
    out.append_all(bucket.output.as_document());
  else
    out.begin_document("count").append_int32("$sum", 1).end();
  out.end().end();
  out.begin_document(out.item_name()).begin_document("$sort").append_int32("_id", 1).end().end();
  const wire::Document stages = out.end().finish();
  return std::make_unique<ComposedStage>(stages["stages"].as_document(), input);
}

constexpr StageName names[] = {{.name = "$bucket", .parse = parse, .made_of = "$group"}};

}  // namespace

extern constinit const StageSpec bucket_stage{names};

}  // namespace emulator
