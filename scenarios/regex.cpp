#include "scenarios/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>

namespace scenarios {
namespace {

// Enough for any line; a pattern that explodes does not match.
constexpr std::uint32_t match_limit = 1'000'000;
constexpr std::uint32_t depth_limit = 10'000;

pcre2_code* compile(const std::string& pattern, int* error, std::size_t* offset) {
  return pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(), 0, error, offset, nullptr);
}

}  // namespace

struct Regex::Code {
  pcre2_code* code = nullptr;
  explicit Code(pcre2_code* compiled) : code(compiled) {}
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
  ~Code() { pcre2_code_free(code); }
};

std::optional<std::string> regex_fault(const std::string& pattern) {
  int error = 0;
  std::size_t offset = 0;
  if (pcre2_code* code = compile(pattern, &error, &offset)) {
    pcre2_code_free(code);
    return std::nullopt;
  }
  std::array<unsigned char, 160> text{};
  pcre2_get_error_message(error, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data()) + (" at character " + std::to_string(offset + 1));
}

Regex::Regex(const std::string& pattern) {
  int error = 0;
  std::size_t offset = 0;
  code_ = std::make_shared<const Code>(compile(pattern, &error, &offset));
}

bool Regex::found_in(std::string_view text) const {
  if (code_->code == nullptr) return false;
  pcre2_match_data* found = pcre2_match_data_create_from_pattern(code_->code, nullptr);
  pcre2_match_context* bounds = pcre2_match_context_create(nullptr);
  pcre2_set_match_limit(bounds, match_limit);
  pcre2_set_depth_limit(bounds, depth_limit);
  const int count =
      pcre2_match(code_->code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0, 0, found, bounds);
  pcre2_match_context_free(bounds);
  pcre2_match_data_free(found);
  return count >= 0;
}

}  // namespace scenarios
