// $unwind.
#include <fmt/format.h>

#include "emulator/expression_parts.h"
#include "emulator/nested_field.h"
#include "emulator/stages/set_stage.h"
#include "emulator/stages/table.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

enum class EmptyArrays { Dropped, Kept };

class UnwindStage final : public SetStage {
 public:
  UnwindStage(std::string_view path, std::string_view index_path, EmptyArrays empty, Wording wording)
      : steps_(split_field_path(path, wording)), empty_(empty) {
    if (!index_path.empty()) index_steps_ = split_field_path(index_path, wording);
  }

  std::vector<wire::Document> run(std::vector<wire::Document> documents) const override {
    std::vector<wire::Document> out;
    for (const wire::Document& document : documents) unwind(document, out);
    return out;
  }

 private:
  void unwind(const wire::Document& document, std::vector<wire::Document>& out) const {
    ValueView value(Type::Document, document.view().bytes());
    for (const std::string& step : steps_)
      value = value.is(Type::Document) ? value.as_document().find(step) : ValueView();
    if (!value.is(Type::Array)) {
      if (!value.is_nullish() || empty_ == EmptyArrays::Kept) out.push_back(indexed(document, Value::null()));
      return;
    }
    std::int64_t index = 0;
    for (const wire::Element& element : value.as_document())
      out.push_back(indexed(with_nested_field(document, steps_, element.value), Value::int64(index++)));
    if (index == 0 && empty_ == EmptyArrays::Kept)
      out.push_back(indexed(with_nested_field(document, steps_, {}), Value::null()));
  }
  wire::Document indexed(wire::Document document, const Value& index) const {
    return index_steps_.empty() ? document : with_nested_field(document, index_steps_, index);
  }
  std::vector<std::string> steps_;
  std::vector<std::string> index_steps_;
  EmptyArrays empty_;
};

struct Options {
  std::string_view path;
  std::string_view index_path;
  EmptyArrays empty = EmptyArrays::Dropped;
};

Options parse_options(wire::DocumentView spec) {
  Options options;
  for (const auto& [name, value] : spec) {
    if (name == "path") {
      if (!value.is(Type::String))
        throw CommandError(28808, fmt::format("expected a string as the path for $unwind stage, got {}",
                                              wire::type_name(value.type())));
      options.path = value.as_string();
    } else if (name == "preserveNullAndEmptyArrays") {
      if (!value.is(Type::Bool))
        throw CommandError(
            28809, fmt::format("expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage, got {}",
                               wire::type_name(value.type())));
      if (value.as_bool()) options.empty = EmptyArrays::Kept;
    } else if (name == "includeArrayIndex") {
      if (!value.is(Type::String) || value.as_string().empty())
        throw CommandError(
            28810, fmt::format("expected a non-empty string for the includeArrayIndex  option to $unwind stage, got {}",
                               wire::type_name(value.type())));
      if (value.as_string().starts_with('$'))
        throw CommandError(
            28822, fmt::format("includeArrayIndex option to $unwind stage should not be prefixed with a '$': {}",
                               value.as_string()));
      options.index_path = value.as_string();
    } else {
      throw CommandError(28811, fmt::format("unrecognized option to $unwind stage: {}", name));
    }
  }
  return options;
}

StagePtr parse(const StageInput& input) {
  Options options;
  if (input.argument.is(Type::Document))
    options = parse_options(input.argument.as_document());
  else if (input.argument.is(Type::String))
    options.path = input.argument.as_string();
  else
    throw CommandError(15981,
                       fmt::format("expected either a string or an object as specification for $unwind stage, got {}",
                                   wire::type_name(input.argument.type())));
  if (options.path.empty()) throw CommandError(28812, "no path specified to $unwind stage");
  if (!options.path.starts_with('$'))
    throw CommandError(28818,
                       fmt::format("path option to $unwind stage should be prefixed with a '$': {}", options.path));
  return std::make_unique<UnwindStage>(options.path.substr(1), options.index_path, options.empty,
                                       input.context.profile->wording);
}

constexpr StageName names[] = {{"$unwind", parse}};

}  // namespace

extern constinit const StageSpec unwind_stage{names};

}  // namespace emulator
