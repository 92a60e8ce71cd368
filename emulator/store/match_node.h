// The nodes of a compiled filter, and how a path walks through arrays on its way to the values. Knows no operator by name.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/profile.h"
#include "emulator/store/matcher.h"
#include "wire/document.h"

namespace emulator {

// One value and where an array was entered on the way to it: the position that `$` stands for in an update or a projection.
struct FoundValue {
  wire::ValueView value;
  std::optional<std::size_t> position;
};

class MatchNode {
 public:
  MatchNode() = default;
  MatchNode(const MatchNode&) = delete;
  MatchNode& operator=(const MatchNode&) = delete;
  virtual ~MatchNode() = default;
  // `position`, if given, takes the array position that made it match.
  virtual bool matches(wire::DocumentView document, std::optional<std::size_t>* position) const = 0;
  // The same test on one value, the path left aside ($elemMatch's value form).
  virtual bool matches_value(wire::ValueView value) const = 0;
  // The equalities that hold for every match, added in order.
  virtual void add_equalities(std::vector<Matcher::Equality>&) const {}
};
using MatchNodePtr = std::unique_ptr<const MatchNode>;

// Whether an array at the end of the path is tried element by element before it is tried as a whole.
enum class LeafArrays { Traversed, Whole };

// A test of the values at a path: true if one of them passes.
class PathNode : public MatchNode {
 public:
  PathNode(std::string_view path, LeafArrays leaf_arrays);
  bool matches(wire::DocumentView document, std::optional<std::size_t>* position) const final;

 protected:
  std::string_view path() const { return path_; }
  // The node's own test may know a position of its own ($elemMatch).
  virtual std::optional<std::size_t> position_in(wire::ValueView) const { return std::nullopt; }

 private:
  using Steps = std::span<const std::string>;
  bool test(const FoundValue& found, std::optional<std::size_t>* position) const;
  bool walk(wire::DocumentView document, Steps steps, std::optional<std::size_t> entered,
            std::optional<std::size_t>* position) const;
  bool walk_array(wire::ValueView array, Steps rest, std::optional<std::size_t> entered,
                  std::optional<std::size_t>* position) const;
  // The array position before this array was entered, and with it.
  struct Entered {
    std::optional<std::size_t> before;
    std::optional<std::size_t> element;
  };
  bool walk_element(const wire::Element& element, Steps rest, const Entered& entered,
                    std::optional<std::size_t>* position) const;
  std::string path_;
  std::vector<std::string> steps_;
  LeafArrays leaf_arrays_;
};

// In: an $or of equalities of one path, which mongod makes an $in. It tells where it matched; an $or does not.
enum class Junction { And, Or, In, Nor };
MatchNodePtr make_junction(Junction junction, std::vector<MatchNodePtr> nodes);
MatchNodePtr make_not(MatchNodePtr node);

// A filter's document: predicates on fields and $-operators of the top level.
MatchNodePtr parse_filter(wire::DocumentView filter, const MatchContext& context);
// {$gt: 1, $lt: 5}: the operators of one field.
MatchNodePtr parse_field_operators(std::string_view path, wire::DocumentView operators, const MatchContext& context);
// Whether the value of a field is a document of operators: its first name begins with `$` and it is no DBRef.
bool is_operators(wire::ValueView value);

enum class Comparison { Equal, Less, LessOrEqual, Greater, GreaterOrEqual };
// Compares as queries do: values of other types do not match (but null matches what is missing, MinKey and MaxKey compare with all).
bool compares(wire::ValueView value, Comparison comparison, wire::ValueView against);
// Under the context's collation, if it has one.
MatchNodePtr make_comparison(std::string_view path, Comparison comparison, wire::ValueView against,
                             const MatchContext& context);
MatchNodePtr make_regex(std::string_view path, std::string_view pattern, std::string_view options);

// A whole number as queries take it; otherwise CommandError with MongoDB's text for this element.
enum class Whole { Any, NonNegative, NonNegativeInt };
std::int64_t whole_number(const wire::Element& element, Whole whole, Wording wording, int code,
                          std::string_view prefix = {});

}  // namespace emulator
