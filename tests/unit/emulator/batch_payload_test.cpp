#include "emulator/batch_payload.h"

#include <gtest/gtest.h>

#include <cstring>

namespace emulator {
namespace {

wire::Document numbered(std::int32_t n) {
  wire::DocumentBuilder out;
  out.append_int32("n", n);
  return out.finish();
}

StreamBatch batch_of(std::size_t count) {
  StreamBatch batch;
  batch.cursor = 77;
  batch.ns = "db.c";
  batch.post_batch_token = numbered(-1);
  for (std::size_t i = 0; i < count; ++i) batch.documents.push_back(numbered(static_cast<std::int32_t>(i)));
  return batch;
}

wire::Document expected(const StreamBatch& batch, const wire::Document& tail) {
  wire::DocumentBuilder out;
  out.begin_document("cursor").begin_array(batch.field);
  for (const wire::Document& document : batch.documents) out.append_document(out.item_name(), document);
  out.end().append_document("postBatchResumeToken", batch.post_batch_token);
  if (batch.invalidated) out.append_bool("invalidated", true);
  out.append_int64("id", batch.cursor).append_string("ns", batch.ns).end().append_all(tail);
  return out.finish();
}

TEST(BatchPayload, IsTheDocumentThatABuilderWouldWrite) {
  wire::DocumentBuilder ok;
  ok.append_double("ok", 1.0);
  const wire::Document tail = ok.finish();
  for (const std::size_t count : {0U, 1U, 9U, 10U, 11U, 101U, 1001U}) {
    StreamBatch batch = batch_of(count);
    batch.invalidated = count == 9;
    const std::string bytes = batch_payload(batch, tail).flatten();
    const wire::Document want = expected(batch, tail);
    ASSERT_EQ(bytes.size(), want.size()) << count;
    EXPECT_EQ(std::memcmp(bytes.data(), want.view().data(), bytes.size()), 0) << count;
  }
}

}  // namespace
}  // namespace emulator
