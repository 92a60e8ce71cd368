#include "emulator/faults/argument.h"
#include "emulator/faults/table.h"
#include "emulator/faults/thrown.h"

namespace emulator {
namespace {

class WriteConcernFailure : public Fault {
 public:
  WriteConcernFailure(wire::Document error, std::optional<std::vector<std::string>> labels)
      : error_(std::move(error)), labels_(std::move(labels)) {}
  Moment moment() const override { return Moment::Reply; }
  void reply(ReplyVerdict& verdict) const override {
    verdict.write_concern_error = error_;
    verdict.labels = labels_;
  }

 private:
  wire::Document error_;
  std::optional<std::vector<std::string>> labels_;
};

std::unique_ptr<Fault> make(wire::ValueView argument, std::optional<Moment> at) {
  moment_among(at, Moment::Reply, {Moment::Reply});
  if (!argument.is(wire::Type::Document))
    throw FaultArgumentError("its argument must be a document with code, codeName, errmsg, …");
  wire::DocumentBuilder error;
  std::optional<std::vector<std::string>> labels;
  for (const auto& [name, value] : argument.as_document()) {
    if (name == "error" && value.is(wire::Type::Document)) {
      error.append_all(value.as_document());
      continue;
    }
    if (name != "errorLabels") {
      error.append(name, value);
      continue;
    }
    if (!value.is(wire::Type::Array)) throw FaultArgumentError("must be a list of labels", "errorLabels");
    labels.emplace();
    for (const auto& [index, label] : value.as_document()) labels->push_back(argument_string(label, "errorLabels"));
  }
  const wire::Document made = error.finish();
  if (!made.has("code")) throw FaultArgumentError("needs code");
  return std::make_unique<WriteConcernFailure>(made, std::move(labels));
}

}  // namespace

std::unique_ptr<Fault> make_write_concern_failure(wire::Document error,
                                                  std::optional<std::vector<std::string>> labels) {
  return std::make_unique<WriteConcernFailure>(std::move(error), std::move(labels));
}

extern constinit const FaultSpec write_concern_error_fault{
    .name = "writeConcernError",
    .make = make,
    .help = "The command runs; its reply carries this writeConcernError (errorLabels in it go beside it).",
    .example = "inject: {fault: {writeConcernError: {code: 91, errmsg: shutting down}}, for: {command: insert}}",
};

}  // namespace emulator
