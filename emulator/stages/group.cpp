// $group, and $count and $sortByCount, which mongod makes of it.
#include <fmt/format.h>

#include <unordered_map>

#include "emulator/accumulator.h"
#include "emulator/stages/set_stage.h"
#include "emulator/stages/table.h"
#include "emulator/store/sort.h"
#include "wire/compare.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

struct GroupField {
  std::string name;
  std::string accumulator;
  ExpressionPtr expression;
};

class GroupStage final : public SetStage {
 public:
  GroupStage(ExpressionPtr id, std::vector<GroupField> fields) : id_(std::move(id)), fields_(std::move(fields)) {}

  std::vector<wire::Document> run(std::vector<wire::Document> documents) const override {
    std::vector<Group> groups;
    std::unordered_map<Value, std::size_t, wire::ValueHash, wire::ValueEqual> index;
    for (const wire::Document& document : documents) {
      Value id = evaluate(*id_, document);
      if (id.missing()) id = Value::null();
      const auto [at, is_new] = index.try_emplace(id, groups.size());
      if (is_new) groups.push_back(new_group(id));
      for (std::size_t i = 0; i < fields_.size(); ++i)
        groups[at->second].accumulators[i]->add(evaluate(*fields_[i].expression, document));
    }
    std::vector<wire::Document> out;
    for (const Group& group : groups) out.push_back(finish(group));
    return out;
  }

 private:
  struct Group {
    Value id;
    std::vector<std::unique_ptr<Accumulator>> accumulators;
  };
  Group new_group(const Value& id) const {
    Group group{id, {}};
    for (const GroupField& field : fields_) group.accumulators.push_back(make_accumulator(field.accumulator));
    return group;
  }
  wire::Document finish(const Group& group) const {
    wire::DocumentBuilder out;
    out.append("_id", group.id);
    for (std::size_t i = 0; i < fields_.size(); ++i) out.append(fields_[i].name, group.accumulators[i]->result());
    return out.finish();
  }
  ExpressionPtr id_;
  std::vector<GroupField> fields_;
};

GroupField parse_field(const wire::Element& element, const ParseContext& context) {
  const auto& [name, value] = element;
  if (!value.is(Type::Document))
    throw CommandError(40234, fmt::format("The field '{}' must be an accumulator object", name));
  if (name.find('.') != std::string_view::npos)
    throw CommandError(40235, fmt::format("The field name '{}' cannot contain '.'", name));
  if (name.starts_with('$'))
    throw CommandError(40236, fmt::format("The field name '{}' cannot be an operator name", name));
  if (value.as_document().count() != 1)
    throw CommandError(40238, fmt::format("The field '{}' must specify one accumulator", name));
  const auto [accumulator, argument] = value.as_document().first();
  if (is_unbuilt_accumulator(accumulator)) not_built(fmt::format("the accumulator {}", accumulator));
  if (!make_accumulator(accumulator))
    throw CommandError(15952, fmt::format("unknown group operator '{}'", accumulator));
  if (argument.is(Type::Array))
    throw CommandError(40237, fmt::format("The {} accumulator is a unary operator", accumulator));
  const Value one = Value::int32(1);
  return {std::string(name), std::string(accumulator),
          parse_expression(accumulator == "$count" ? one.view() : argument, context)};
}

StagePtr parse_group(const StageInput& input) {
  if (!input.argument.is(Type::Document)) throw CommandError(15947, "a group's fields must be specified in an object");
  ExpressionPtr id;
  std::vector<GroupField> fields;
  for (const wire::Element& element : input.argument.as_document()) {
    if (element.name == "_id")
      id = parse_expression(element.value, input.context);
    else
      fields.push_back(parse_field(element, input.context));
  }
  if (!id) throw CommandError(15955, "a group specification must include an _id");
  return std::make_unique<GroupStage>(std::move(id), std::move(fields));
}

class CountStage final : public SetStage {
 public:
  explicit CountStage(std::string_view field) : field_(field) {}
  std::vector<wire::Document> run(std::vector<wire::Document> documents) const override {
    if (documents.empty()) return {};
    wire::DocumentBuilder out;
    out.append_int32(field_, static_cast<std::int32_t>(documents.size()));
    return {out.finish()};
  }

 private:
  std::string field_;
};

StagePtr parse_count(const StageInput& input) {
  if (!input.argument.is(Type::String)) throw CommandError(40156, "the count field must be a non-empty string");
  const std::string_view field = input.argument.as_string();
  if (field.empty()) throw CommandError(40157, "the count field must be a non-empty string");
  if (field.starts_with('$')) throw CommandError(40158, "the count field cannot be a $-prefixed path");
  if (field.find('.') != std::string_view::npos) throw CommandError(40160, "the count field cannot contain '.'");
  return std::make_unique<CountStage>(field);
}

class SortByCountStage final : public SetStage {
 public:
  explicit SortByCountStage(ExpressionPtr id) : group_(std::move(id), count_field()) {}
  std::vector<wire::Document> run(std::vector<wire::Document> documents) const override {
    std::vector<wire::Document> groups = group_.run(std::move(documents));
    wire::DocumentBuilder order;
    order.append_int32("count", -1);
    SortPattern::parse(order.view()).sort(groups);
    return groups;
  }

 private:
  static std::vector<GroupField> count_field() {
    std::vector<GroupField> fields;
    fields.push_back({"count", "$sum", parse_expression(Value::int32(1), {})});
    return fields;
  }
  GroupStage group_;
};

StagePtr parse_sort_by_count(const StageInput& input) {
  const ValueView value = input.argument;
  if (value.is(Type::Document)) {
    if (!value.as_document().first().name.starts_with('$'))
      throw CommandError(
          40147, "the sortByCount field must be defined as a $-prefixed path or an expression inside an object");
  } else if (!value.is(Type::String)) {
    throw CommandError(40149, "the sortByCount field must be specified as a string or as an object");
  } else if (!value.as_string().starts_with('$')) {
    throw CommandError(40148,
                       "the sortByCount field must be defined as a $-prefixed path or an expression inside an object");
  }
  return std::make_unique<SortByCountStage>(parse_expression(value, input.context));
}

constexpr StageName names[] = {
    {"$group", parse_group},
    {"$count", parse_count, AfterChangeStream::Refused, InUpdate::Refused, "$group"},
    {"$sortByCount", parse_sort_by_count, AfterChangeStream::Refused, InUpdate::Refused, "$group"},
};

}  // namespace

extern constinit const StageSpec group_stage{names};

}  // namespace emulator
