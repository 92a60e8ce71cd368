// Query filters: compiled once, matched against many documents. The predicates are rows of emulator/predicates/.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "emulator/expression.h"
#include "wire/document.h"

namespace emulator {

// Who asks: some predicates are refused in some places.
enum class MatchPlace { Find, Aggregate, ChangeStream, Update, ArrayFilter, PartialIndex, Validator };

struct MatchContext {
  MatchPlace place = MatchPlace::Find;
  ParseContext expressions;
};

class MatchNode;

class Matcher {
 public:
  // Throws CommandError. Keeps its own copy of the filter.
  static Matcher parse(wire::DocumentView filter, const MatchContext& context = {});
  // Tests of one value: {$gt: 5}, as $pull's condition and $elemMatch's value form take them.
  static Matcher parse_value_tests(wire::DocumentView operators, const MatchContext& context = {});

  // Matches everything.
  Matcher();
  Matcher(Matcher&&) noexcept;
  Matcher& operator=(Matcher&&) noexcept;
  ~Matcher();

  bool matches(wire::DocumentView document) const;
  // Tests a single value, without looking into it when it is an array; for parse_value_tests.
  bool matches_value(wire::ValueView value) const;
  // The index of the first element of the array at the filter's path that made it match: the positional `$`. Nullopt: none did.
  std::optional<std::size_t> matched_position(wire::DocumentView document) const;

  // What every match must have as `_id`, if the filter says so.
  std::optional<wire::ValueView> id_equality() const;
  // Whether the filter is {_id: value} and nothing else.
  bool is_id_only() const;
  // Paths that must equal a value, in the filter's order ($and looked into, $in and $all of one value too): what an upsert starts from.
  struct Equality {
    std::string_view path;
    wire::ValueView value;
  };
  std::span<const Equality> equality_fields() const { return equalities_; }
  const wire::Document& filter() const { return filter_; }
  const std::shared_ptr<const Collation>& collation() const { return collation_; }
  bool empty() const { return filter_.empty(); }

 private:
  static Matcher compile(wire::DocumentView filter, const MatchContext& context);
  bool is_exact(wire::ValueView value) const;
  wire::Document filter_;
  std::shared_ptr<const Collation> collation_;
  std::shared_ptr<const MatchNode> root_;
  std::vector<Equality> equalities_;
};

}  // namespace emulator
