// $exists and $type.
#include "emulator/expression.h"
#include "emulator/predicates/table.h"
#include "emulator/store/type_set.h"

namespace emulator {
namespace {

class ExistsNode final : public PathNode {
 public:
  explicit ExistsNode(std::string_view path) : PathNode(path, LeafArrays::Traversed) {}
  bool matches_value(wire::ValueView value) const override { return !value.missing(); }
};

MatchNodePtr parse_exists(const PredicateInput& input) {
  auto exists = std::make_unique<ExistsNode>(input.path);
  if (is_true(input.element.value)) return exists;
  return make_not(std::move(exists));
}

class TypeNode final : public PathNode {
 public:
  TypeNode(std::string_view path, TypeSet types) : PathNode(path, LeafArrays::Traversed), types_(types) {}
  bool matches_value(wire::ValueView value) const override { return !value.missing() && types_.contains(value.type()); }

 private:
  TypeSet types_;
};

MatchNodePtr parse_type(const PredicateInput& input) {
  return std::make_unique<TypeNode>(input.path, TypeSet::parse(input.path, input.element.value));
}

constexpr PredicateOperator operators[] = {
    {"$exists", PredicatePlace::Field, parse_exists},
    {"$type", PredicatePlace::Field, parse_type},
};

}  // namespace

extern constinit const PredicateSpec element_predicate{operators};

}  // namespace emulator
