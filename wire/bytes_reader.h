// Reads little-endian numbers, C strings and documents front to back out of a message. Throws Malformed where it is cut
// short.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "wire/document.h"
#include "wire/header.h"
#include "wire/malformed.h"

namespace wire {

class BytesReader {
 public:
  explicit BytesReader(std::span<const std::uint8_t> bytes) : left_(bytes) {}
  // The frame behind its header.
  static BytesReader behind_header(Frame frame) {
    if (frame.size() < header_bytes) throw Malformed("a message is cut short");
    return BytesReader(
        {reinterpret_cast<const std::uint8_t*>(frame.data()) + header_bytes, frame.size() - header_bytes});
  }

  std::span<const std::uint8_t> left() const { return left_; }
  bool empty() const { return left_.empty(); }
  void skip(std::size_t count) { left_ = left_.subspan(count); }

  template <class T>
  T number() {
    if (left_.size() < sizeof(T)) throw Malformed("a message is cut short");
    T value;
    std::memcpy(&value, left_.data(), sizeof value);
    skip(sizeof value);
    return value;
  }

  std::string_view c_string() {
    const auto* text = reinterpret_cast<const char*>(left_.data());
    const void* nul = left_.empty() ? nullptr : std::memchr(text, 0, left_.size());
    if (nul == nullptr) throw Malformed("a string in a message does not end");
    const std::string_view string(text, static_cast<std::size_t>(static_cast<const char*>(nul) - text));
    skip(string.size() + 1);
    return string;
  }

 private:
  std::span<const std::uint8_t> left_;
};

// `value` in the wire's byte order, appended.
template <class T, class Bytes>
void append_number(Bytes& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace wire
