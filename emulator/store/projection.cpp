#include "emulator/store/projection.h"

#include <fmt/format.h>

#include <map>

#include "emulator/array_builder.h"
#include "emulator/expression_parts.h"
#include "emulator/store/projection_edits.h"
#include "emulator/store/projection_tree.h"
#include "emulator/value_text.h"
#include "wire/document_places.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;
using Leaf = ProjectionTree::Leaf;

// {field: {$elemMatch: …}}: the first element that passes, as an array of one.
class ElemMatchField final : public Expression {
 public:
  ElemMatchField(std::string_view field, Matcher matcher) : field_(field), matcher_(std::move(matcher)) {}
  Value evaluate(Variables& variables) const override {
    const ValueView array = variables.root.find(field_);
    if (!array.is(Type::Array)) return {};
    wire::DocumentBuilder document;
    document.append("", array);
    const std::optional<std::size_t> position = matcher_.matched_position(document.view());
    if (!position) return {};
    return ArrayBuilder().add(array.as_document().find(std::to_string(*position))).finish();
  }

 private:
  std::string field_;
  Matcher matcher_;
};

bool is_flag(ValueView value) { return value.is_number() || value.is(Type::Bool); }

class Parser {
 public:
  Parser(ProjectionKind kind, wire::DocumentView spec, const MatchContext& context)
      : kind_(kind), spec_(spec), context_(context) {}

  void parse() {
    parse(spec_, {}, all_);
    if (refused_expression_) throw CommandError(*refused_expression_);
  }

  ProjectionTree finish(ProjectionEdits& edits) {
    const bool includes =
        mode_ ? *mode_ == TreeMode::Inclusion : id_ == Leaf::Kept || (has_elem_match_ && edits_.empty());
    ProjectionTree tree(includes ? TreeMode::Inclusion : TreeMode::Exclusion,
                        wording() <= Wording::V4_2 ? TreeForm::Until4_2 : TreeForm::Since4_4);
    if (includes && !id_named_ && !id_) id_ = Leaf::Kept;
    if (id_ && (*id_ == Leaf::Kept) == includes) fields_.push_back({"_id", *id_, nullptr});
    for (Field& field : fields_)
      if (includes || !field.only_if_inclusion)
        tree.add(path_steps(field.path), field.leaf, std::move(field.expression));
    edits = std::move(edits_);
    return tree;
  }

 private:
  struct Field {
    std::string path;
    Leaf leaf;
    ExpressionPtr expression;
    bool only_if_inclusion = false;
  };

  // Where the paths lead that were read so far: to a field, or on the way to some.
  struct Place {
    bool is_field = false;
    std::map<std::string, Place, std::less<>> below;
  };
  enum class Takes { Field, Way };

