#include "tests/unit/emulator/answers/answers.h"

#include <gtest/gtest.h>

#include <fstream>

#include "emulator/pipeline.h"
#include "emulator/store/matcher.h"
#include "emulator/store/projection.h"
#include "emulator/store/sort.h"
#include "wire/extended_json.h"

namespace emulator::answers {
namespace {

std::vector<wire::Document> documents_of(const wire::Document& recorded) {
  std::vector<wire::Document> out;
  for (const wire::Element& element : recorded["docs"].as_document()) out.emplace_back(element.value.as_document());
  return out;
}

wire::DocumentView member(const wire::Document& recorded, std::string_view name) {
  const wire::ValueView value = recorded[name];
  return value ? value.as_document() : wire::DocumentView();
}

std::vector<wire::Document> find(const wire::Document& recorded) {
  const Matcher matcher = Matcher::parse(member(recorded, "filter"));
  const Projection projection = Projection::parse(member(recorded, "projection"), ProjectionKind::Find);
  const SortPattern order = SortPattern::parse(member(recorded, "sort"), Wording::V6_0);
  std::vector<wire::Document> found;
  for (wire::Document& document : documents_of(recorded))
    if (matcher.matches(document)) found.push_back(std::move(document));
  order.sort(found);
  for (wire::Document& document : found) document = projection.apply(document, &matcher);
  return found;
}

std::vector<wire::Document> aggregate(const wire::Document& recorded) {
  ParseContext context;
  context.profile = find_profile("mongodb-6.0");
  context.now_ms = 1'700'000'000'000;
  context.cluster_time = {1'700'000'000, 1};
  return Pipeline::parse(member(recorded, "pipeline"), PipelineKind::Aggregate, context).run(documents_of(recorded));
}

}  // namespace

std::vector<Case> read(const std::string& file_name) {
  std::ifstream file(std::string(OPLOGUE_SOURCE_DIR) + "/tests/unit/emulator/answers/" + file_name);
  std::vector<Case> cases;
  std::string line;
  wire::Document before;
  for (int number = 1; std::getline(file, line); ++number) {
    wire::Document recorded = wire::document_from_json(line);
    wire::DocumentBuilder whole;
    whole.append_all(recorded);
    if (!recorded.has("docs")) whole.append("docs", before["docs"]);
    before = whole.finish();
    cases.push_back({number, line, before});
  }
  return cases;
}

std::string ours(const Case& recorded) {
  wire::DocumentBuilder out;
  try {
    const std::vector<wire::Document> result =
        recorded.document.has("pipeline") ? aggregate(recorded.document) : find(recorded.document);
    out.begin_array("result");
    for (const wire::Document& document : result)
      out.item(wire::ValueView(wire::Type::Document, document.view().bytes()));
    out.end();
  } catch (const CommandError& error) {
    out.clear();
    out.append_int32("code", error.code).append_string("errmsg", error.message);
  }
  return wire::to_json(out.view());
}

std::string expected(const Case& recorded) {
  wire::DocumentBuilder out;
  for (const std::string_view name : {"code", "errmsg", "result"})
    if (const wire::ValueView value = recorded.document[name]) out.append(name, value);
  return wire::to_json(out.view());
}

void expect_same(const std::string& file_name) {
  const std::vector<Case> cases = read(file_name);
  ASSERT_FALSE(cases.empty()) << file_name;
  for (const Case& each : cases)
    EXPECT_EQ(ours(each), expected(each)) << file_name << ":" << each.line << ": " << each.text;
}

TEST(Matcher, AnswersAsMongod) { expect_same("matcher.jsonl"); }
TEST(JsonSchema, AnswersAsMongod) { expect_same("schema.jsonl"); }
TEST(Projection, AnswersAsMongod) { expect_same("projection.jsonl"); }
TEST(Pipeline, AnswersAsMongod) { expect_same("pipeline.jsonl"); }
TEST(Expression, AnswersAsMongod) { expect_same("expression.jsonl"); }
TEST(Expression, OfAnglesLogarithmsAndDatesAnswersAsMongod) { expect_same("calculus.jsonl"); }
TEST(Expression, AtTheEndsOfNumbersAndDatesAnswersAsMongod) { expect_same("bounds.jsonl"); }

}  // namespace emulator::answers
