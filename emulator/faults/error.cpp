#include "emulator/error_codes.h"
#include "emulator/facts/error_facts.h"
#include "emulator/faults/argument.h"
#include "emulator/faults/table.h"
#include "emulator/faults/thrown.h"

namespace emulator {
namespace {

class Error : public Fault {
 public:
  Error(CommandError error, CursorFate cursor, Moment at) : error_(std::move(error)), cursor_(cursor), at_(at) {}
  Moment moment() const override { return at_; }
  bool decides() const override { return true; }
  bool ends_wait() const override { return at_ == Moment::Reply; }
  void arrive(Arrival& arrival) const override {
    arrival.decision = Decision::Error;
    arrival.error = error_;
    arrival.cursor = cursor_;
  }
  void reply(ReplyVerdict& verdict) const override {
    verdict.decision = Decision::Error;
    verdict.error = error_;
    verdict.cursor = cursor_;
  }

 private:
  CommandError error_;
  CursorFate cursor_;
  Moment at_;
};

int code_of(wire::ValueView value) {
  if (value.is(wire::Type::String)) {
    if (const int code = error_code_of(value.as_string())) return code;
    throw FaultArgumentError("there is no error \"" + std::string(value.as_string()) + "\"", "code");
  }
  const std::int64_t code = argument_count(value, "code");
  if (code == 0 || code > 1'000'000'000) throw FaultArgumentError("an error code is 1 or more", "code");
  return static_cast<int>(code);
}

std::string standard_message(int code) { return "Injected error: " + error_code_name(code, ErrorFacts{}); }

std::unique_ptr<Fault> make(wire::ValueView argument, std::optional<Moment> at) {
  CursorFate cursor = CursorFate::Gone;
  CommandError error(0, "");
  if (argument.is(wire::Type::Document)) {
    const auto words = argument_document(argument, {"code", "message", "labels", "extra", "at", "cursor"});
    if (!words.has("code")) throw FaultArgumentError("needs code");
    error = CommandError(code_of(words["code"]), "");
    error.message = words.has("message") ? argument_string(words["message"], "message") : standard_message(error.code);
    if (words.has("at")) at = argument_moment(words["at"], "at");
    if (const wire::ValueView labels = words["labels"]; !labels.missing()) {
      if (!labels.is(wire::Type::Array)) throw FaultArgumentError("must be a list of labels", "labels");
      error.labels.emplace();
      for (const auto& [index, label] : labels.as_document()) error.labels->push_back(argument_string(label, "labels"));
    }
    if (const wire::ValueView extra = words["extra"]; !extra.missing()) {
      if (!extra.is(wire::Type::Document)) throw FaultArgumentError("must be a document", "extra");
      error.extra = wire::Document(extra.as_document());
    }
    if (const wire::ValueView fate = words["cursor"]; !fate.missing()) {
      if (argument_string(fate, "cursor") != "keep") throw FaultArgumentError("is keep or left out", "cursor");
      cursor = CursorFate::Kept;
    }
  } else {
    if (argument.missing()) throw FaultArgumentError("needs a code, as error: 43");
    error = CommandError(code_of(argument), "");
    error.message = standard_message(error.code);
  }
  return std::make_unique<Error>(std::move(error), cursor,
                                 moment_among(at, Moment::Arrival, {Moment::Arrival, Moment::Reply}));
}

}  // namespace

std::unique_ptr<Fault> make_thrown_error(CommandError error, CursorFate cursor) {
  return std::make_unique<Error>(std::move(error), cursor, Moment::Arrival);
}

extern constinit const FaultSpec error_fault{
    .name = "error",
    .make = make,
    .help =
        "The request fails with this code or name, unrun (at: reply: it was done, yet failed), with the labels the "
        "server would give.",
    .example = "inject: {fault: {error: {code: 286, at: reply}}, for: {command: getMore}}",
};

}  // namespace emulator
