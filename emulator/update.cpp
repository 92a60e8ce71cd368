#include "emulator/update.h"

#include <string>

#include "emulator/command_error.h"
#include "emulator/diff.h"
#include "emulator/limits.h"
#include "emulator/upsert.h"
#include "wire/compare.h"
#include "wire/value_text.h"

namespace emulator {
namespace {

using wire::Document;
using wire::DocumentBuilder;
using wire::DocumentView;
using wire::Type;
using wire::ValueView;

void check_size(const Document& post) {
  if (post.size() > static_cast<std::size_t>(document_bytes_max))
    throw CommandError(17419, "Resulting document after update is larger than " + std::to_string(document_bytes_max));
}

// A whole new document's `_id` must be the one it had, though its type may change: 1 and 1.0 are equal.
void check_same_id(ValueView before, ValueView after) {
  if (!before || !after || wire::equal_values(before, after)) return;
  throw CommandError(66,
                     "After applying the update, the (immutable) field '_id' was found to have been altered to _id: " +
                         wire::shell_value_text(after));
}

// A field at top level whose name begins with `$` may be in a document that an upsert inserts.
enum class TopLevelDollars : std::uint8_t { Refused, Allowed };

void check_storable(DocumentView document, TopLevelDollars dollars, DollarNames dollar_names) {
  if (dollar_names == DollarNames::Refused) check_dollar_names({Type::Document, document.bytes()}, {});
  for (const auto& [name, value] : document) {
    if (name.starts_with('$') && dollars == TopLevelDollars::Refused && dollar_names == DollarNames::Stored)
      throw CommandError(52,
                         "The dollar ($) prefixed field '" + std::string(name) + "' in '" + std::string(name) +
                             "' is not allowed in the context of an update's replacement document. Consider using an "
                             "aggregation pipeline with $replaceWith.");
    if (name != "_id") continue;
    if (value.is(Type::Array) || value.is(Type::Regex) || value.is(Type::Undefined))
      throw CommandError(53, "The '_id' value cannot be of type " + std::string(type_name(value.type())));
    if (!value.is(Type::Document)) continue;
    for (const auto& field : value.as_document())
      if (field.name.starts_with('$'))
        throw CommandError(52, "_id fields may not contain '$'-prefixed fields: " + std::string(field.name) +
                                   " is not valid for storage.");
  }
}

// The document with `_id` in first place if it has none itself.
Document with_id(const Document& document, ValueView id) {
  if (!id || document.has("_id")) return document;
  DocumentBuilder out;
  return out.append("_id", id).append_all(document).finish();
}

// Stored with `_id` first, logged in the order it was given.
UpdateResult replaced_by(const Document& post) { return {UpdateResult::Kind::Replacement, id_first(post), post}; }

// {$each: []}, by which only the array itself is made.
bool adds_nothing(ValueView argument) {
  if (!argument.is(Type::Document)) return false;
  const ValueView each = argument.as_document()["$each"];
  return each.is(Type::Array) && each.as_document().empty();
}

}  // namespace

Update Update::parse(ValueView u, ValueView array_filters, const UpdateContext& context) {
  Update update;
  update.u_ = Document(u.as_document());
  if (array_filters.is(Type::Array)) update.array_filters_ = Document(array_filters.as_document());
  update.time_ = context.time;
  update.dollar_names_ = context.dollar_names;
  update.form_ = context.form;
  update.pipelines_ = context.pipelines;
  update.filters_ = parse_array_filters(update.array_filters_, context.expressions);
  if (u.is(Type::Array)) {
    if (!update.array_filters_.empty())
      throw CommandError(9, context.expressions.profile->wording <= Wording::V5_0
                                ? "arrayFilters may not be specified for pipeline-syle updates"
                                : "arrayFilters may not be specified for pipeline-style updates");
    update.kind_ = Kind::Pipeline;
    update.pipeline_ = Pipeline::parse(update.u_, PipelineKind::Update, context.expressions);
    return update;
  }
  update.kind_ = u.as_document().first().name.starts_with('$') ? Kind::Operators : Kind::Replacement;
  if (update.kind_ == Kind::Operators) update.parse_operators(context);
  return update;
}

void Update::parse_operators(const UpdateContext& context) {
  ArrayFilterUse use;
  for (const auto& [id, filter] : filters_) use[id] = false;
  UpdateTreeBuilder tree(use, context.expressions, context.order);
  for (const auto& [name, fields] : u_) {
    const UpdateOperatorSpec* spec = find_update_operator(name);
    if (!spec)
      throw CommandError(9, "Unknown modifier: " + std::string(name) +
                                ". Expected a valid update modifier or pipeline-style update specified as an array");
    if (!fields.is(Type::Document))
      throw CommandError(9, "Modifiers operate on fields but we found type " + std::string(type_name(fields.type())) +
                                " instead. For example: {$mod: {<field>: ...}} not {" + std::string(name) + ": " +
                                wire::shell_value_text(fields) + "}");
    if (fields.as_document().empty() && context.empty_operators == EmptyOperators::Refused)
      throw CommandError(9, "'" + std::string(name) + "' is empty. You must specify a field like so: {" +
                                std::string(name) + ": {<field>: ...}}");
    for (const auto& field : fields.as_document()) tree.add(*spec, field.name, field.value);
  }
  for (const auto& [id, used] : use)
    if (!used)
      throw CommandError(9, "The array filter for identifier '" + std::string(id) + "' was not used in the update " +
                                wire::shell_document_text(u_));
  needs_position_ = tree.uses_positional();
  root_ = tree.finish();
  const auto id = root_->children.find("_id");
  refuses_id_as_array_ = context.expressions.profile->wording > Wording::V4_4 && id != root_->children.end() &&
                         id->second->kind == UpdateNode::Kind::Operator &&
                         id->second->spec->array_as_id == ArrayAsId::AsArray &&
                         !adds_nothing(u_[id->second->spec->name].as_document()["_id"]);
}

UpdateResult Update::apply(const Document& pre, std::optional<std::size_t> position) const {
  UpdateResult result = kind_ == Kind::Operators     ? apply_operators(pre, position)
                        : kind_ == Kind::Replacement ? apply_replacement(pre)
                                                     : apply_pipeline(pre);
  check_size(result.post);
  return result;
}

UpdateResult Update::apply_operators(const Document& pre, std::optional<std::size_t> position) const {
  std::string matched_index = position ? std::to_string(*position) : std::string();
  DiffLog diff;
  SetAndUnsetLog set_and_unset;
  UpdateLog& log = form_ == OplogFacts::UpdateForm::Diff ? static_cast<UpdateLog&>(diff) : set_and_unset;
  UpdateApplication application({pre, matched_index, AppliesTo::Always, time_, filters_, &log, dollar_names_});
  application.apply(root_);
  if (!application.changed()) return {UpdateResult::Kind::NoOp, pre, {}};
  Document post = application.document().finish();
  Document entry = log.entry(post);
  return {UpdateResult::Kind::Diff, std::move(post), std::move(entry)};
}

// The document that is stored, but for an `_id` of the old one: empty timestamps at top level get the time.
Document Update::replacement() const {
  DocumentBuilder out;
  for (const auto& [name, value] : u_) {
    if (value.is(Type::Timestamp) && value.as_timestamp() == wire::Timestamp{})
      out.append_timestamp(name, time_.cluster_time);
    else
      out.append(name, value);
  }
  return out.finish();
}

// Sent without `_id` it is logged even if nothing changes.
UpdateResult Update::apply_replacement(const Document& pre) const {
  if (pre.view().identical(u_)) return {UpdateResult::Kind::NoOp, pre, {}};
  Document post = with_id(replacement(), pre["_id"]);
  check_storable(post, TopLevelDollars::Refused, dollar_names_);
  check_same_id(pre["_id"], post["_id"]);
  return replaced_by(post);
}

// The difference is that to the pipeline's result as it is: one that drops `_id` is logged to remove it, though it stays.
UpdateResult Update::apply_pipeline(const Document& pre) const {
  Document computed = pipeline_.apply(pre).value_or(pre);
  if (computed.view().identical(pre)) return {UpdateResult::Kind::NoOp, pre, {}};
  if (dollar_names_ == DollarNames::Refused) check_dollar_names({Type::Document, computed.view().bytes()}, {});
  check_same_id(pre["_id"], computed["_id"]);
  if (pipelines_ == OplogFacts::PipelineUpdates::Whole) return replaced_by(with_id(computed, pre["_id"]));
  Document post = id_first(with_id(computed, pre["_id"]));
  std::optional<Document> diff = compute_diff(pre, computed);
  if (!diff) return replaced_by(with_id(computed, pre["_id"]));
  return {UpdateResult::Kind::Diff, std::move(post), diff_entry(*diff)};
}

Document Update::insertion(const Matcher& query) const {
  Document start = query_fields(query, kind_ == Kind::Replacement ? QueryFields::IdOnly : QueryFields::All);
  Document computed;
  if (kind_ == Kind::Operators) {
    UpdateApplication application({start, {}, AppliesTo::InsertOnly, time_, filters_, nullptr, dollar_names_});
    application.apply(root_);
    computed = application.document().finish();
    if (computed["_id"].is(Type::Array) && !start.has("_id") && refuses_id_as_array_)
      throw CommandError(
          54,
          "After applying the update to the document, the field '_id' was found to be an array or array descendant.");
    if (dollar_names_ == DollarNames::Refused) check_dollar_names(application.document().root(), {});
  } else {
    computed = kind_ == Kind::Replacement ? replacement() : pipeline_.apply(start).value_or(start);
    if ((computed.has("_id") ? computed : start)["_id"].is(Type::Array))
      throw CommandError(
          54,
          "After applying the update to the document, the (immutable) field '_id' was found to be an array or array "
          "descendant.");
    check_same_id(start["_id"], computed["_id"]);
  }
  Document inserted = id_first(with_id(computed, start["_id"]));
  check_storable(inserted, TopLevelDollars::Allowed, dollar_names_);
  check_size(inserted);
  return inserted;
}

}  // namespace emulator
