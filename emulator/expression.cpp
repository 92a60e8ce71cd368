#include "emulator/expression.h"

#include <fmt/format.h>

#include <algorithm>

#include "emulator/array_builder.h"
#include "emulator/collation.h"
#include "emulator/dollar_names.h"
#include "emulator/dotted_path.h"
#include "emulator/expression_parts.h"
#include "emulator/expressions/table.h"
#include "emulator/value_text.h"
#include "wire/decimal.h"
#include "wire/document_places.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

class ConstantNode final : public Expression {
 public:
  explicit ConstantNode(Value value) : value_(std::move(value)) {}
  Value evaluate(Variables&) const override { return value_; }
  const Value* constant() const override { return &value_; }

 private:
  Value value_;
};

constexpr std::size_t field_path_steps_max = 200;  // FieldPath takes BSONDepth's bound

// "$a.b" and "$$this.a.b": a path from the document or from a local, whose name (CURRENT, where none is said) counts.
class FieldPathNode final : public Expression {
 public:
  FieldPathNode(std::optional<std::size_t> slot, std::string path, std::vector<std::string> steps)
      : slot_(slot), path_(std::move(path)), steps_(std::move(steps)) {}
  Value evaluate(Variables& variables) const override {
    if (slot_) return value_at(variables.locals[*slot_], steps_);
    return value_at(ValueView(Type::Document, variables.root.bytes()), steps_);
  }
  std::string_view field_path() const override { return slot_ ? std::string_view() : std::string_view(path_); }

 private:
  std::optional<std::size_t> slot_;
  std::string path_;
  std::vector<std::string> steps_;
};

ExpressionPtr make_field_path(std::optional<std::size_t> slot, std::string path, Wording wording) {
  std::vector<std::string> steps;
  if (!path.empty()) steps = split_field_path(path, wording);
  if (steps.size() >= field_path_steps_max) throw CommandError(15, "FieldPath is too long");
  return std::make_unique<FieldPathNode>(slot, std::move(path), std::move(steps));
}

class ObjectNode final : public Expression {
 public:
  struct Member {
    std::string name;
    ExpressionPtr expression;
  };
  explicit ObjectNode(std::vector<Member> members) : members_(std::move(members)) {}
  Value evaluate(Variables& variables) const override {
    wire::DocumentBuilder out;
    if (!members_.empty()) out.append({}, wire::change_mark);
    for (const auto& [name, expression] : members_) append_placed(out, name, expression->evaluate(variables));
    return Value::document(out.view());
  }

 private:
  std::vector<Member> members_;
};

class ArrayNode final : public Expression {
 public:
  explicit ArrayNode(std::vector<ExpressionPtr> items) : items_(std::move(items)) {}
  Value evaluate(Variables& variables) const override {
    ArrayBuilder out;
    for (const ExpressionPtr& item : items_) {
      const Value value = item->evaluate(variables);
      out.add(value ? value : Value::null());
    }
    return out.finish();
  }

 private:
  std::vector<ExpressionPtr> items_;
};

// What its argument compares by under a collation.
class KeyNode final : public Expression {
 public:
  KeyNode(ExpressionPtr argument, CollationPtr collation)
      : argument_(std::move(argument)), collation_(std::move(collation)) {}
  Value evaluate(Variables& variables) const override { return collation_->key(argument_->evaluate(variables)); }

 private:
  ExpressionPtr argument_;
  CollationPtr collation_;
};

const ExpressionOperator* find_operator(std::string_view name, const ParseContext& context) {
  for (const ExpressionSpec* spec : all_expressions())
    for (const ExpressionOperator& each : spec->operators)
      if (each.name == name && context.profile->max_wire_version >= each.wire_version_min) return &each;
  return nullptr;
}

void check_argument_count(const ExpressionOperator& found, std::size_t count) {
  const auto min = static_cast<std::size_t>(found.arguments_min);
  const auto max = static_cast<std::size_t>(found.arguments_max);
  if (count >= min && count <= max) return;
  if (min == max)
    throw CommandError(
        16020, fmt::format("Expression {} takes exactly {} arguments. {} were passed in.", found.name, min, count));
  throw CommandError(28667,
                     fmt::format("Expression {} takes at least {} arguments, and at most {}, but {} were passed in.",
                                 found.name, min, max, count));
}

// What names were refused with until 4.4: an empty one, its first character, another.
struct NameCodes {
  int empty;
  int first;
  int other;
};
constexpr NameCodes definition_codes{16866, 16867, 16868};
constexpr NameCodes reference_codes{16869, 16870, 16871};

