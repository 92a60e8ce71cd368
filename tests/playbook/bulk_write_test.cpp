#include <gtest/gtest.h>

#include "tests/support/playbook.h"

namespace oplogue_test {
namespace {

constexpr const char* with_it = "mongodb-9.0";

TEST(BulkWrite, WritesToSeveralCollectionsAndSumsThemUp) {
  (Playbook(fresh_engine(with_it)) >> opened(1) >>
   received(1, R"({"bulkWrite": 1, "$db": "admin", "nsInfo": [{"ns": "shop.orders"}, {"ns": "app.log"}], "ops": [
     {"insert": 0, "document": {"_id": 1, "qty": 1}},
     {"insert": 1, "document": {"_id": 1}},
     {"update": 0, "filter": {"_id": 1}, "updateMods": {"$inc": {"qty": 4}}},
     {"update": 0, "filter": {"_id": 2}, "updateMods": {"$set": {"qty": 9}}, "upsert": true},
     {"delete": 1, "filter": {}, "multi": true}]})")
       << sent(1, R"({"cursor.id": {"$numberLong": "0"}, "cursor.ns": "admin.$cmd.bulkWrite", "cursor.firstBatch": [
            {"ok": 1.0, "idx": 0, "n": 1}, {"ok": 1.0, "idx": 1, "n": 1}, {"ok": 1.0, "idx": 2, "n": 1, "nModified": 1},
            {"ok": 1.0, "idx": 3, "n": 1, "nModified": 0, "upserted": {"_id": 2}}, {"ok": 1.0, "idx": 4, "n": 1}],
          "nErrors": 0, "nInserted": 2, "nMatched": 1, "nModified": 1, "nUpserted": 1, "nDeleted": 1, "ok": 1})") >>
   received(1, R"({"find": "orders", "filter": {}, "$db": "shop"})")
       << sent(1, R"({"cursor.firstBatch": [{"_id": 1, "qty": 5}, {"_id": 2, "qty": 9}]})"))
      .play();
}

TEST(BulkWrite, StopsAtAFailureUnlessItIsUnordered) {
  const auto ops = R"("nsInfo": [{"ns": "a.c"}], "$db": "admin", "ops": [{"insert": 0, "document": {"_id": 1}},
    {"insert": 0, "document": {"_id": 1}}, {"insert": 0, "document": {"_id": 2}}])";
  const auto bulk = [&](const std::string& more) { return R"({"bulkWrite": 1, )" + more + ops + "}"; };
  (Playbook(fresh_engine(with_it)) >> opened(1) >>
   received(1, bulk("")) << sent(1, R"({"nErrors": 1, "nInserted": 1, "ok": 1})") >>
   received(1, bulk(R"("ordered": false, "errorsOnly": true, )"))
       << sent(1, R"({"nErrors": 2, "nInserted": 1, "ok": 1})"))
      .play();
}

TEST(BulkWrite, NamesWhatIsWrongWithItself) {
  (Playbook(fresh_engine(with_it)) >> opened(1) >>
   received(1, R"({"bulkWrite": 1, "$db": "admin", "nsInfo": [{"ns": "a.c"}], "ops": [{"insert": 1, "document": {}}]})")
       << sent(1, R"({"ok": 0, "code": 2, "errmsg": "BulkWrite ops entry 0 has an invalid nsInfo index."})") >>
   received(1, R"({"bulkWrite": 1, "$db": "app", "nsInfo": [], "ops": []})") << sent(1, R"({"ok": 0, "code": 13})"))
      .play();
}

TEST(BulkWrite, IsNoCommandBefore8) {
  (Playbook(fresh_engine("mongodb-7.0")) >> opened(1) >> received(1, R"({"bulkWrite": 1, "$db": "admin"})")
                                                             << sent(1, R"({"ok": 0, "code": 59})"))
      .play();
}

}  // namespace
}  // namespace oplogue_test
