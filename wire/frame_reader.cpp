#include "wire/frame_reader.h"

#include <algorithm>
#include <string>

#include "wire/malformed.h"

namespace wire {
namespace {

constexpr std::size_t length_bytes = 4;

// The length of the message that begins there; `bytes` holds its length field.
std::size_t message_length(std::span<const std::byte> bytes) {
  std::int32_t length;
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length < static_cast<std::int32_t>(header_bytes) || length > static_cast<std::int32_t>(message_bytes_max))
    throw Malformed("message length " + std::to_string(length) + " is not in [16, " +
                    std::to_string(message_bytes_max) + "]");
  return static_cast<std::size_t>(length);
}

}  // namespace

void FrameReader::push(std::span<const std::byte> bytes) {
  finish();
  pushed_ = bytes;
}

void FrameReader::finish() { keep(pushed_.size()); }

void FrameReader::keep(std::size_t count) {
  if (count == 0) return;
  if (at_ > 0) {
    kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(at_));
    at_ = 0;
  }
  kept_.insert(kept_.end(), pushed_.begin(), pushed_.begin() + static_cast<std::ptrdiff_t>(count));
  pushed_ = pushed_.subspan(count);
}

std::optional<Frame> FrameReader::next() {
  if (kept_bytes() > 0) return next_kept();
  // An idle reader owns no memory.
  if (!kept_.empty()) std::vector<std::byte>().swap(kept_);
  at_ = 0;
  if (pushed_.size() >= length_bytes) {
    const std::size_t length = message_length(pushed_);
    if (length <= pushed_.size()) {
      const Frame frame = pushed_.first(length);
      pushed_ = pushed_.subspan(length);
      return frame;
    }
  }
  finish();
  return std::nullopt;
}

// The message begins in kept memory: what it lacks is copied there, and no byte more.
std::optional<Frame> FrameReader::next_kept() {
  if (kept_bytes() < length_bytes) keep(std::min(length_bytes - kept_bytes(), pushed_.size()));
  if (kept_bytes() < length_bytes) return std::nullopt;
  const std::size_t length = message_length(kept());
  if (kept_bytes() < length) keep(std::min(length - kept_bytes(), pushed_.size()));
  if (kept_bytes() < length) return std::nullopt;
  const Frame frame = kept().first(length);
  at_ += length;
  return frame;
}

}  // namespace wire
