#include <gtest/gtest.h>

#include "tests/support/playbook.h"

namespace oplogue_test {
namespace {

using namespace std::chrono_literals;

Playbook greeting() {
  return Playbook() >> opened(1) >>
         received(1, R"({"hello": 1, "$db": "admin"})") << sent(1, R"({"isWritablePrimary": true, "ok": 1})") >>
         received(1, R"({"ping": 1, "$db": "admin"})") << sent(1, R"({"ok": 1})") << nothing;
}

// Opens a stream on app.items whose getMore waits; the second connection inserts.
Playbook watching() {
  return Playbook() >> opened(1) >> opened(2) >>
         received(2, R"({"insert": "items", "documents": [{"_id": 0}], "$db": "app"})")
             << sent(2, R"({"n": 1, "ok": 1})") >>
         received(1, R"({"aggregate": "items", "pipeline": [{"$changeStream": {}}], "cursor": {}, "$db": "app"})")
             << sent(1, R"({"cursor.ns": "app.items", "ok": 1})");
}

TEST(Conversation, AGreetingIsAnsweredByThePrimary) {
  greeting().play();
  greeting().every_failure();
}

TEST(Conversation, AGreetingCutAnywhereIsTheSame) { greeting().every_cut(); }

TEST(Conversation, OpeningAStreamCutAnywhereOrBrokenAnywhereLeavesNothing) {
  watching().play();
  watching().every_cut();
  watching().every_failure();
}

TEST(Conversation, AnAwaitableHelloWaitsItsTimeOut) {
  const auto engine = fresh_engine()();
  World world(Machine::of(*engine), {1s, {}});
  world.listen();
  world.open(1);
  world.send(1, json(R"({"hello": 1, "$db": "admin"})"));
  const auto first = world.take_reply(1);
  ASSERT_TRUE(first);
  wire::DocumentBuilder again;
  again.append_int32("hello", 1)
      .append("topologyVersion", (*first)["topologyVersion"])
      .append_int64("maxAwaitTimeMS", 1000);
  again.append_string("$db", "admin");
  world.send(1, again.finish());
  world.tick(999ms);
  EXPECT_FALSE(world.has_reply(1));
  world.tick(1ms);
  EXPECT_TRUE(world.has_reply(1));
}

TEST(Conversation, AWaitingGetMoreAnswersTheWriteAtOnceAndAnIdleOneAfterItsTime) {
  const auto engine = fresh_engine()();
  World world(Machine::of(*engine), {1s, {}});
  world.listen();
  world.open(1);
  world.open(2);
  world.send(1, json(R"({"aggregate": "items", "pipeline": [{"$changeStream": {}}], "cursor": {}, "$db": "app"})"));
  const auto opened = world.take_reply(1);
  ASSERT_TRUE(opened);
  wire::DocumentBuilder more;
  more.append("getMore", opened->find_path("cursor.id"))
      .append_string("collection", "items")
      .append_string("$db", "app");
  const wire::Document get_more = more.finish();
  world.send(1, get_more);
  EXPECT_FALSE(world.has_reply(1));
  world.send(2, json(R"({"insert": "items", "documents": [{"_id": 1}], "$db": "app"})"));
  EXPECT_TRUE(world.has_reply(2));
  const auto batch = world.take_reply(1);
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->find_path("cursor.nextBatch.0.documentKey._id").as_int32(), 1);
  world.send(1, get_more);
  world.tick(999ms);
  EXPECT_FALSE(world.has_reply(1));
  world.tick(1ms);
  const auto idle = world.take_reply(1);
  ASSERT_TRUE(idle);
  EXPECT_TRUE(idle->find_path("cursor.nextBatch").as_document().empty());
}

}  // namespace
}  // namespace oplogue_test
