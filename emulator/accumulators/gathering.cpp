// $push, $addToSet and $mergeObjects.
#include <fmt/format.h>

#include <set>
#include <vector>

#include "emulator/accumulators/table.h"
#include "emulator/array_builder.h"
#include "emulator/command_error.h"
#include "emulator/value_text.h"
#include "wire/compare.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

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

template <class Made>
std::unique_ptr<Accumulator> make(std::string_view) {
  return std::make_unique<Made>();
}

constexpr AccumulatorName names[] = {
    {"$push", make<PushAccumulator>},
    {"$addToSet", make<AddToSetAccumulator>, nullptr, true},
    {"$mergeObjects", make<MergeObjectsAccumulator>},
};

}  // namespace

extern constinit const AccumulatorSpec gathering_accumulator{names};

}  // namespace emulator
