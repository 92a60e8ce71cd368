#include "wire/payload.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/unit/wire/messages.h"

namespace wire {
namespace {

// Counts up, at most `step_bytes` a read.
class Counting : public Rendered {
 public:
  Counting(std::size_t size_bytes, std::size_t step_bytes) : size_bytes_(size_bytes), step_bytes_(step_bytes) {}
  std::size_t size() const override { return size_bytes_; }
  std::unique_ptr<RenderCursor> cursor() const override { return std::make_unique<Cursor>(*this); }
  mutable std::size_t rendered_bytes = 0;

 private:
  class Cursor : public RenderCursor {
   public:
    explicit Cursor(const Counting& of) : of_(of) {}
    std::size_t read(std::span<std::byte> out) override {
      const std::size_t count = std::min({out.size(), of_.step_bytes_, of_.size_bytes_ - at_});
      for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<std::byte>((at_ + i) * 7 % 251);
      at_ += count;
      of_.rendered_bytes += count;
      return count;
    }

   private:
    const Counting& of_;
    std::size_t at_ = 0;
  };
  std::size_t size_bytes_;
  std::size_t step_bytes_;
};

Document document_of(std::size_t text_bytes) {
  return DocumentBuilder().append_string("text", std::string(text_bytes, 'd')).finish();
}

// Bytes, documents small and large, renderings smaller and larger than the scratch, two of them side by side.
Payload rich_payload() {
  Payload payload("head");
  payload.append_document(document_of(5)).append_document(document_of(2000)).append("between");
  payload.append_rendered(std::make_shared<Counting>(1000, 300))
      .append_rendered(std::make_shared<Counting>(500'000, 4096));
  payload.append("tail").append_document(document_of(3000)).append_rendered(std::make_shared<Counting>(10, 1));
  return payload;
}

// Reads with `pieces_max` pieces a call, writing at most `write_bytes` at once.
std::string read_by(Payload payload, std::size_t pieces_max, std::size_t write_bytes) {
  std::string out;
  std::array<iovec, PayloadReader::pieces_max> pieces{};
  PayloadReader reader(std::move(payload));
  while (!reader.done()) {
    const std::size_t count = reader.pieces(std::span(pieces).first(pieces_max));
    if (count == 0) return "no piece before the end";
    std::size_t left = write_bytes;
    std::size_t written = 0;
    for (const iovec& piece : std::span(pieces).first(count)) {
      const std::size_t taken = std::min(left, piece.iov_len);
      out.append(static_cast<const char*>(piece.iov_base), taken);
      left -= taken;
      written += taken;
    }
    reader.consume(written);
  }
  return out;
}

TEST(Payload, OfBytesAloneIsOneString) {
  Payload payload("ab");
  payload.append("cd").append_document(document_of(5)).prepend("01");
  EXPECT_TRUE(payload.is_flat());
  EXPECT_EQ(payload.head(), payload.flatten());
  EXPECT_EQ(payload.head().substr(0, 6), "01abcd");
}

TEST(Payload, KnowsItsSizeWithoutRendering) {
  const auto rendered = std::make_shared<Counting>(1'000'000, 4096);
  Payload payload("head");
  payload.append_rendered(rendered).append("tail");
  EXPECT_EQ(payload.size(), 1'000'008U);
  EXPECT_EQ(rendered->rendered_bytes, 0U);
}

TEST(Payload, RefersToLargeDocumentsAndCopiesSmallOnes) {
  const Document small = document_of(Payload::copied_document_bytes_max - 16);
  const Document large = document_of(Payload::copied_document_bytes_max);
  EXPECT_TRUE(Payload(small).is_flat());
  Payload payload;
  payload.append_document(large);
  EXPECT_FALSE(payload.is_flat());
  PayloadReader reader(payload);
  std::array<iovec, 4> pieces{};
  ASSERT_EQ(reader.pieces(pieces), 1U);
  EXPECT_EQ(pieces[0].iov_base, large.view().data());
}

TEST(Payload, AppendsAnotherPayload) {
  Payload payload("before");
  payload.append(rich_payload()).append("after");
  EXPECT_EQ(payload.flatten(), "before" + rich_payload().flatten() + "after");
  EXPECT_EQ(payload.size(), payload.flatten().size());
}

TEST(PayloadReader, GivesTheFlattenedBytesByOddSizes) {
  const std::string expected = rich_payload().flatten();
  ASSERT_EQ(expected.size(), rich_payload().size());
  for (const std::size_t write_bytes :
       {std::size_t{1}, std::size_t{7}, std::size_t{1021}, std::size_t{300'001}, std::size_t{1} << 30}) {
    for (const std::size_t pieces_max : {std::size_t{1}, std::size_t{2}, std::size_t{64}}) {
      EXPECT_TRUE(read_by(rich_payload(), pieces_max, write_bytes) == expected) << write_bytes << ' ' << pieces_max;
    }
  }
}

TEST(PayloadReader, RendersAtMostItsScratchAhead) {
  const auto rendered = std::make_shared<Counting>(2'000'000, 1 << 20);
  Payload payload;
  payload.append_rendered(rendered);
  PayloadReader reader(std::move(payload));
  std::array<iovec, 8> pieces{};
  reader.pieces(pieces);
  reader.pieces(pieces);
  EXPECT_EQ(rendered->rendered_bytes, PayloadReader::scratch_bytes_max);
}

TEST(PayloadReader, GivesTheSameBytesAgainAfterAMove) {
  PayloadReader first(Payload("short"));
  std::array<iovec, 2> pieces{};
  first.pieces(pieces);
  first.consume(2);
  PayloadReader second(std::move(first));
  ASSERT_EQ(second.pieces(pieces), 1U);
  EXPECT_EQ(std::string_view(static_cast<const char*>(pieces[0].iov_base), pieces[0].iov_len), "ort");
  EXPECT_EQ(second.left_bytes(), 3U);
}

TEST(PayloadReader, GivesAtMostAsManyPiecesAsOneWriteTakes) {
  Payload payload;
  const Document large = document_of(2000);
  for (int i = 0; i < 1500; ++i) payload.append_document(large);
  PayloadReader reader(payload);
  std::vector<iovec> pieces(5000);
  EXPECT_EQ(reader.pieces(pieces), PayloadReader::pieces_max);
}

TEST(PayloadReader, IsDoneWithNothing) { EXPECT_TRUE(PayloadReader(Payload()).done()); }

}  // namespace
}  // namespace wire
