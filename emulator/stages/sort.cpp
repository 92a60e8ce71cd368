// $sort, $limit, $skip.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/arguments.h"
#include "emulator/stages/set_stage.h"
#include "emulator/stages/table.h"
#include "emulator/store/match_node.h"
#include "emulator/store/sort.h"

namespace emulator {
namespace {

class SortStage final : public SetStage {
 public:
  explicit SortStage(SortPattern pattern) : pattern_(std::move(pattern)) {}
  std::vector<wire::Document> run(std::vector<wire::Document> documents) const override {
    pattern_.sort(documents);
    return documents;
  }

 private:
  SortPattern pattern_;
};

StagePtr parse_sort(const StageInput& input) {
  if (!input.argument.is(wire::Type::Document))
    throw CommandError(15973, "the $sort key specification must be an object");
  const wire::DocumentView spec = input.argument.as_document();
  if (spec.empty()) throw CommandError(15976, "$sort stage must have at least one sort key");
  if (spec.has("$natural"))
    throw CommandError(16410, "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
  return std::make_unique<SortStage>(SortPattern::parse(spec, input.context.profile->wording, input.context.collation));
}

class LimitStage final : public SetStage {
 public:
  explicit LimitStage(std::int64_t limit) : limit_(static_cast<std::size_t>(limit)) {}
  std::vector<wire::Document> run(std::vector<wire::Document> documents) const override {
    if (documents.size() > limit_) documents.resize(limit_);
    return documents;
  }

 private:
  std::size_t limit_;
};

// Until 4.4 any number will do, without its fraction.
std::int64_t old_limit(wire::ValueView argument) {
  if (!argument.is_number()) throw CommandError(15957, "the limit must be specified as a number");
  return std::max<std::int64_t>(whole_number(argument), 0);
}

std::int64_t old_skip(wire::ValueView argument) {
  if (!argument.is_number())
    throw CommandError(15972,
                       fmt::format("Argument to $skip must be a number not a {}", wire::type_name(argument.type())));
  const std::int64_t skip = whole_number(argument);
  if (skip < 0) throw CommandError(15956, "Argument to $skip cannot be negative");
  return skip;
}

StagePtr parse_limit(const StageInput& input) {
  const Wording wording = input.context.profile->wording;
  const std::int64_t limit = wording <= Wording::V4_4
                                 ? old_limit(input.argument)
                                 : whole_number({input.name, input.argument}, Whole::NonNegative, wording, 5107201,
                                                "invalid argument to $limit stage: ");
  if (limit == 0) throw CommandError(15958, "the limit must be positive");
  return std::make_unique<LimitStage>(limit);
}

class SkipStage final : public SetStage {
 public:
  explicit SkipStage(std::int64_t skip) : skip_(skip) {}
  std::vector<wire::Document> run(std::vector<wire::Document> documents) const override {
    documents.erase(documents.begin(),
                    documents.begin() + std::min<std::int64_t>(skip_, static_cast<std::int64_t>(documents.size())));
    return documents;
  }

 private:
  std::int64_t skip_;
};

StagePtr parse_skip(const StageInput& input) {
  const Wording wording = input.context.profile->wording;
  return std::make_unique<SkipStage>(wording <= Wording::V4_4
                                         ? old_skip(input.argument)
                                         : whole_number({input.name, input.argument}, Whole::NonNegative, wording,
                                                        5107200, "invalid argument to $skip stage: "));
}

constexpr StageName names[] = {{"$sort", parse_sort}, {"$limit", parse_limit}, {"$skip", parse_skip}};

}  // namespace

extern constinit const StageSpec sort_stage{names};

}  // namespace emulator
