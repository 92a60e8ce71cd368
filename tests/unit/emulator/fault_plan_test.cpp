#include "emulator/fault_plan.h"

#include <gtest/gtest.h>

#include "emulator/connection.h"
#include "emulator/deployment.h"
#include "emulator/exchange.h"
#include "emulator/faults/table.h"
#include "wire/extended_json.h"

namespace emulator {
namespace {

class FaultPlanTest : public testing::Test {
 protected:
  Injection injection(std::string_view fault, std::string_view argument = "", std::optional<Moment> at = std::nullopt) {
    Injection made;
    const wire::Value value = argument.empty() ? wire::Value() : wire::value_from_json(argument);
    made.faults.push_back(find_fault(fault)->make(value, at));
    return made;
  }
  Arrival arrive(Exchange& exchange) { return plan_.arrive(exchange, connection_, now_); }
  // The code of the error that a fresh request gets; 0: none.
  int error_of_next() {
    Exchange exchange;
    exchange.id = ++exchanges_;
    const Arrival arrival = arrive(exchange);
    return arrival.error ? arrival.error->code : 0;
  }

  Deployment deployment_{DeploymentSpec{}, Now{}};
  FaultPlan& plan_ = deployment_.faults;
  Connection connection_;
  Now now_;
  std::uint64_t exchanges_ = 0;
};

TEST_F(FaultPlanTest, TakesOnceUnlessTimesSaysOtherwise) {
  plan_.inject(injection("error", "43"), now_);
  EXPECT_EQ(error_of_next(), 43);
  EXPECT_EQ(error_of_next(), 0);
}

TEST_F(FaultPlanTest, SkipsThenTakes) {
  Injection made = injection("error", "43");
  made.skip = 2;
  made.times = 2;
  plan_.inject(std::move(made), now_);
  EXPECT_EQ(error_of_next(), 0);
  EXPECT_EQ(error_of_next(), 0);
  EXPECT_EQ(error_of_next(), 43);
  EXPECT_EQ(error_of_next(), 43);
  EXPECT_EQ(error_of_next(), 0);
}

TEST_F(FaultPlanTest, TwoErrorsQueueUp) {
  plan_.inject(injection("error", "43"), now_);
  plan_.inject(injection("error", "\"HostUnreachable\""), now_);
  EXPECT_EQ(error_of_next(), 43);
  EXPECT_EQ(error_of_next(), 6);
}

TEST_F(FaultPlanTest, WhatDoesNotDecideAddsUp) {
  plan_.inject(injection("delay", "\"1s\""), now_);
  plan_.inject(injection("delay", "\"200ms\""), now_);
  plan_.inject(injection("error", "43"), now_);
  Exchange exchange;
  exchange.id = 1;
  const Arrival arrival = arrive(exchange);
  EXPECT_EQ(arrival.delay, std::chrono::milliseconds(1200));
  EXPECT_EQ(arrival.decision, Decision::Error);
}

TEST_F(FaultPlanTest, AFilterChoosesAndIsAskedOncePerRequest) {
  int asked = 0;
  Injection made = injection("error", "43");
  made.filter = [&](const Exchange& exchange, const Connection&) { return ++asked, exchange.id == 2; };
  plan_.inject(std::move(made), now_);
  EXPECT_EQ(error_of_next(), 0);
  EXPECT_EQ(error_of_next(), 43);
  EXPECT_EQ(asked, 2);
}

TEST_F(FaultPlanTest, LastsSoLongInRealTime) {
  Injection made = injection("error", "43");
  made.times = fault_always;
  made.lasts = std::chrono::seconds(2);
  plan_.inject(std::move(made), now_);
  EXPECT_EQ(error_of_next(), 43);
  now_.real += std::chrono::seconds(2);
  EXPECT_EQ(error_of_next(), 0);
}

TEST_F(FaultPlanTest, ChanceIsTheSeeds) {
  const auto run = [](std::uint64_t seed) {
    FaultPlan plan(seed);
    Injection made;
    made.faults.push_back(find_fault("error")->make(wire::Value::int32(43), std::nullopt));
    made.times = fault_always;
    made.chance = 0.5;
    plan.inject(std::move(made), {});
    std::string taken;
    for (std::uint64_t id = 1; id <= 64; ++id) {
      Exchange exchange;
      exchange.id = id;
      taken += plan.arrive(exchange, Connection{}, {}).error ? 'x' : '.';
    }
    return taken;
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
  EXPECT_NE(run(1).find('x'), std::string::npos);
  EXPECT_NE(run(1).find('.'), std::string::npos);
}

TEST_F(FaultPlanTest, AHoldHoldsUntilItIsReleased) {
  const FaultId gate = plan_.inject(injection("hold"), now_);
  Exchange exchange;
  exchange.id = 1;
  EXPECT_TRUE(arrive(exchange).held);
  EXPECT_EQ(plan_.held_by(exchange), gate);
  EXPECT_EQ(plan_.standing(gate)->holding, 1U);
  plan_.release(deployment_, gate);
  EXPECT_EQ(plan_.held_by(exchange), 0U);
  ASSERT_EQ(deployment_.take_touches().size(), 1U);
}

TEST_F(FaultPlanTest, ClearEndsAllAndLetsGo) {
  plan_.inject(injection("hold"), now_);
  Exchange exchange;
  exchange.id = 1;
  arrive(exchange);
  Injection made = injection("error", "43");
  made.times = fault_always;
  plan_.inject(std::move(made), now_);
  plan_.clear(deployment_, 0);
  EXPECT_EQ(plan_.held_by(exchange), 0U);
  EXPECT_EQ(error_of_next(), 0);
}

TEST_F(FaultPlanTest, AFaultAtTheReplyMeetsRequestsThatWaitAlready) {
  Exchange exchange;
  exchange.id = 1;
  EXPECT_EQ(arrive(exchange).decision, Decision::None);
  const FaultId id = plan_.inject(injection("error", R"({"code": 286, "at": "reply"})"), now_);
  EXPECT_TRUE(plan_.ends_wait(id, exchange, connection_, now_));
  EXPECT_EQ(plan_.reply(exchange, connection_, now_).error->code, 286);
  EXPECT_FALSE(plan_.ends_wait(id, exchange, connection_, now_));
}

TEST_F(FaultPlanTest, BatchSizesAreUsedOneARequest) {
  plan_.inject(injection("batch", "[2, 0]"), now_);
  const auto next = [&] {
    Exchange exchange;
    exchange.id = ++exchanges_;
    plan_.batch(exchange, connection_, now_);
    plan_.batch(exchange, connection_, now_);  // tried again after a wait: the same size
    return exchange.batch_edit.events_max;
  };
  EXPECT_EQ(next(), 2);
  EXPECT_EQ(next(), 0);
  EXPECT_EQ(next(), std::nullopt);
}

TEST_F(FaultPlanTest, HowAReplyLeavesIsByWhatTookIt) {
  plan_.inject(injection("truncate", "7"), now_);
  Exchange exchange;
  exchange.id = 1;
  plan_.reply(exchange, connection_, now_);
  const Delivery delivery = plan_.delivery(exchange);
  EXPECT_EQ(delivery.bytes_max, 7U);
  EXPECT_EQ(delivery.then, Delivery::Then::Close);
}

TEST(FaultArguments, MistakesAreSentences) {
  const auto sentence = [](std::string_view fault, std::string_view argument) -> std::string {
    try {
      find_fault(fault)->make(wire::value_from_json(argument), std::nullopt);
    } catch (const FaultArgumentError& error) {
      return error.field + ": " + error.what();
    }
    return "none";
  };
  EXPECT_EQ(sentence("error", R"("HostUnreachabel")"), "code: there is no error \"HostUnreachabel\"");
  EXPECT_EQ(sentence("error", R"({"code": 43, "label": []})"),
            "label: unknown word \"label\"; it knows code, message, labels, extra, at, cursor");
  EXPECT_EQ(sentence("error", R"({"code": 43, "at": "end"})"), "at: acts at arrival or reply only");
  EXPECT_EQ(sentence("delay", "\"2 s\""), ": a duration looks like 200ms, 30s, 10m, 2h");
  EXPECT_EQ(sentence("batch", "[]"), ": needs at least one size");
  EXPECT_EQ(sentence("truncate", "-1"), ": must be a whole number, 0 or more");
}

TEST(ReplyEdit, SetsAndUnsetsDottedFields) {
  const wire::Document reply = wire::document_from_json(R"({"cursor": {"id": 1, "nextBatch": [{"a": 1}]}, "ok": 1})");
  ReplyEdit edit;
  edit.set.emplace_back("cursor.nextBatch.0.a", wire::Value::int32(2));
  edit.set.emplace_back("new.deep", wire::Value::boolean(true));
  edit.unset = {"cursor.id", "absent.field"};
  EXPECT_EQ(wire::to_json(wire::DocumentView(edited(reply, edit)), wire::JsonForm::Relaxed),
            R"({"cursor": {"nextBatch": [{"a": 2}]}, "ok": 1, "new": {"deep": true}})");
}

}  // namespace
}  // namespace emulator
