// Builds messages byte by byte, so that a test can say what is wrong with them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "wire/document.h"
#include "wire/header.h"

namespace messages {

inline std::string from_hex(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1]));
  return bytes;
}

inline std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }
inline std::span<const std::uint8_t> octets_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
inline std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline std::string text_of(wire::DocumentView document) {
  return {reinterpret_cast<const char*>(document.data()), document.size()};
}

template <class T>
std::string number(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}
inline std::string int32(std::int64_t value) { return number(static_cast<std::int32_t>(value)); }
inline std::string c_string(std::string_view text) { return std::string(text) + '\0'; }

// A document of these elements' bytes, whatever they are.
inline std::string document(std::string_view elements) {
  return int32(static_cast<std::int64_t>(elements.size()) + 5) + std::string(elements) + '\0';
}
inline std::string element(int type, std::string_view name, std::string_view value) {
  return std::string(1, static_cast<char>(type)) + c_string(name) + std::string(value);
}
// {a: 1}
inline std::string small_document() { return document(element(16, "a", int32(1))); }

inline std::string message(wire::Opcode opcode, std::string_view content, std::int32_t request_id = 7) {
  return int32(static_cast<std::int64_t>(content.size()) + 16) + int32(request_id) + int32(0) +
         int32(static_cast<std::int32_t>(opcode)) + std::string(content);
}
inline std::string op_msg(std::string_view sections, std::uint32_t flags = 0) {
  return message(wire::Opcode::Msg, number(flags) + std::string(sections));
}
inline std::string body_section(std::string_view document) { return '\0' + std::string(document); }
inline std::string sequence_section(std::string_view identifier, std::string_view documents) {
  const std::string content = c_string(identifier) + std::string(documents);
  return '\1' + int32(static_cast<std::int64_t>(content.size()) + 4) + content;
}

}  // namespace messages
