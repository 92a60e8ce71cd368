// $merge.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/expression_parts.h"
#include "emulator/merge_modes.h"
#include "emulator/stages/source_stage.h"
#include "emulator/transaction.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

class MergeStage final : public SetStage {
 public:
  MergeStage(const Context& command, MergeSpec spec) : command_(command), spec_(std::move(spec)) {}
  std::vector<wire::Document> run(std::vector<wire::Document> documents) const override {
    merge_documents(command_, spec_, documents);
    return {};
  }

 private:
  const Context& command_;
  MergeSpec spec_;
};

// Up to 5.0 a database without a collection names one of the command's own: "db.".
std::string unnamed_collection(std::string_view db, Wording wording) {
  if (db.empty())
    throw CommandError(73,
                       fmt::format("Collection names cannot start with '.'{}", wording > Wording::V4_4 ? ": ." : ""));
  return fmt::format("{}.", db);
}

// Up to 4.2 internal databases are no different.
void check_not_special(std::string_view collection) {
  if (collection.starts_with("system.") || collection.find('$') != std::string_view::npos)
    throw CommandError(51180, fmt::format("Cannot $merge into special collection: '{}'", collection));
}

void read_into(ValueView into, std::string_view db, Wording wording, MergeSpec& spec) {
  spec.db = db;
  if (into.is(Type::String)) {
    spec.collection = into.as_string();
    if (spec.collection.empty() && wording <= Wording::V5_0) spec.collection = unnamed_collection({}, wording);
    if (spec.collection.empty()) throw CommandError(5786800, "$merge 'into' field cannot be an empty string");
  } else if (into.is(Type::Document)) {
    const wire::DocumentView name = into.as_document();
    const bool unnamed = !name["coll"].is(Type::String) || name["coll"].as_string().empty();
    if (unnamed && wording <= Wording::V5_0) {
      spec.collection = unnamed_collection(name["db"].is(Type::String) ? name["db"].as_string() : "", wording);
      return;
    }
    if (name["db"].is(Type::String)) spec.db = name["db"].as_string();
    if (unnamed)
      throw CommandError(5786801, "$merge 'into' field must specify a 'coll' that is not empty, null or undefined");
    spec.collection = name["coll"].as_string();
  } else {
    throw CommandError(51178, fmt::format("$merge 'into' field  must be either a string or an object, but found {}",
                                          wire::type_name(into.type())));
  }
  if (wording <= Wording::V4_2) return check_not_special(spec.collection);
  if (spec.collection.starts_with("system."))
    throw CommandError(31319, fmt::format("Cannot $merge to special collection: {}", spec.collection));
  if (spec.db == "admin" || spec.db == "config" || spec.db == "local")
    throw CommandError(31320, fmt::format("Cannot $merge to internal database: {}", spec.db));
}

void read_on(ValueView on, MergeSpec& spec) {
  if (on.missing()) {
    spec.on = {"_id"};
    return;
  }
  if (on.is(Type::String)) {
    spec.on = {std::string(on.as_string())};
    return;
  }
  if (!on.is(Type::Array))
    throw CommandError(51186, fmt::format("$merge 'on' field  must be either a string or an array of strings, but "
                                          "found {}",
                                          wire::type_name(on.type())));
  for (const wire::Element& element : on.as_document()) {
    if (!element.value.is(Type::String))
      throw CommandError(51134, fmt::format("$merge 'on' array elements must be strings, but found {}",
                                            wire::type_name(element.value.type())));
    spec.on.emplace_back(element.value.as_string());
  }
  if (spec.on.empty())
    throw CommandError(51187, "If explicitly specifying $merge 'on', must include at least one field");
}

void read_when_matched(ValueView mode, MergeSpec& spec) {
  if (mode.missing()) return;
  if (mode.is(Type::Array)) {
    spec.when_matched = WhenMatched::Pipeline;
    wire::DocumentBuilder out;
    spec.pipeline = out.append("u", mode).finish();
    return;
  }
  static constexpr std::pair<std::string_view, WhenMatched> modes[] = {{"replace", WhenMatched::Replace},
                                                                       {"keepExisting", WhenMatched::KeepExisting},
                                                                       {"merge", WhenMatched::Merge},
                                                                       {"fail", WhenMatched::Fail}};
  if (!mode.is(Type::String))
    throw CommandError(51191, fmt::format("$merge 'whenMatched' field  must be either a string or an array, but found "
                                          "{}",
                                          wire::type_name(mode.type())));
  for (const auto& [name, value] : modes)
    if (name == mode.as_string()) {
      spec.when_matched = value;
      return;
    }
  throw CommandError(
      2, fmt::format("Enumeration value '{}' for field 'whenMatched' is not a valid value.", mode.as_string()));
}

