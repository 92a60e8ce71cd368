// A file of this folder is a family of query predicates ($gt and its like, $elemMatch …): it defines its row, and no other is edited.
// table-type: PredicateSpec
// table-suffix: predicate
// table-accessor: all_predicates
#pragma once

#include <span>
#include <string_view>

#include "emulator/store/match_node.h"

namespace emulator {

// {field: {$gt: 5}} or {$and: […]}.
enum class PredicatePlace { Field, TopLevel };

struct PredicateInput {
  std::string_view path;        // of the field; empty at the top level
  wire::Element element;        // the operator and its argument
  wire::DocumentView siblings;  // the document it stands in ($regex looks for $options there)
  const MatchContext& context;
};

struct PredicateOperator {
  std::string_view name;
  PredicatePlace place = PredicatePlace::Field;
  // nullptr: it restricts nothing ($comment).
  MatchNodePtr (*parse)(const PredicateInput&) = nullptr;
};

struct PredicateSpec {
  std::span<const PredicateOperator> operators;
};

// Each node of a filter says so when what is below it fails to be optimized.
template <class Parse>
auto optimized(const MatchContext& context, Parse&& parse) {
  Optimization* const optimization = context.expressions.optimization;
  const bool had_failed = optimization != nullptr && optimization->failure;
  auto node = parse();
  if (optimization != nullptr && optimization->failure && !had_failed)
    optimization->failure->message.insert(0, "Failed to optimize expression :: caused by :: ");
  return node;
}

std::span<const PredicateSpec* const> all_predicates();
// nullptr: there is none of that name at that place.
const PredicateOperator* find_predicate(std::string_view name, PredicatePlace place);

}  // namespace emulator