  // The paths of one document must not stand in each other's way. Messages know no more of a path than this document says.
  Place& take(Place& from, std::string_view name, Takes takes) const {
    const std::vector<std::string> steps = split_field_path(name, wording());
    Place* place = &from;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (place->is_field)
        throw CommandError(31249, fmt::format("Path collision at {} remaining portion {}", name,
                                              fmt::join(steps.begin() + 1, steps.end(), ".")));
      const auto [below, is_new] = place->below.try_emplace(steps[i]);
      place = &below->second;
      const bool is_last = i + 1 == steps.size();
      if (is_last && !is_new && (takes == Takes::Field || place->is_field))
        throw CommandError(31250, fmt::format("Path collision at {}", name));
    }
    place->is_field = takes == Takes::Field;
    return *place;
  }

  void parse(wire::DocumentView spec, const std::string& parent, Place& place) {
    for (const wire::Element& element : spec)
      parse_field(element, parent.empty() ? std::string(element.name) : parent + "." + std::string(element.name),
                  place);
  }

  Wording wording() const { return context_.expressions.profile->wording; }
  // find's, until 4.2: without expressions and documents inside.
  bool is_plain() const { return kind_ == ProjectionKind::Find && wording() <= Wording::V4_2; }

  void parse_field(const wire::Element& element, const std::string& path, Place& place) {
    if (path.find(".$.") != std::string::npos)
      throw CommandError(31394,
                         "As of 4.4, it's illegal to specify positional operator in the middle of a path.Positional "
                         "projection may only be "
                         "used at the end, for example: a.b.$. If the query previously used a form like a.b.$.d, "
                         "remove the parts following "
                         "the '$' and the results will be equivalent.");
    if (path.ends_with(".$")) return parse_positional(element, path.substr(0, path.size() - 2), place);
    split_field_path(element.name.empty() ? element.name : path, wording());
    const ValueView value = element.value;
    if (is_flag(value) || (is_plain() && !value.is(Type::Document))) {
      take(place, element.name, Takes::Field);
      return parse_flag(element.name, path, is_true(value) ? Leaf::Kept : Leaf::Dropped);
    }
    if (!value.is(Type::Document)) return add_computed(element, path, place, expression_of(value));
    if (is_plain()) return parse_plain_operator(element, path, place);
    parse_nested(element, path, place);
  }

  void parse_plain_operator(const wire::Element& element, const std::string& path, Place& place) {
    const wire::DocumentView object = element.value.as_document();
    const wire::Element first = object.first();
    if (object.count() != 1) throw CommandError(2, fmt::format(">1 field in obj: {}", bson_text(object)));
    if (first.name == "$slice") return parse_slice(element, first.value, path, place);
    if (first.name == "$elemMatch") return parse_elem_match(element, first.value, path, place);
    if (first.name == "$meta") return parse_operator(element, first, path, place);
    throw CommandError(2, fmt::format("Unsupported projection option: {}", bson_text(element)));
  }

  void parse_flag(std::string_view name, const std::string& path, Leaf leaf) {
    if (path == "_id") {
      id_ = leaf;
      return;
    }
    if (is_plain() && leaf == Leaf::Dropped && id_ == Leaf::Kept) refuse_mix(TreeMode::Exclusion, name);
    set_mode(leaf == Leaf::Kept ? TreeMode::Inclusion : TreeMode::Exclusion, name);
    fields_.push_back({path, leaf, nullptr});
  }

  void set_mode(TreeMode mode, std::string_view path) {
    if (!mode_) mode_ = mode;
    if (*mode_ != mode) refuse_mix(mode, path);
  }

  [[noreturn]] void refuse_mix(TreeMode mode, std::string_view path) const {
    if (is_plain()) throw CommandError(2, "Projection cannot have a mix of inclusion and exclusion.");
    if (wording() <= Wording::V4_2) refuse_specification(mode, mode == TreeMode::Inclusion ? 40179 : 40178);
    if (mode == TreeMode::Inclusion)
      throw CommandError(31253, fmt::format("Cannot do inclusion on field {} in exclusion projection", path));
    throw CommandError(31254, fmt::format("Cannot do exclusion on field {} in inclusion projection", path));
  }

  // The aggregation's, until 4.2.
  static constexpr int operator_in_exclusion = 40182;
  [[noreturn]] void refuse_specification(TreeMode mode, int code) const {
    const bool includes = mode == TreeMode::Inclusion;
    throw CommandError(code,
                       fmt::format("Bad projection specification, cannot {}: {}",
                                   includes ? "include fields or add computed fields during an exclusion projection"
                                            : "exclude fields other than '_id' in an inclusion projection",
                                   bson_text(spec_)));
  }

  void add_computed(const wire::Element& element, const std::string& path, Place& place, ExpressionPtr expression) {
    take(place, element.name, Takes::Field);
    if (!mode_) mode_ = TreeMode::Inclusion;
    if (*mode_ == TreeMode::Exclusion && wording() <= Wording::V4_2) refuse_specification(TreeMode::Inclusion, 40179);
    if (*mode_ == TreeMode::Exclusion)
      throw CommandError(31310,
                         fmt::format("Cannot use an expression {} in an exclusion projection", bson_text(element)));
    if (path == "_id" || path.starts_with("_id.")) id_named_ = true;
    fields_.push_back({path, Leaf::Computed, std::move(expression)});
  }

  void parse_nested(const wire::Element& element, const std::string& path, Place& place) {
    const wire::DocumentView object = element.value.as_document();
    if (object.empty())
      throw CommandError(51270, "An empty sub-projection is not a valid value. Found empty object at path");
    const wire::Element first = object.first();
    if (!first.name.starts_with('$')) {
      if (path == "_id") id_named_ = true;
      return parse(object, path, take(place, element.name, Takes::Way));
    }
    if (object.count() != 1) split_field_path(first.name, wording());  // which such a name is refused by
    if (first.name == "$slice" && kind_ == ProjectionKind::Find) return parse_slice(element, first.value, path, place);
    if (first.name == "$elemMatch" && wording() > Wording::V4_2)
      return parse_elem_match(element, first.value, path, place);
    parse_operator(element, first, path, place);
  }

  // Until 4.2 the aggregation judges a specification as a whole before it reads the expressions in it.
  ExpressionPtr expression_of(ValueView value) {
    if (kind_ == ProjectionKind::Find || wording() > Wording::V4_2)
      return parse_expression(value, context_.expressions);
    try {
      return parse_expression(value, context_.expressions);
    } catch (const CommandError& error) {
      if (!refused_expression_) refused_expression_ = error;
      return nullptr;
    }
  }

  void parse_operator(const wire::Element& element, const wire::Element& first, const std::string& path, Place& place) {
    if (mode_ == TreeMode::Exclusion && wording() <= Wording::V4_2)
      refuse_specification(TreeMode::Inclusion, operator_in_exclusion);
    if (mode_ == TreeMode::Exclusion)
      throw CommandError(31252, "Cannot use expression other than $meta in exclusion projection");
    ExpressionPtr expression;
    try {
      expression = expression_of(element.value);
    } catch (const UnknownExpression& unknown) {
      // A projection has its own words for the operator it was given itself.
      if (wording() > Wording::V4_2 && unknown.name == first.name)
        throw CommandError(31325, fmt::format("Unknown expression {}", first.name));
      throw;
    }
    add_computed(element, path, place, std::move(expression));
  }

  void parse_slice(const wire::Element& element, ValueView argument, const std::string& path, Place& place) {
    std::string refusal;
    if (const std::optional<SliceEdit> edit = slice_edit(argument, path, refusal)) {
      take(place, element.name, Takes::Field);
      edits_.slices.push_back(*edit);
      fields_.push_back({path, Leaf::Kept, nullptr, true});
      return;
    }
    if (is_plain()) throw CommandError(2, refusal.substr(refusal.find(' ') + 1));
    ExpressionPtr expression;
    try {
      expression = parse_expression(element.value, context_.expressions);
    } catch (const CommandError& error) {
      throw CommandError(
          28667,
          fmt::format("Invalid $slice syntax. The given syntax {} did not match the find() syntax because :: {} :: The "
                      "given syntax did not match the expression $slice syntax. :: caused by :: {}",
                      bson_text(element.value), refusal, error.message));
    }
    add_computed(element, path, place, std::move(expression));
  }

  void parse_elem_match(const wire::Element& element, ValueView argument, const std::string& path, Place& place) {
    if (kind_ == ProjectionKind::Aggregate) throw CommandError(168, "Cannot use $elemMatch in this context");
    if (!argument.is(Type::Document) && is_plain())
      throw CommandError(2, "elemMatch: Invalid argument, object required.");
    if (!argument.is(Type::Document))
      throw CommandError(31274, fmt::format("elemMatch: Invalid argument, object required, but got {}",
                                            wire::type_name(argument.type())));
    if (path.find('.') != std::string::npos)
      throw CommandError(is_plain() ? 2 : 31275, "Cannot use $elemMatch projection on a nested field.");
    take(place, element.name, Takes::Field);
    wire::DocumentBuilder filter;
    filter.begin_document("").append("$elemMatch", argument).end();
    fields_.push_back(
        {path, Leaf::Computed, std::make_unique<ElemMatchField>(path, Matcher::parse(filter.view(), context_))});
    has_elem_match_ = true;
  }

  void parse_positional(const wire::Element& element, const std::string& path, Place& place) {
    if (kind_ == ProjectionKind::Aggregate)
      throw CommandError(31324, "Cannot use positional projection in aggregation projection");
    if (is_flag(element.value) && !is_true(element.value))
      throw CommandError(31395, "positional projection cannot be used with exclusion");
    if (!is_flag(element.value))
      throw CommandError(31271, "positional projection cannot be used with a literal or expression");
    if (edits_.positional) throw CommandError(31276, "Cannot specify more than one positional projection per query.");
    take(place, element.name.substr(0, element.name.size() - 2), Takes::Field);
    set_mode(TreeMode::Inclusion, path);
    edits_.positional = path;
    fields_.push_back({path, Leaf::Kept, nullptr});
  }

  ProjectionKind kind_;
  wire::DocumentView spec_;
  const MatchContext& context_;
  std::optional<TreeMode> mode_;
  std::optional<Leaf> id_;
  bool id_named_ = false;
  bool has_elem_match_ = false;
  std::optional<CommandError> refused_expression_;
  std::vector<Field> fields_;
  Place all_;
  ProjectionEdits edits_;
};

}  // namespace

