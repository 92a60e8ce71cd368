#include "emulator/faults/argument.h"
#include "emulator/faults/table.h"

namespace emulator {
namespace {

class Edit : public Fault {
 public:
  explicit Edit(ReplyEdit edit) : edit_(std::move(edit)) {}
  Moment moment() const override { return Moment::Reply; }
  void reply(ReplyVerdict& verdict) const override { verdict.edits.push_back(edit_); }

 private:
  ReplyEdit edit_;
};

std::unique_ptr<Fault> make(wire::ValueView argument, std::optional<Moment> at) {
  moment_among(at, Moment::Reply, {Moment::Reply});
  const wire::DocumentView words = argument_document(argument, {"set", "unset"});
  ReplyEdit edit;
  if (const wire::ValueView set = words["set"]; !set.missing()) {
    if (!set.is(wire::Type::Document))
      throw FaultArgumentError("must be a document of dotted fields and their values", "set");
    for (const auto& [field, value] : set.as_document()) edit.set.emplace_back(field, value);
  }
  if (const wire::ValueView unset = words["unset"]; !unset.missing()) {
    if (!unset.is(wire::Type::Array)) throw FaultArgumentError("must be a list of dotted fields", "unset");
    for (const auto& [index, field] : unset.as_document()) edit.unset.push_back(argument_string(field, "unset"));
  }
  if (edit.set.empty() && edit.unset.empty()) throw FaultArgumentError("needs set or unset");
  return std::make_unique<Edit>(std::move(edit));
}

}  // namespace

extern constinit const FaultSpec edit_fault{
    .name = "edit",
    .make = make,
    .help = "Dotted fields of the reply are set or unset before it leaves.",
    .example = "inject: {fault: {edit: {unset: [cursor.postBatchResumeToken]}}, for: {command: getMore}}",
};

}  // namespace emulator
