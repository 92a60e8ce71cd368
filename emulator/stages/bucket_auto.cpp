// $bucketAuto: as many buckets as asked for, as even as the values allow.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/accumulator.h"
#include "emulator/number.h"
#include "emulator/stages/set_stage.h"
#include "emulator/stages/table.h"
#include "emulator/value_text.h"
#include "wire/compare.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

struct Keyed {
  Value key;
  wire::Document document;
};

class BucketAutoStage final : public SetStage {
 public:
  BucketAutoStage(ExpressionPtr group_by, std::int64_t buckets, std::vector<AccumulatedField> fields)
      : group_by_(std::move(group_by)), buckets_(static_cast<std::size_t>(buckets)), fields_(std::move(fields)) {}

  std::vector<wire::Document> run(std::vector<wire::Document> documents) const override {
    std::vector<Keyed> sorted;
    for (wire::Document& document : documents) {
      Value key = evaluate(*group_by_, document);
      sorted.push_back({key ? std::move(key) : Value::null(), std::move(document)});
    }
    std::ranges::stable_sort(
        sorted, [](const Keyed& left, const Keyed& right) { return wire::compare_values(left.key, right.key) < 0; });
    // Rounded, so that the rest is spread; at least one document a bucket.
    const std::size_t size = std::max<std::size_t>((sorted.size() + buckets_ / 2) / buckets_, 1);
    std::vector<wire::Document> out;
    for (std::size_t at = 0; at < sorted.size();) {
      const bool last = out.size() + 1 == buckets_;
      std::size_t end = last ? sorted.size() : std::min(at + size, sorted.size());
      while (end < sorted.size() && wire::equal_values(sorted[end].key, sorted[end - 1].key)) ++end;
      out.push_back(bucket(sorted, at, end));
      at = end;
    }
    return out;
  }

 private:
  wire::Document bucket(const std::vector<Keyed>& sorted, std::size_t from, std::size_t end) const {
    Accumulation group(fields_, Value::null());
    for (std::size_t i = from; i < end; ++i) group.add(fields_, sorted[i].document);
    // A bucket ends where the next one begins; the last one at its own greatest value.
    wire::DocumentBuilder id;
    id.append("min", sorted[from].key).append("max", sorted[std::min(end, sorted.size() - 1)].key);
    return group.finish(fields_, Value::document(id.view()));
  }

  ExpressionPtr group_by_;
  std::size_t buckets_;
  std::vector<AccumulatedField> fields_;
};

std::int64_t read_buckets(ValueView value) {
  if (!value.is_number())
    throw CommandError(40241, fmt::format("The $bucketAuto 'buckets' field must be a numeric value, but found type: {}",
                                          wire::type_name(value.type())));
  const std::optional<std::int32_t> buckets = exact_int32(value);
  if (!buckets)
    throw CommandError(40242, fmt::format("The $bucketAuto 'buckets' field must be representable as a 32-bit integer, "
                                          "but found {}",
                                          expression_text(value)));
  if (*buckets <= 0)
    throw CommandError(40243,
                       fmt::format("The $bucketAuto 'buckets' field must be greater than 0, but found: {}", *buckets));
  return *buckets;
}

void check_group_by(ValueView value) {
  const bool path = value.is(Type::String) && value.as_string().starts_with('$');
  const bool expression = value.is(Type::Document) && value.as_document().first().name.starts_with('$');
  if (!path && !expression)
    throw CommandError(40239, fmt::format("The $bucketAuto 'groupBy' field must be defined as a $-prefixed path or an "
                                          "expression object, but found: {}",
                                          bson_text(value)));
}

std::vector<AccumulatedField> read_output(ValueView value, const ParseContext& context) {
  if (!value.is(Type::Document))
    throw CommandError(40244, fmt::format("The $bucketAuto 'output' field must be an object, but found type: {}",
                                          wire::type_name(value.type())));
  std::vector<AccumulatedField> fields;
  for (const wire::Element& element : value.as_document()) fields.push_back(parse_accumulated_field(element, context));
  return fields;
}

void refuse_granularity(ValueView value) {
  if (!value.is(Type::String))
    throw CommandError(40261, fmt::format("The $bucketAuto 'granularity' field must be a string, but found type: {}",
                                          wire::type_name(value.type())));
  static constexpr std::string_view known[] = {"R5",  "R10", "R20", "R40", "R80",  "1-2-5",    "E6",
                                               "E12", "E24", "E48", "E96", "E192", "POWERSOF2"};
  if (std::ranges::find(known, value.as_string()) == std::end(known))
    throw CommandError(40257, fmt::format("Unknown rounding granularity '{}'", value.as_string()));
  not_built("$bucketAuto's granularity");
}

StagePtr parse(const StageInput& input) {
  if (!input.argument.is(Type::Document))
    throw CommandError(40240, fmt::format("The argument to $bucketAuto must be an object, but found type: {}",
                                          wire::type_name(input.argument.type())));
  ExpressionPtr group_by;
  std::int64_t buckets = 0;
  std::optional<std::vector<AccumulatedField>> fields;
  for (const auto& [name, value] : input.argument.as_document()) {
    if (name == "groupBy") {
      check_group_by(value);
      const bool is_optimized = input.context.profile->wording > Wording::V4_2;
      group_by = parse_expression(value, is_optimized ? input.context : without_optimization(input.context));
    } else if (name == "buckets") {
      buckets = read_buckets(value);
    } else if (name == "output") {
      fields = read_output(value, input.context);
    } else if (name == "granularity") {
      refuse_granularity(value);
    } else {
      throw CommandError(40245, fmt::format("Unrecognized option to $bucketAuto: {}", name));
    }
  }
  if (!group_by || buckets == 0)
    throw CommandError(40246, "$bucketAuto requires 'groupBy' and 'buckets' to be specified");
  if (!fields) {
    wire::DocumentBuilder count;
    const wire::Document one = count.begin_document("count").append_int32("$sum", 1).end().finish();
    fields.emplace();
    fields->push_back(parse_accumulated_field(one.view().first(), input.context));
  }
  return std::make_unique<BucketAutoStage>(std::move(group_by), buckets, *std::move(fields));
}

constexpr StageName names[] = {{"$bucketAuto", parse}};

}  // namespace

extern constinit const StageSpec bucket_auto_stage{names};

}  // namespace emulator