void check_name(std::string_view name, Wording wording, const NameCodes& codes) {
  const auto code = [&](int own) { return wording <= Wording::V4_4 ? own : 9; };
  if (name.empty()) throw CommandError(code(codes.empty), "empty variable names are not allowed");
  const auto first = static_cast<unsigned char>(name.front());
  if (!((first >= 'a' && first <= 'z') || first >= 0x80))
    throw CommandError(code(codes.first),
                       fmt::format("'{}' starts with an invalid character for a user variable name", name));
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool ok =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || byte >= 0x80;
    if (!ok)
      throw CommandError(code(codes.other),
                         fmt::format("'{}' contains an invalid character for a variable name: '{}'", name, c));
  }
}

// A name to be looked up may begin with a capital, as the built-in ones do.
void check_variable_reference(std::string_view name, Wording wording) {
  if (name.empty() || name.front() < 'A' || name.front() > 'Z') check_name(name, wording, reference_codes);
}

// What a message about such a name ends with.
std::string_view advice(Wording wording) {
  return wording <= Wording::V4_4 ? "" : " Consider using $getField or $setField.";
}

Value value_at_array(ValueView array, std::span<const std::string> steps) {
  ArrayBuilder out;
  for (const wire::Element& element : array.as_document())
    if (element.value.is(Type::Document))
      if (const Value value = value_at(element.value, steps)) out.add(value);
  return out.finish();
}

}  // namespace

ExpressionPtr make_constant(Value value) { return std::make_unique<ConstantNode>(std::move(value)); }
Value value_at(ValueView base, std::span<const std::string> steps) {
  ValueView value = base;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (value.is(Type::Array)) return value_at_array(value, steps.subspan(i));
    if (!value.is(Type::Document)) return {};
    value = value.as_document().find(steps[i]);
  }
  return value;
}

std::vector<std::string> path_steps(std::string_view path) {
  const std::vector<std::string_view> steps = dotted_steps(path);
  return {steps.begin(), steps.end()};
}

std::vector<std::string> split_field_path(std::string_view path, Wording wording) {
  if (path.empty()) throw CommandError(40352, "FieldPath cannot be constructed with empty string");
  if (path.ends_with('.')) throw CommandError(40353, "FieldPath must not end with a '.'.");
  std::vector<std::string> steps;
  for (const std::string_view step : dotted_steps(path)) {
    if (step.empty()) throw CommandError(15998, "FieldPath field names may not be empty strings.");
    if (step.front() == '$' && !is_db_ref_name(step))
      throw CommandError(16410, fmt::format("FieldPath field names may not start with '$'.{}", advice(wording)));
    if (step.find('\0') != std::string_view::npos)
      throw CommandError(16411, "FieldPath field names may not contain '\\0'.");
    steps.emplace_back(step);
  }
  if (steps.size() > field_path_steps_max) throw CommandError(15, "FieldPath is too long");
  return steps;
}

std::optional<std::size_t> ParseScope::slot_of(std::string_view name) const {
  for (std::size_t i = locals_.size(); i > 0; --i)
    if (locals_[i - 1] == name) return i - 1;
  return std::nullopt;
}

ExpressionPtr ParseScope::parse(ValueView value) {
  switch (value.type()) {
    case Type::String:
      if (value.as_string().starts_with('$')) return parse_path(value.as_string());
      return make_constant(value);
    case Type::Document:
      return parse_object(value.as_document());
    case Type::Array: {
      std::vector<ExpressionPtr> items = parse_arguments(value);
      if (std::all_of(items.begin(), items.end(),
                      [](const ExpressionPtr& item) { return item->constant() != nullptr; })) {
        ArrayBuilder out;
        for (const ExpressionPtr& item : items)
          out.add(item->constant()->missing() ? Value::null() : *item->constant());
        return make_constant(out.finish());
      }
      return std::make_unique<ArrayNode>(std::move(items));
    }
    default:
      return make_constant(value);
  }
}

std::vector<ExpressionPtr> ParseScope::parse_arguments(ValueView value) {
  std::vector<ExpressionPtr> arguments;
  if (!value.is(Type::Array)) {
    arguments.push_back(parse(value));
    return arguments;
  }
  for (const wire::Element& element : value.as_document()) arguments.push_back(parse(element.value));
  return arguments;
}