struct Projection::Node {
  ProjectionKind kind;
  ProjectionTree tree;
  ProjectionEdits edits;
};

Projection::Projection() = default;
Projection::Projection(Projection&&) noexcept = default;
Projection& Projection::operator=(Projection&&) noexcept = default;
Projection::~Projection() = default;

Projection Projection::parse(wire::DocumentView spec, ProjectionKind kind, const MatchContext& context) {
  Projection made;
  if (spec.empty()) {
    if (kind == ProjectionKind::Find) return made;
    throw CommandError(51272, "projection specification must have at least one field");
  }
  Optimization optimization;
  MatchContext optimized = context;
  if (kind == ProjectionKind::Find) optimized.expressions.optimization = &optimization;
  Parser parser(kind, spec, optimized);
  parser.parse();
  made.failure_ = std::move(optimization.failure);
  ProjectionEdits edits;
  ProjectionTree tree = parser.finish(edits);
  made.root_ = std::make_unique<const Node>(kind, std::move(tree), std::move(edits));
  return made;
}

wire::Document Projection::apply(const wire::Document& document, const Matcher* filter) const {
  if (!root_) return document;
  wire::Document out = root_->tree.apply(document);
  if (root_->kind == ProjectionKind::Aggregate) return out;
  out = wire::without_places(out);
  return root_->edits.empty() ? out : root_->edits.apply(out, document, filter);
}

}  // namespace emulator
