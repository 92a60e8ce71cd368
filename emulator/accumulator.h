// What $group gathers per group, one object per field and group. Knows no groups.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/expression.h"
#include "wire/document.h"

namespace emulator {

class Accumulator {
 public:
  virtual ~Accumulator() = default;
  virtual void add(wire::ValueView value) = 0;
  virtual wire::Value result() const = 0;
};

// What an accumulator takes of each document, and how it begins; `group` is the `_id` of its group ($firstN's `n` may ask it).
struct AccumulatorDefinition {
  ExpressionPtr input;
  std::function<std::unique_ptr<Accumulator>(wire::ValueView group)> begin;
};

// One computed field of $group, $bucket or $bucketAuto: {name: {$accumulator: argument}}. Throws CommandError as mongod does.
struct AccumulatedField {
  std::string name;
  AccumulatorDefinition accumulator;
};
AccumulatedField parse_accumulated_field(const wire::Element& field, const ParseContext& context);

// The fields of one group while its documents come in.
class Accumulation {
 public:
  Accumulation(const std::vector<AccumulatedField>& fields, wire::Value group);
  void add(const std::vector<AccumulatedField>& fields, wire::DocumentView document);
  const wire::Value& group() const { return group_; }
  // `id` as `_id`, then the fields.
  wire::Document finish(const std::vector<AccumulatedField>& fields, wire::ValueView id) const;

 private:
  wire::Value group_;
  std::vector<std::unique_ptr<Accumulator>> accumulators_;
};

}  // namespace emulator
