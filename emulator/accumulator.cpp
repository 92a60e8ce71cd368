#include "emulator/accumulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "emulator/array_builder.h"
#include "emulator/command_error.h"
#include "emulator/number.h"
#include "emulator/value_text.h"
#include "wire/compare.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

class SumAccumulator final : public Accumulator {
 public:
  void add(ValueView value) override { sum_.add(value); }
  Value result() const override { return sum_.total(); }

 private:
  Sum sum_;
};

class AverageAccumulator final : public Accumulator {
 public:
  void add(ValueView value) override { sum_.add(value); }
  Value result() const override { return sum_.average(); }

 private:
  Sum sum_;
};

enum class Extreme { Least, Greatest };

class ExtremeAccumulator final : public Accumulator {
 public:
  explicit ExtremeAccumulator(Extreme extreme) : extreme_(extreme) {}
  void add(ValueView value) override {
    if (value.is_nullish()) return;
    const bool better = best_.missing() || (extreme_ == Extreme::Least ? wire::compare_values(value, best_) < 0
                                                                       : wire::compare_values(value, best_) > 0);
    if (better) best_ = value;
  }
  Value result() const override { return best_ ? best_ : Value::null(); }

 private:
  Extreme extreme_;
  Value best_;
};

enum class End { First, Last };

class EndAccumulator final : public Accumulator {
 public:
  explicit EndAccumulator(End end) : end_(end) {}
  void add(ValueView value) override {
    if (seen_ && end_ == End::First) return;
    seen_ = true;
    value_ = value;
  }
  Value result() const override { return value_ ? value_ : Value::null(); }

 private:
  End end_;
  bool seen_ = false;
  Value value_;
};

class PushAccumulator final : public Accumulator {
 public:
  void add(ValueView value) override {
    if (value) values_.emplace_back(value);
  }
  Value result() const override {
    ArrayBuilder out;
    for (const Value& value : values_) out.add(value);
    return out.finish();
  }

 private:
  std::vector<Value> values_;
};

class AddToSetAccumulator final : public Accumulator {
 public:
  void add(ValueView value) override {
    if (value) values_.insert(value);
  }
  Value result() const override {
    ArrayBuilder out;
    for (const Value& value : values_) out.add(value);
    return out.finish();
  }

 private:
  std::set<Value, wire::ValueLess> values_;
};

class MergeObjectsAccumulator final : public Accumulator {
 public:
  void add(ValueView value) override {
    if (value.is_nullish()) return;
    if (!value.is(Type::Document))
      throw CommandError(40400, fmt::format("$mergeObjects requires object inputs, but input {} is of type {}",
                                            expression_text(value), wire::type_name(value.type())));
    wire::DocumentBuilder out;
    for (const auto& [name, old] : merged_) {
      const ValueView newer = value.as_document().find(name);
      out.append(name, newer ? newer : old);
    }
    for (const auto& [name, member] : value.as_document())
      if (!merged_.has(name)) out.append(name, member);
    merged_ = out.finish();
  }
  Value result() const override { return Value::document(merged_); }

 private:
  wire::Document merged_;
};

}  // namespace

std::unique_ptr<Accumulator> make_accumulator(std::string_view name) {
  if (name == "$sum" || name == "$count") return std::make_unique<SumAccumulator>();
  if (name == "$avg") return std::make_unique<AverageAccumulator>();
  if (name == "$min") return std::make_unique<ExtremeAccumulator>(Extreme::Least);
  if (name == "$max") return std::make_unique<ExtremeAccumulator>(Extreme::Greatest);
  if (name == "$first") return std::make_unique<EndAccumulator>(End::First);
  if (name == "$last") return std::make_unique<EndAccumulator>(End::Last);
  if (name == "$push") return std::make_unique<PushAccumulator>();
  if (name == "$addToSet") return std::make_unique<AddToSetAccumulator>();
  if (name == "$mergeObjects") return std::make_unique<MergeObjectsAccumulator>();
  return nullptr;
}

bool is_unbuilt_accumulator(std::string_view name) {
  static constexpr std::array names{
      std::string_view("$accumulator"), std::string_view("$bottom"),    std::string_view("$bottomN"),
      std::string_view("$firstN"),      std::string_view("$lastN"),     std::string_view("$maxN"),
      std::string_view("$minN"),        std::string_view("$stdDevPop"), std::string_view("$stdDevSamp"),
      std::string_view("$top"),         std::string_view("$topN")};
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace emulator
