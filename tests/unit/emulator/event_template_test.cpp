// The template must write, byte for byte, what the one builder of events builds.
#include "emulator/event_template.h"

#include <gtest/gtest.h>

#include <limits>

namespace emulator {
namespace {

const OplogNamespacePtr ns = std::make_shared<OplogNamespace>(
    OplogNamespace{"shop", "orders", {0, 1, 2, 3, 4, 5, 0x46, 7, 0x88, 9, 10, 11, 12, 13, 14, 15}});

wire::Document with_id(const wire::Value& id, std::string_view text = "x") {
  wire::DocumentBuilder out;
  out.append("_id", id).append_string("text", text);
  return out.finish();
}

wire::Document key_of(const wire::Value& id) {
  wire::DocumentBuilder out;
  out.append("_id", id);
  return out.finish();
}

OplogEntry entry_of(Op op, const wire::Value& id, std::uint32_t increment = 3) {
  OplogEntry entry;
  entry.op = op;
  entry.time = {1796035754, increment};
  entry.wall_ms = 1796035754123;
  entry.ns = ns;
  entry.has_uuid = true;
  entry.o = op == Op::Delete ? key_of(id) : with_id(id);
  if (op == Op::Update) entry.o2 = key_of(id);
  return entry;
}

EventForm form_of(const Profile& profile, bool expanded) { return {&profile, profile.token_version, expanded}; }

wire::Document built(const OplogEntry& entry, const EventForm& form) {
  return build_event(event_of(entry, 0).value(), form);
}

std::string bytes_of(wire::DocumentView view) { return {reinterpret_cast<const char*>(view.data()), view.size()}; }

std::vector<wire::Value> simple_ids() {
  wire::ObjectId id;
  id.bytes = {0x50, 0x7F, 0x1F, 0x77, 0xBC, 0xF8, 0x6C, 0xD7, 0x99, 0x43, 0x90, 0x11};
  return {wire::Value::int32(0),      wire::Value::int32(1),
          wire::Value::int32(-1),     wire::Value::int32(70000),
          wire::Value::string("a"),   wire::Value::string(""),
          wire::Value::object_id(id), wire::Value::int64(0),
          wire::Value::int64(-5),     wire::Value::int64(1796049686000001)};
}

TEST(EventTemplate, WritesWhatTheBuilderBuildsUnderEveryProfile) {
  for (const Profile& profile : all_profiles())
    for (const bool expanded : {false, true})
      for (const Op op : {Op::Insert, Op::Update, Op::Delete})
        for (const wire::Value& id : simple_ids()) {
          const EventForm form = form_of(profile, expanded);
          EventTemplates templates;
          const OplogEntry entry = entry_of(op, id);
          const EventTemplate* by = templates.find(entry, form);
          ASSERT_NE(by, nullptr);
          const wire::Document want = built(entry, form);
          ASSERT_EQ(by->measure(entry).bytes, want.size()) << profile.name;
          std::string out(want.size(), '\0');
          auto* start = reinterpret_cast<std::uint8_t*>(out.data());
          EXPECT_EQ(by->write(start, entry, by->measure(entry)), start + out.size());
          EXPECT_EQ(out, bytes_of(want)) << profile.name;
          EXPECT_EQ(bytes_of(by->token(entry)), bytes_of(want["_id"].as_document())) << profile.name;
        }
}

TEST(EventTemplate, LeavesKeysOfSeveralFieldsToTheBuilder) {
  EventTemplates templates;
  OplogEntry entry = entry_of(Op::Delete, wire::Value::int32(1));
  wire::DocumentBuilder key;
  entry.o = key.append_int32("region", 1).append_int32("_id", 1).finish();
  EXPECT_EQ(templates.find(entry, form_of(*find_profile("mongodb-6.0"), false))->measure(entry).bytes, 0U);
}

TEST(EventTemplate, LeavesKeysThatAreNotSimpleToTheBuilder) {
  EventTemplates templates;
  const EventForm form = form_of(*find_profile("mongodb-6.0"), false);
  for (const wire::Value& id : {wire::Value::number(1.5), wire::Value::int64(std::numeric_limits<std::int64_t>::min()),
                                wire::Value::document(key_of(wire::Value::int32(1)))}) {
    const OplogEntry entry = entry_of(Op::Insert, id);
    const EventTemplate* by = templates.find(entry, form);
    EXPECT_TRUE(by == nullptr || by->measure(entry).bytes == 0);
  }
}

TEST(EventTemplate, LeavesUpdatesByDifferenceToTheBuilder) {
  OplogEntry entry = entry_of(Op::Update, wire::Value::int32(1));
  wire::DocumentBuilder o;
  o.append_int32("$v", 2).begin_document("diff").end();
  entry.o = o.finish();
  EventTemplates templates;
  EXPECT_EQ(templates.find(entry, form_of(*find_profile("mongodb-6.0"), false)), nullptr);
}

// The elements of the array as they should stand in the reply.
std::string expected_items(const std::vector<wire::Document>& events) {
  wire::DocumentBuilder out;
  out.begin_array("a");
  for (const wire::Document& event : events) out.append_document(out.item_name(), event);
  out.end();
  const std::string array = bytes_of(out.view()["a"].as_document());
  return array.substr(4, array.size() - 5);
}

std::string read_in(const EventRange& range, std::size_t piece) {
  const std::unique_ptr<wire::RenderCursor> cursor = range.cursor();
  std::string out;
  std::vector<std::byte> buffer(piece);
  while (const std::size_t got = cursor->read(buffer)) out.append(reinterpret_cast<const char*>(buffer.data()), got);
  return out;
}

TEST(EventRange, ReadsTheSameInPiecesOfAnySize) {
  Oplog oplog;
  const EventForm form = form_of(*find_profile("mongodb-7.0"), false);
  EventTemplates templates;
  EventRange range;
  std::vector<wire::Document> events;
  for (std::uint32_t i = 1; i <= 120; ++i) {
    const OplogPosition at = oplog.append(entry_of(Op::Insert, wire::Value::int32(static_cast<std::int32_t>(i)), i));
    const OplogEntry& entry = oplog.at(at);
    events.push_back(built(entry, form));
    if (i % 10 == 0) {
      range.add(events.back());
    } else {
      const EventTemplate* by = templates.find(entry, form);
      range.add(oplog, at, 1, *by, by->measure(entry).bytes);
    }
  }
  const std::string want = expected_items(events);
  ASSERT_EQ(range.size(), want.size());
  for (const std::size_t piece :
       {std::size_t{1}, std::size_t{7}, std::size_t{500}, std::size_t{4096}, std::size_t{262144}})
    EXPECT_EQ(read_in(range, piece), want) << piece;
}

TEST(EventRange, KeepsItsEntriesWhenTheOplogIsTruncated) {
  Oplog oplog;
  const EventForm form = form_of(*find_profile("mongodb-6.0"), false);
  auto templates = std::make_unique<EventTemplates>();
  EventRange range;
  const OplogPosition at = oplog.append(entry_of(Op::Insert, wire::Value::int32(1)));
  const wire::Document want = built(oplog.at(at), form);
  const EventTemplate* by = templates->find(oplog.at(at), form);
  range.add(oplog, at, 1, *by, by->measure(oplog.at(at)).bytes);
  range.keep(templates->keep_alive());
  oplog = Oplog();
  templates.reset();
  EXPECT_EQ(read_in(range, 4096), expected_items({want}));
}

}  // namespace
}  // namespace emulator
