// A stream gives the same messages however it is cut. The first byte of the input says how long the pieces are.
#include <cstdlib>
#include <string>
#include <vector>

#include "wire/frame_reader.h"
#include "wire/malformed.h"

namespace {

struct Outcome {
  std::vector<std::string> frames;
  bool malformed = false;
  bool operator==(const Outcome&) const = default;
};

Outcome read(std::span<const std::byte> stream, std::size_t piece_bytes) {
  Outcome outcome;
  wire::FrameReader reader;
  try {
    for (; !stream.empty(); stream = stream.subspan(std::min(piece_bytes, stream.size()))) {
      // In memory of its own, which ends before the next piece is read.
      const std::vector<std::byte> piece(
          stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(std::min(piece_bytes, stream.size())));
      reader.push(piece);
      while (const auto frame = reader.next())
        outcome.frames.emplace_back(reinterpret_cast<const char*>(frame->data()), frame->size());
    }
  } catch (const wire::Malformed&) {
    outcome.malformed = true;
  }
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto stream = std::as_bytes(std::span(data + 1, size - 1));
  if (read(stream, std::size_t{data[0]} + 1) != read(stream, size)) std::abort();
  return 0;
}
