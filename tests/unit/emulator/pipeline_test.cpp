#include "emulator/pipeline.h"

#include <gtest/gtest.h>

#include "wire/extended_json.h"

namespace emulator {
namespace {

Pipeline parse(std::string_view stages, PipelineKind kind, std::size_t skip = 0, const ParseContext& context = {}) {
  return Pipeline::parse(wire::value_from_json(stages).view().as_document(), kind, context, skip);
}

std::string refusal(std::string_view stages, PipelineKind kind, std::size_t skip = 0,
                    const ParseContext& context = {}) {
  try {
    parse(stages, kind, skip, context);
  } catch (const CommandError& error) {
    return std::to_string(error.code) + " " + error.message;
  }
  return {};
}

std::string through(std::string_view stages, std::string_view document) {
  const auto out = parse(stages, PipelineKind::ChangeStream).apply(wire::document_from_json(document));
  return out ? wire::to_json(*out, wire::JsonForm::Relaxed) : "nothing";
}

// The stages of the golden case error-stages.
TEST(Pipeline, RefusesStagesBehindChangeStreamByTheNameMongodGivesThem) {
  const auto refused = [](const std::string& stage) {
    return refusal("[{\"$changeStream\": {}}, " + stage + "]", PipelineKind::ChangeStream, 1);
  };
  for (const auto& [stage, name] : std::initializer_list<std::pair<std::string, std::string>>{
           {R"({"$sort": {"a": 1}})", "$sort"},
           {R"({"$limit": 1})", "$limit"},
           {R"({"$group": {"_id": 1}})", "$group"},
           {R"({"$count": "n"})", "$group"},
           {R"({"$sortByCount": "$a"})", "$group"},
           {R"({"$bucket": {"groupBy": "$a", "boundaries": [0, 1]}})", "$group"},
           {R"({"$densify": {}})", "$sort"},
           {R"({"$setWindowFields": {}})", "$_internalSetWindowFields"},
           {R"({"$lookup": {"from": "d", "pipeline": [], "as": "z"}})", "$lookup"},
           {R"({"$documents": []})", "$documents"}})
    EXPECT_EQ(refused(stage), "20 " + name + " is not permitted in a $changeStream pipeline");
  EXPECT_EQ(refused(R"({"$bogus": 1})"), "40324 Unrecognized pipeline stage name: '$bogus'");
  EXPECT_EQ(refused(R"({"$changeStream": {}})"),
            "40602 $_internalChangeStreamOplogMatch is only valid as the first stage in a pipeline");
}

TEST(Pipeline, ParsesAllStagesBeforeItLooksWhereTheyStand) {
  EXPECT_EQ(refusal(R"([{"$group": {"_id": 1}}, {"$nope": 1}])", PipelineKind::ChangeStream),
            "40324 Unrecognized pipeline stage name: '$nope'");
  EXPECT_EQ(refusal(R"([{"$match": 1}])", PipelineKind::Update),
            "15959 the match filter must be an expression in an object");
}

TEST(Pipeline, LetsOnlyItsOwnStagesIntoAnUpdate) {
  EXPECT_EQ(refusal(R"([{"$match": {}}])", PipelineKind::Update),
            "72 $match is not allowed to be used within an update");
  EXPECT_EQ(refusal(R"([{"$redact": "$$KEEP"}])", PipelineKind::Update),
            "72 $redact is not allowed to be used within an update");
  EXPECT_EQ(refusal(R"([{"$set": {"a": 1}}, {"$unset": "b"}, {"$replaceWith": "$c"}, {"$project": {"a": 0}}])",
                    PipelineKind::Update),
            "");
}

TEST(Pipeline, KnowsWhereTheSplitStageMayStand) {
  EXPECT_TRUE(parse(R"([{"$changeStreamSplitLargeEvent": {}}])", PipelineKind::ChangeStream).splits_large_events());
  EXPECT_EQ(refusal(R"([{"$changeStreamSplitLargeEvent": {}}, {"$match": {}}])", PipelineKind::ChangeStream),
            "7182802 $changeStreamSplitLargeEvent must be the last stage in the pipeline");
  EXPECT_EQ(refusal(R"([{"$changeStreamSplitLargeEvent": {}}])", PipelineKind::Aggregate),
            "20 $changeStreamSplitLargeEvent can only be used in a $changeStream pipeline");
  EXPECT_EQ(refusal(R"([{"$changeStreamSplitLargeEvent": {"a": 1}}])", PipelineKind::ChangeStream),
            "7182800 $changeStreamSplitLargeEvent spec should be an empty object");
  ParseContext old;
  old.profile = find_profile("mongodb-6.0");
  EXPECT_EQ(refusal(R"([{"$changeStreamSplitLargeEvent": {}}])", PipelineKind::ChangeStream, 0, old),
            "40324 Unrecognized pipeline stage name: '$changeStreamSplitLargeEvent'");
}

TEST(Pipeline, PassesOneDocumentThroughAllStages) {
  EXPECT_EQ(
      through(R"([{"$match": {"a": 1}}, {"$set": {"b": "$a"}}, {"$project": {"b": 1}}])", R"({"_id": 7, "a": 1})"),
      R"({"_id": 7, "b": 1})");
  EXPECT_EQ(through(R"([{"$match": {"a": 2}}, {"$set": {"b": "$a"}}])", R"({"_id": 7, "a": 1})"), "nothing");
}

TEST(Pipeline, RedactsLevelByLevel) {
  EXPECT_EQ(through(R"([{"$redact": {"$cond": [{"$eq": ["$secret", true]}, "$$PRUNE", "$$DESCEND"]}}])",
                    R"({"_id": 1, "a": {"secret": true}, "b": [{"secret": true}, {"x": 1}, 5]})"),
            R"({"_id": 1, "b": [{"x": 1}, 5]})");
}

}  // namespace
}  // namespace emulator
