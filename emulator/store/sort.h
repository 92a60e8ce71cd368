// The order of find's and $sort's results. Knows no index and no collection.
#pragma once

#include <compare>
#include <memory>
#include <string>
#include <vector>

#include "emulator/command_error.h"
#include "emulator/profile.h"
#include "wire/document.h"

namespace emulator {

enum class NaturalOrder { None, Forward, Backward };

class Collation;

// Of a document in which two of the paths lead through different arrays: the failure of a stage, not of an expression.
struct SortFailure : CommandError {
  SortFailure() : CommandError(2, "cannot sort with keys that are parallel arrays") {}
};

class SortPattern {
 public:
  // {a: 1, "b.c": -1}; {$natural: 1} alone. Throws CommandError.
  static SortPattern parse(wire::DocumentView spec, Wording wording,
                           std::shared_ptr<const Collation> collation = nullptr);

  bool empty() const { return parts_.empty() && natural_ == NaturalOrder::None; }
  NaturalOrder natural() const { return natural_; }
  // One value per part: of an array's elements the smallest (ascending) or largest; null for what is missing. Throws
  // SortFailure.
  std::vector<wire::Value> key(wire::DocumentView document) const;
  std::weak_ordering compare_keys(const std::vector<wire::Value>& left, const std::vector<wire::Value>& right) const;
  // Stable; leaves the order alone when natural or empty, but Backward reverses it.
  void sort(std::vector<wire::Document>& documents) const;

 private:
  void check_arrays(wire::DocumentView document) const;
  enum class Direction { Ascending, Descending };
  struct Part {
    std::string path;
    std::vector<std::string> steps;
    Direction direction;
  };
  std::vector<Part> parts_;
  std::shared_ptr<const Collation> collation_;
  NaturalOrder natural_ = NaturalOrder::None;
};

}  // namespace emulator