void read_when_not_matched(ValueView mode, MergeSpec& spec) {
  if (mode.missing()) return;
  static constexpr std::pair<std::string_view, WhenNotMatched> modes[] = {
      {"insert", WhenNotMatched::Insert}, {"discard", WhenNotMatched::Discard}, {"fail", WhenNotMatched::Fail}};
  if (!mode.is(Type::String))
    throw CommandError(14, fmt::format("BSON field '$merge.whenNotMatched' is the wrong type '{}', expected type "
                                       "'string'",
                                       wire::type_name(mode.type())));
  for (const auto& [name, value] : modes)
    if (name == mode.as_string()) {
      spec.when_not_matched = value;
      return;
    }
  throw CommandError(2, fmt::format("Enumeration value '{}' for field '$merge.whenNotMatched' is not a valid value.",
                                    mode.as_string()));
}

std::string_view name_of(WhenMatched mode) {
  static constexpr std::string_view names[] = {"replace", "keepExisting", "merge", "fail", "pipeline"};
  return names[static_cast<std::size_t>(mode)];
}

void check_modes(const MergeSpec& spec) {
  const bool kept = spec.when_matched == WhenMatched::KeepExisting || spec.when_matched == WhenMatched::Fail;
  if (kept && spec.when_not_matched != WhenNotMatched::Insert)
    throw CommandError(
        51181,
        fmt::format("Combination of $merge modes 'whenMatched: {}' and 'whenNotMatched: {}' is not supported",
                    name_of(spec.when_matched), spec.when_not_matched == WhenNotMatched::Discard ? "discard" : "fail"));
}

void read_let(ValueView let, const StageInput& input, MergeSpec& spec) {
  if (let.missing()) return;
  if (spec.when_matched != WhenMatched::Pipeline)
    throw CommandError(
        51199, fmt::format("Cannot use 'let' variables with 'whenMatched: {}' mode", name_of(spec.when_matched)));
  if (!let.is(Type::Document))
    throw CommandError(14, fmt::format("BSON field '$merge.let' is the wrong type '{}', expected type 'object'",
                                       wire::type_name(let.type())));
  for (const auto& [name, value] : let.as_document()) {
    check_variable_name(name, input.context.profile->wording);
    if (name == "new" && !(value.is(Type::String) && value.as_string() == "$$ROOT"))
      throw CommandError(51273, "'let' may not define a value for the reserved 'new' variable other than '$$ROOT'");
    spec.let.emplace_back(name, parse_expression(value, without_optimization(input.context)));
  }
}

// The fields must be those of a unique index: `_id`'s, or one of the target's own.
void check_unique(const Context& command, const MergeSpec& spec) {
  if (spec.on == std::vector<std::string>{"_id"}) return;
  const Collection* target = find_collection(command, spec.db, spec.collection);
  if (target != nullptr)
    for (const auto& index : target->indexes()) {
      const IndexSpec& candidate = index->spec();
      if (candidate.unique && !candidate.covers && candidate.key.view().count() == spec.on.size() &&
          std::ranges::all_of(spec.on, [&](const std::string& field) { return candidate.key.has(field); }))
        return;
    }
  throw CommandError(51183, "Cannot find index to verify that join fields will be unique");
}

StagePtr parse(const StageInput& input) {
  const Context& command = command_of(input);
  MergeSpec spec;
  if (input.argument.is(Type::String)) {
    read_into(input.argument, command.request.db, input.context.profile->wording, spec);
    read_on({}, spec);
    return std::make_unique<MergeStage>(command, std::move(spec));
  }
  if (!input.argument.is(Type::Document))
    throw CommandError(14, fmt::format("$merge requires a string or object argument, but found {}",
                                       wire::type_name(input.argument.type())));
  const wire::DocumentView argument = input.argument.as_document();
  static constexpr std::string_view known[] = {"into", "on", "let", "whenMatched", "whenNotMatched"};
  for (const wire::Element& element : argument)
    if (std::ranges::find(known, element.name) == std::end(known))
      throw CommandError(40415, fmt::format("BSON field '$merge.{}' is an unknown field.", element.name));
  if (!argument.has("into")) throw CommandError(40414, "BSON field '$merge.into' is missing but a required field");
  read_into(argument["into"], command.request.db, input.context.profile->wording, spec);
  read_on(argument["on"], spec);
  read_when_matched(argument["whenMatched"], spec);
  read_when_not_matched(argument["whenNotMatched"], spec);
  check_modes(spec);
  read_let(argument["let"], input, spec);
  check_unique(command, spec);
  return std::make_unique<MergeStage>(command, std::move(spec));
}

constexpr StageName names[] = {{.name = "$merge",
                                .parse = parse,
                                .place = StagePlace::Last,
                                .inner = InnerUse::Refused,
                                .in_transaction = StageInTransaction::Refused,
                                .read_concern = StageReadConcern::NotLinearizable}};

}  // namespace

extern constinit const StageSpec merge_stage{names};

}  // namespace emulator
