#include "emulator/diff.h"

#include <gtest/gtest.h>

#include <string>

#include "emulator/command_error.h"
#include "emulator/update_description.h"

namespace emulator {
namespace {

using wire::Document;
using wire::DocumentBuilder;

// {_id: 1, a: 1, b: "xxx…"}
Document with_text(std::int32_t a, std::size_t length) {
  DocumentBuilder out;
  return out.append_int32("_id", 1).append_int32("a", a).append_string("b", std::string(length, 'x')).finish();
}

TEST(ComputeDiff, OfEqualDocumentsIsEmpty) { EXPECT_TRUE(compute_diff(with_text(1, 3), with_text(1, 3))->empty()); }

TEST(ComputeDiff, IsGivenUpUnlessItIsSmallerThanTheDocument) {
  EXPECT_FALSE(compute_diff(with_text(1, 6), with_text(2, 6)));
  EXPECT_TRUE(compute_diff(with_text(1, 7), with_text(2, 7)));
}

TEST(ComputeDiff, ReportsAChangedFieldUnderU) {
  DocumentBuilder out;
  out.begin_document("u").append_int32("a", 2).end();
  EXPECT_TRUE(compute_diff(with_text(1, 50), with_text(2, 50))->view().identical(out.view()));
}

TEST(ApplyDiff, MovesAnInsertedFieldToTheEnd) {
  DocumentBuilder out;
  out.begin_document("d").append_bool("gone", false).end().begin_document("i").append_int32("a", 5).end();
  Document post = apply_diff(with_text(1, 3), out.finish());
  DocumentBuilder expected;
  expected.append_int32("_id", 1).append_string("b", "xxx").append_int32("a", 5);
  EXPECT_TRUE(post.view().identical(expected.view()));
}

TEST(ApplyDiff, ThatOnlyInsertsLeavesAFieldOfThatNameBesideTheNewOne) {
  DocumentBuilder out;
  out.begin_document("i").append_int32("a", 5).end();
  const Document pre = with_text(1, 3);
  DocumentBuilder expected;
  expected.append_all(pre).append_int32("a", 5);
  EXPECT_TRUE(apply_diff(pre, out.finish()).view().identical(expected.view()));
}

TEST(ApplyDiff, PadsAnArrayWithNulls) {
  DocumentBuilder pre;
  pre.begin_array("r").end();
  DocumentBuilder diff;
  diff.begin_document("sr").append_bool("a", true).append_int32("u2", 7).end();
  DocumentBuilder expected;
  expected.begin_array("r").append_null("0").append_null("1").append_int32("2", 7).end();
  EXPECT_TRUE(apply_diff(pre.finish(), diff.finish()).view().identical(expected.view()));
}

TEST(ApplyDiff, RefusesWhatIsNoDiff) {
  DocumentBuilder diff;
  diff.append_int32("x", 1);
  EXPECT_THROW(apply_diff(with_text(1, 1), diff.finish()), CommandError);
}

TEST(ApplyDiff, RefusesToPadBeyondTheLargestDocument) {
  DocumentBuilder pre;
  pre.begin_array("r").end();
  DocumentBuilder diff;
  diff.begin_document("sr").append_bool("a", true).append_int32("u2000000000", 7).end();
  EXPECT_THROW(apply_diff(pre.finish(), diff.finish()), CommandError);
}

// {d: {x: false}, u: {"p.q": 1}, i: {n: 2}, sr: {a: true, l: 3, u0: 4, s2: {u: {"1": 5}}}}
Document rich_diff() {
  DocumentBuilder out;
  out.begin_document("d").append_bool("x", false).end();
  out.begin_document("u").append_int32("p.q", 1).end();
  out.begin_document("i").append_int32("n", 2).end();
  out.begin_document("sr").append_bool("a", true).append_int32("l", 3).append_int32("u0", 4);
  out.begin_document("s2").begin_document("u").append_int32("1", 5).end().end();
  out.end();
  return out.finish();
}

void append_description_until_6_0(DocumentBuilder& out) {
  out.begin_document("updateDescription");
  out.begin_document("updatedFields");
  out.append_int32("p.q", 1).append_int32("n", 2).append_int32("r.0", 4).append_int32("r.2.1", 5).end();
  out.begin_array("removedFields").append_string("0", "x").end();
  out.begin_array("truncatedArrays")
      .begin_document("0")
      .append_string("field", "r")
      .append_int32("newSize", 3)
      .end()
      .end();
}

TEST(UpdateDescription, GoesLevelByLevel) {
  DocumentBuilder out;
  append_update_description("updateDescription", rich_diff(), DisambiguatedPaths::No, out);
  DocumentBuilder expected;
  append_description_until_6_0(expected);
  expected.end();
  EXPECT_TRUE(out.finish().view().identical(expected.view()));
}

TEST(UpdateDescription, ListsTheComponentsOfAmbiguousPaths) {
  DocumentBuilder out;
  append_update_description("updateDescription", rich_diff(), DisambiguatedPaths::Yes, out);
  DocumentBuilder expected;
  append_description_until_6_0(expected);
  expected.begin_document("disambiguatedPaths");
  expected.begin_array("p.q").append_string("0", "p.q").end();
  expected.begin_array("r.0").append_string("0", "r").append_int32("1", 0).end();
  expected.begin_array("r.2.1").append_string("0", "r").append_int32("1", 2).append_string("2", "1").end();
  expected.end().end();
  EXPECT_TRUE(out.finish().view().identical(expected.view()));
}

}  // namespace
}  // namespace emulator
