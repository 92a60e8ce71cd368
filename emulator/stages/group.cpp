// $group, and $count and $sortByCount, which mongod makes of it.
#include <unordered_map>

#include "emulator/accumulator.h"
#include "emulator/collation.h"
#include "emulator/stages/composed_stage.h"
#include "emulator/stages/set_stage.h"
#include "wire/compare.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

// The fields of an `_id` that is an object of expressions; in a group's `_id` none of them is missing. Empty: it is none.
std::vector<std::string> id_fields(ValueView id) {
  std::vector<std::string> names;
  if (!id.is(Type::Document) || id.as_document().first().name.starts_with('$')) return names;
  for (const wire::Element& element : id.as_document()) names.emplace_back(element.name);
  return names;
}

Value with_every_field(const Value& id, const std::vector<std::string>& names) {
  wire::DocumentBuilder out;
  for (const std::string& name : names) {
    const ValueView value = id.view().as_document()[name];
    value ? out.append(name, value) : out.append_null(name);
  }
  return Value::document(out.view());
}

class GroupStage final : public SetStage {
 public:
  GroupStage(ExpressionPtr id, std::vector<std::string> id_names, std::vector<AccumulatedField> fields,
             CollationPtr collation)
      : id_(std::move(id)),
        id_names_(std::move(id_names)),
        fields_(std::move(fields)),
        collation_(std::move(collation)) {}

  std::vector<wire::Document> run(std::vector<wire::Document> documents) const override {
    std::vector<Accumulation> groups;
    std::unordered_map<Value, std::size_t, wire::ValueHash, wire::ValueEqual> index;
    for (const wire::Document& document : documents) {
      Value id = evaluate(*id_, document);
      if (id.missing()) id = Value::null();
      if (!id_names_.empty()) id = with_every_field(id, id_names_);
      const auto [at, is_new] = index.try_emplace(collation_ ? collation_->key(id) : id, groups.size());
      if (is_new) groups.emplace_back(fields_, id);
      groups[at->second].add(fields_, document);
    }
    std::vector<wire::Document> out;
    for (const Accumulation& group : groups) out.push_back(group.finish(fields_, group.group()));
    return out;
  }

 private:
  ExpressionPtr id_;
  std::vector<std::string> id_names_;
  std::vector<AccumulatedField> fields_;
  CollationPtr collation_;
};

StagePtr parse_group(const StageInput& input) {
  if (!input.argument.is(Type::Document)) throw CommandError(15947, "a group's fields must be specified in an object");
  ExpressionPtr id;
  std::vector<std::string> names;
  std::vector<AccumulatedField> fields;
  for (const wire::Element& element : input.argument.as_document()) {
    if (element.name == "_id") {
      id = parse_expression(element.value, input.context);
      names = id_fields(element.value);
    } else {
      fields.push_back(parse_accumulated_field(element, input.context));
    }
  }
  if (!id) throw CommandError(15955, "a group specification must include an _id");
  return std::make_unique<GroupStage>(std::move(id), std::move(names), std::move(fields), input.context.collation);
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
  wire::DocumentBuilder out;
  out.begin_array("stages").begin_document(out.item_name()).begin_document("$group").append("_id", value);
  out.begin_document("count").append_int32("$sum", 1).end().end().end();
  out.begin_document(out.item_name()).begin_document("$sort").append_int32("count", -1).end().end();
  const wire::Document stages = out.end().finish();
  return std::make_unique<ComposedStage>(stages["stages"].as_document(), input);
}

constexpr StageName names[] = {
    {"$group", parse_group},
    {"$count", parse_count, AfterChangeStream::Refused, InUpdate::Refused, "$group"},
    {"$sortByCount", parse_sort_by_count, AfterChangeStream::Refused, InUpdate::Refused, "$group"},
};

}  // namespace

extern constinit const StageSpec group_stage{names};

}  // namespace emulator