ExpressionPtr ParseScope::parse_path(std::string_view text) {
  const Wording wording = context.profile->wording;
  if (text == "$") throw CommandError(16872, "'$' by itself is not a valid FieldPath");
  if (!text.starts_with("$$")) {
    if (fields_ == Fields::Refused)
      throw CommandError(
          4890500,
          "Command let Expression tried to access a field, but this is not allowed because Command let Expressions run "
          "before the query examines any documents.");
    ++changing_;
    return make_field_path(slot_of("CURRENT"), std::string(text.substr(1)), wording);
  }
  const std::string_view rest = text.substr(2);
  const std::size_t dot = rest.find('.');
  const std::string_view name = rest.substr(0, dot);
  const std::string path(dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1));
  check_variable_reference(name, wording);
  const auto slot = slot_of(name);
  // Up to 4.4 no variable is constant; what a $lookup defines never is.
  const bool is_constant = wording > Wording::V4_4 && (name == "NOW" || name == "CLUSTER_TIME" ||
                                                       (context.depth == 0 && !slot && context.let.has(name)));
  if (!is_constant) ++changing_;
  if (slot || name == "ROOT" || name == "CURRENT") {
    split_field_path(rest, wording);
    return make_field_path(slot, path, wording);
  }
  Value value;
  if (name == "NOW") {
    value = Value::date(context.now_ms);
  } else if (name == "CLUSTER_TIME") {
    if (context.cluster_time == wire::Timestamp{})
      throw CommandError(51144, "Builtin variable '$$CLUSTER_TIME' is not available");
    value = Value::timestamp(context.cluster_time);
  } else if (context.let.has(name)) {
    if (!context.let[name].is(Type::Undefined)) value = context.let[name];
  } else if (name != "REMOVE") {
    if (name == "USER_ROLES" || name == "SEARCH_META" || name == "JS_SCOPE")
      not_built(fmt::format("the variable $${}", name));
    throw CommandError(17276, fmt::format("Use of undefined variable: {}", name));
  }
  split_field_path(rest, wording);  // only once the name is known
  if (path.empty()) return make_constant(std::move(value));
  return make_constant(value_at(value, path_steps(path)));
}

ExpressionPtr ParseScope::parse_operator(const ExpressionOperator& found, const ExpressionInput& input) {
  if (found.parse) return found.parse(input);
  std::vector<ExpressionPtr> arguments = parse_arguments(input.argument);
  check_argument_count(found, arguments.size());
  optimize_parts(found, input, arguments);
  if (context.collation && found.under_collation == UnderCollation::ByKeys)
    for (ExpressionPtr& argument : arguments)
      argument = std::make_unique<KeyNode>(std::move(argument), context.collation);
  return make_call(input, std::move(arguments), found.evaluate, found.arguments);
}

ExpressionPtr ParseScope::parse_object(wire::DocumentView object) {
  const wire::Element first = object.first();
  if (first.name.starts_with('$')) {
    if (object.count() != 1)
      throw CommandError(15983, fmt::format("An object representing an expression must have exactly one field: {}",
                                            bson_text(object)));
    const ExpressionOperator* found = find_operator(first.name, context);
    if (!found) throw UnknownExpression(first.name);
    if (context.collation && found->under_collation == UnderCollation::Refused)
      not_built(fmt::format("the expression {} under a collation", found->name));
    const std::size_t changing_before = changing_;
    ExpressionPtr made = parse_operator(*found, {found->name, first.value, *this});
    if (found->folding == Folding::Never) ++changing_;
    if (changing_ == changing_before) optimize(*made);
    return made;
  }
  const Wording wording = context.profile->wording;
  std::vector<ObjectNode::Member> members;
  for (const auto& [name, value] : object) {
    if (name.starts_with('$'))
      throw CommandError(16410, fmt::format("FieldPath field names may not start with '$'.{}", advice(wording)));
    if (name.empty()) throw CommandError(15998, "FieldPath field names may not be empty strings.");
    if (name.find('.') != std::string_view::npos)
      throw CommandError(16412, fmt::format("FieldPath field names may not contain '.'.{}", advice(wording)));
    ObjectNode::Member& member = members.emplace_back();
    member.name = name;
    member.expression = parse(value);
  }
  return std::make_unique<ObjectNode>(std::move(members));
}

void check_variable_name(std::string_view name, Wording wording) {
  if (name != "CURRENT") check_name(name, wording, definition_codes);
}

ExpressionPtr parse_expression(ValueView value, const ParseContext& context) {
  return ParseScope(context).parse(value);
}

Value evaluate(const Expression& expression, wire::DocumentView document) {
  Variables variables(document);
  return expression.evaluate(variables);
}

wire::Document evaluate_let(wire::DocumentView let, const ParseContext& context) {
  wire::DocumentBuilder out;
  Variables variables{wire::DocumentView()};
  for (const auto& [name, value] : let) {
    check_variable_name(name, context.profile->wording);
    const Value evaluated = ParseScope(context, Fields::Refused).parse(value)->evaluate(variables);
    // A variable that holds nothing is known all the same: undefined is how BSON says that.
    if (evaluated)
      out.append(name, evaluated);
    else
      out.append(name, ValueView(Type::Undefined, {}));
  }
  return out.finish();
}

bool is_true(ValueView value) {
  switch (value.type()) {
    case Type::EndOfDocument:
    case Type::Null:
    case Type::Undefined:
      return false;
    case Type::Bool:
      return value.as_bool();
    case Type::Int32:
      return value.as_int32() != 0;
    case Type::Int64:
      return value.as_int64() != 0;
    case Type::Double:
      return value.as_double() != 0;
    case Type::Decimal128:
      return !wire::is_zero(value.as_decimal());
    default:
      return true;
  }
}

}  // namespace emulator
