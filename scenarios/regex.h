// Regular expressions of scripts: searched anywhere in a line, with bounded work. Knows no lines.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace scenarios {

// What is wrong with the pattern; nullopt: nothing.
std::optional<std::string> regex_fault(const std::string& pattern);

class Regex {
 public:
  // The pattern must be right.
  explicit Regex(const std::string& pattern);
  bool found_in(std::string_view text) const;

 private:
  struct Code;
  std::shared_ptr<const Code> code_;
};

}  // namespace scenarios
