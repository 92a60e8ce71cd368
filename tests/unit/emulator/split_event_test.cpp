#include "emulator/split_event.h"

#include <gtest/gtest.h>

#include <string>

#include "emulator/command_error.h"
#include "wire/extended_json.h"

namespace emulator {
namespace {

wire::ResumeToken token() {
  wire::ResumeToken token;
  token.cluster_time = {100, 1};
  token.version = 2;
  token.kind = wire::ResumeToken::Kind::Event;
  token.uuid = wire::Uuid{};
  token.event_identifier = wire::Value::document(wire::document_from_json(R"({"operationType": "insert"})"));
  return token;
}

wire::Document event(std::size_t a_bytes, std::size_t b_bytes) {
  wire::DocumentBuilder out;
  out.append_document("_id", wire::encode(token())).append_string("a", std::string(a_bytes, 'x'));
  out.append_string("b", std::string(b_bytes, 'x')).append_int32("z", 1).append_int32("c", 2);
  return out.finish();
}

std::string names(const wire::Document& document) {
  std::string out;
  for (const wire::Element& element : document) out += std::string(element.name) + " ";
  return out;
}

TEST(SplitEvent, FillsFragmentsWithWholeFieldsFromTheSmallestToTheLargest) {
  const std::vector<Fragment> fragments = split_event(event(3000, 2000), token(), 4000);
  ASSERT_EQ(fragments.size(), 2U);
  EXPECT_EQ(names(fragments[0].document), "_id splitEvent c z b ");
  EXPECT_EQ(names(fragments[1].document), "_id splitEvent a ");
}

TEST(SplitEvent, CountsFragmentsFromOneAndTheirTokensFromZero) {
  const std::vector<Fragment> fragments = split_event(event(3000, 2000), token(), 4000);
  ASSERT_EQ(fragments.size(), 2U);
  for (int number = 0; number < 2; ++number) {
    const Fragment& fragment = fragments[static_cast<std::size_t>(number)];
    EXPECT_EQ(fragment.document.view().find_path("splitEvent.fragment").as_int32(), number + 1);
    EXPECT_EQ(fragment.document.view().find_path("splitEvent.of").as_int32(), 2);
    EXPECT_TRUE(fragment.document["_id"].as_document().identical(fragment.token));
    EXPECT_EQ(wire::decode_resume_token(fragment.token).fragment_num, number);
  }
}

TEST(SplitEvent, RefusesAFieldThatFitsNowhere) {
  try {
    split_event(event(5000, 10), token(), 4000);
    FAIL() << "it was split";
  } catch (const CommandError& error) {
    EXPECT_EQ(error.code, 7182500);
    EXPECT_NE(error.message.find("is greater than maximum allowed fragment size 4000"), std::string::npos);
  }
}

TEST(SplitEvent, LeavesRoomForTheTokenAndTheReply) {
  const wire::Document id = wire::encode(token());
  EXPECT_EQ(whole_event_bytes_max(16 * 1024 * 1024 + 16 * 1024, id), 16785408 - id.size());
  EXPECT_EQ(whole_event_bytes_max(100, id), 0U);
}

}  // namespace
}  // namespace emulator
