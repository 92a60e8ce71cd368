// Regular expressions as MongoDB takes them (PCRE2, UTF-8), bounded in time and memory. Knows no queries.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/command_error.h"

namespace emulator {

// What a message calls its regular expression, and with what codes it refuses a bad one.
struct RegexErrors {
  std::string prefix = "Regular expression is invalid: ";
  std::string options_prefix = " invalid flag in regex options: ";
  int pattern_code = 51091;
  int options_code = 51108;
};

class Regex {
 public:
  // `options` of "imsxu"; throws CommandError.
  Regex(std::string_view pattern, std::string_view options, const RegexErrors& errors = {});

  struct Group {
    bool set = false;
    std::size_t begin = 0;  // bytes
    std::size_t end = 0;
  };
  // Group 0 is the whole match; nullopt: no match (or a limit was reached: 51156 is thrown then).
  std::optional<std::vector<Group>> find(std::string_view text, std::size_t from_bytes = 0) const;
  bool matches(std::string_view text) const;
  std::size_t group_count() const { return group_count_; }

 private:
  struct Code;
  std::shared_ptr<const Code> code_;
  std::size_t group_count_ = 0;
};

}  // namespace emulator
