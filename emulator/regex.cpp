#include "emulator/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>

namespace emulator {
namespace {

// Enough for honest patterns over 16 MB of text; a pattern that backtracks without end stops within a second.
constexpr std::uint32_t match_steps_max = 5'000'000;
constexpr std::uint32_t depth_max = 100'000;
constexpr std::uint32_t heap_kibibytes_max = 64 * 1024;

struct FreeCode {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};
struct FreeMatch {
  void operator()(pcre2_match_data* match) const { pcre2_match_data_free(match); }
};
struct FreeContext {
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};

std::uint32_t flags_of(std::string_view options, const RegexErrors& errors) {
  std::uint32_t flags = PCRE2_UTF;
  for (const char option : options) {
    switch (option) {
      case 'i':
        flags |= PCRE2_CASELESS;
        break;
      case 'm':
        flags |= PCRE2_MULTILINE;
        break;
      case 's':
        flags |= PCRE2_DOTALL;
        break;
      case 'x':
        flags |= PCRE2_EXTENDED;
        break;
      case 'u':
        break;  // always on
      default:
        throw CommandError(errors.options_code, errors.options_prefix + option);
    }
  }
  return flags;
}

std::string message_of(int error) {
  std::array<PCRE2_UCHAR, 256> text{};
  pcre2_get_error_message(error, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

}  // namespace

struct Regex::Code {
  std::unique_ptr<pcre2_code, FreeCode> code;
  std::unique_ptr<pcre2_match_data, FreeMatch> match;
  std::unique_ptr<pcre2_match_context, FreeContext> context;
};

Regex::Regex(std::string_view pattern, std::string_view options, const RegexErrors& errors) {
  int error = 0;
  PCRE2_SIZE at = 0;
  auto made = std::make_shared<Code>();
  made->code.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                                 flags_of(options, errors), &error, &at, nullptr));
  if (!made->code) throw CommandError(errors.pattern_code, errors.prefix + message_of(error));
  made->match.reset(pcre2_match_data_create_from_pattern(made->code.get(), nullptr));
  made->context.reset(pcre2_match_context_create(nullptr));
  pcre2_set_match_limit(made->context.get(), match_steps_max);
  pcre2_set_depth_limit(made->context.get(), depth_max);
  pcre2_set_heap_limit(made->context.get(), heap_kibibytes_max);
  std::uint32_t groups = 0;
  pcre2_pattern_info(made->code.get(), PCRE2_INFO_CAPTURECOUNT, &groups);
  group_count_ = groups;
  code_ = std::move(made);
}

std::optional<std::vector<Regex::Group>> Regex::find(std::string_view text, std::size_t from_bytes) const {
  const int count = pcre2_match(code_->code.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), from_bytes,
                                0, code_->match.get(), code_->context.get());
  if (count == PCRE2_ERROR_NOMATCH) return std::nullopt;
  if (count < 0)
    throw CommandError(51156,
                       "Error occurred while executing the regular expression. Result code: " + std::to_string(count));
  const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(code_->match.get());
  std::vector<Group> groups(group_count_ + 1);
  for (std::size_t i = 0; i < groups.size() && i < static_cast<std::size_t>(count); ++i)
    if (ends[2 * i] != PCRE2_UNSET) groups[i] = {true, ends[2 * i], ends[2 * i + 1]};
  return groups;
}

bool Regex::matches(std::string_view text) const {
  const int count = pcre2_match(code_->code.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0, 0,
                                code_->match.get(), code_->context.get());
  // A query passes over text that is not UTF-8 and over a pattern that reached its limit.
  return count >= 0;
}

}  // namespace emulator
