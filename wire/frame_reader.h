// Byte stream → whole messages, without copying what arrives whole. Knows the length field, nothing of a message's
// content.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "wire/header.h"

namespace wire {

// Use: push() what was received, next() until it has none. Then the reader holds at most the beginning of one message
// (nothing at all when the stream stands between two messages), and the pushed span may die.
// A reader that was not asked until the end keeps the rest by finish(), and gives it at the following next().
class FrameReader {
 public:
  // `bytes` must live until next() has none, or finish(). What an earlier span left is kept.
  void push(std::span<const std::byte> bytes);
  // The next whole message, valid until the next call of any kind and the end of the pushed span.
  // Throws Malformed for a length below header_bytes or above message_bytes_max; the stream is lost then.
  std::optional<Frame> next();
  // Copies what was pushed and not yet read.
  void finish();
  // Bytes kept in the reader's own memory.
  std::size_t kept_bytes() const { return kept_.size() - at_; }

 private:
  std::span<const std::byte> kept() const { return std::span(kept_).subspan(at_); }
  void keep(std::size_t count);
  std::optional<Frame> next_kept();

  std::span<const std::byte> pushed_;
  std::vector<std::byte> kept_;
  std::size_t at_ = 0;  // where in kept_ the next message begins
};

}  // namespace wire
