// The words of JSON: strings, numbers, punctuation, and where in the text they are. Part of extended_json.*.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "wire/document.h"
#include "wire/extended_json.h"

namespace wire {

class JsonScanner {
 public:
  explicit JsonScanner(std::string_view text) : text_(text) {}

  // Skips white space.
  void skip_space();
  // The next character after white space, which stays; '\0' at the end.
  char peek();
  std::size_t at() const { return at_; }
  bool at_end();
  // Takes that character, or fails with "expected …".
  void expect(char character);
  // Takes it if it is next.
  bool accept(char character);
  // Takes that word (true, false, null) if it is next.
  bool accept_word(std::string_view word);
  // A string without its quotes, escapes undone.
  std::string string();
  // A number by the rule of the reader: int32, int64 or double.
  Value number();

  [[noreturn]] void fail(const std::string& message) { fail_at(at_, message); }
  [[noreturn]] void fail_at(std::size_t at, const std::string& message) const;

 private:
  void append_escape(std::string& out);
  unsigned hex4();
  std::size_t skip_digits();
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace wire
