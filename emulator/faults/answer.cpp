#include "emulator/faults/argument.h"
#include "emulator/faults/table.h"

namespace emulator {
namespace {

class Answer : public Fault {
 public:
  Answer(wire::DocumentView document, Moment at) : document_(document), at_(at) {}
  Moment moment() const override { return at_; }
  bool decides() const override { return true; }
  void arrive(Arrival& arrival) const override {
    arrival.decision = Decision::Answer;
    arrival.answer = document_;
  }
  void reply(ReplyVerdict& verdict) const override {
    verdict.decision = Decision::Answer;
    verdict.answer = document_;
  }

 private:
  wire::Document document_;
  Moment at_;
};

std::unique_ptr<Fault> make(wire::ValueView argument, std::optional<Moment> at) {
  if (!argument.is(wire::Type::Document)) throw FaultArgumentError("its argument must be a document: the whole reply");
  return std::make_unique<Answer>(argument.as_document(),
                                  moment_among(at, Moment::Arrival, {Moment::Arrival, Moment::Reply}));
}

}  // namespace

extern constinit const FaultSpec answer_fault{
    .name = "answer",
    .make = make,
    .help = "This document is the reply, as it is; the request does not run (at: reply: it did).",
    .example =
        "inject: {fault: {answer: {cursor: {id: 0, ns: app.items, nextBatch: []}, ok: 1}}, for: {command: getMore}}",
};

}  // namespace emulator
