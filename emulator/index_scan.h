// Reading a collection the way its client says: in the order of the index that it names (hint), between bounds on that index's keys
// (min, max), or in natural order. Knows no command.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emulator/arguments.h"
#include "emulator/query.h"
#include "emulator/store/collection.h"
#include "emulator/store/matcher.h"

namespace emulator {

class IndexScan {
 public:
  // What the command's own fields ask for. Throws 9 for a hint that is neither name nor key pattern.
  struct Wish {
    std::string name;    // hint: "x_1"
    wire::Document key;  // hint: {x: 1}, {$natural: -1}
    wire::Document min;
    wire::Document max;
    bool empty() const { return name.empty() && key.empty() && min.empty() && max.empty(); }
  };
  static Wish read(const Arguments& arguments);
  // The query as the planner's errors describe it: some commands show the collation, too.
  enum class CollationShown { No, Yes };
  struct Query {
    const Matcher& filter;
    CollationShown collation;
    wire::DocumentView sort{};
    wire::DocumentView projection{};
    Wording wording = Wording::V6_0;  // until 4.2 none shows the collation
  };

  // nullopt: nothing was asked for. Throws the planner's errors.
  static std::optional<IndexScan> plan(const Collection& collection, const Wish& wish, const Query& query);
  // By the index that a planner would take by itself, for a field of the filter or of the sort; nullopt: by none.
  static std::optional<IndexScan> likely(const Collection& collection, const Matcher& filter, wire::DocumentView sort);

  // Every match once, in the order of its first key within the bounds.
  std::vector<Found> find(const Collection& collection, const Matcher& filter, const ReadView& view) const;
  // The document's first key within the bounds, with the names of the pattern: what returnKey gives. Default for a natural scan.
  wire::Document key_of(const wire::Document& document) const;

 private:
  explicit IndexScan(IndexSpec spec = {}) : index_(std::move(spec)) {}
  std::weak_ordering compare(wire::DocumentView left, wire::DocumentView right) const;
  std::optional<wire::Document> first_key(const wire::Document& document) const;

  NaturalOrder natural_ = NaturalOrder::None;
  Index index_;
  wire::Document min_;  // nameless fields, as keys are
  wire::Document max_;
};

}  // namespace emulator
