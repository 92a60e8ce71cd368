#include "emulator/script_syntax.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace emulator {
namespace {

bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }
bool is_name_part(char c) { return is_name_start(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Reads operands and operators in turn. What it does not know (statements, functions, templates, regular expressions,
// assignments) ends the reading without a finding.
class Scanner {
 public:
  explicit Scanner(std::string_view script) : rest_(script) {}

  bool breaks_off() {
    while (true) {
      skip_space();
      if (rest_.empty()) return wants_operand_;
      if (!(wants_operand_ ? take_operand() : take_operator())) return false;
    }
  }

 private:
  // Leaves an unfinished comment where it is: nothing takes it.
  void skip_space() {
    while (!rest_.empty()) {
      std::size_t length = 0;
      if (std::isspace(static_cast<unsigned char>(rest_.front())) != 0) {
        length = 1;
      } else if (rest_.starts_with("//")) {
        length = std::min(rest_.find('\n'), rest_.size());
      } else if (rest_.starts_with("/*")) {
        const std::size_t end = rest_.find("*/", 2);
        if (end == std::string_view::npos) return;
        length = end + 2;
      } else {
        return;
      }
      rest_.remove_prefix(length);
    }
  }

  bool take_one_of(std::initializer_list<std::string_view> tokens) {
    const auto* const found = std::ranges::find_if(tokens, [&](auto token) { return rest_.starts_with(token); });
    if (found == tokens.end()) return false;
    rest_.remove_prefix(found->size());
    return true;
  }

  std::string_view take_name() {
    std::size_t length = 0;
    while (length < rest_.size() && is_name_part(rest_[length])) ++length;
    const std::string_view name = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return name;
  }

  bool take_operand() {
    const char c = rest_.front();
    if (c == '(' || c == '[') return open(c);
    if (take_one_of({"!", "~", "+", "-"})) return !rest_.starts_with('+') && !rest_.starts_with('-');
    if (c == '"' || c == '\'') return take_text(c);
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) return take_number();
    if (!is_name_start(c)) return false;
    const std::string_view name = take_name();
    static constexpr std::array prefixes{std::string_view("typeof"), std::string_view("void"), std::string_view("new")};
    static constexpr std::array others{
        std::string_view("async"),    std::string_view("await"),      std::string_view("break"),
        std::string_view("case"),     std::string_view("catch"),      std::string_view("class"),
        std::string_view("const"),    std::string_view("continue"),   std::string_view("debugger"),
        std::string_view("default"),  std::string_view("delete"),     std::string_view("do"),
        std::string_view("else"),     std::string_view("enum"),       std::string_view("export"),
        std::string_view("extends"),  std::string_view("finally"),    std::string_view("for"),
        std::string_view("function"), std::string_view("if"),         std::string_view("import"),
        std::string_view("in"),       std::string_view("instanceof"), std::string_view("let"),
        std::string_view("return"),   std::string_view("super"),      std::string_view("switch"),
        std::string_view("throw"),    std::string_view("try"),        std::string_view("var"),
        std::string_view("while"),    std::string_view("with"),       std::string_view("yield")};
    if (std::ranges::find(prefixes, name) != prefixes.end()) return true;
    wants_operand_ = false;
    return std::ranges::find(others, name) == others.end();
  }

  bool take_operator() {
    const char c = rest_.front();
    if (c == '(' || c == '[') return open(c);
    if (c == ')' || c == ']') return close(c);
    if (take_one_of({"++", "--", "=>"})) return false;
    wants_operand_ = true;
    if (take_one_of({"===", "!==", "==", "!=", "<=", ">=", "&&", "||"})) return true;
    if (c == '.') return take_member();
    if (c == ',') return take_one_of({","});
    if (take_one_of({"+", "-", "*", "/", "%", "<", ">", "&", "|", "^"})) return !rest_.starts_with('=');
    return false;
  }

  bool open(char bracket) {
    open_ += bracket;
    rest_.remove_prefix(1);
    wants_operand_ = true;
    return true;
  }

  bool close(char bracket) {
    if (open_.empty() || open_.back() != (bracket == ')' ? '(' : '[')) return false;
    open_.pop_back();
    rest_.remove_prefix(1);
    return true;
  }

  bool take_member() {
    rest_.remove_prefix(1);
    skip_space();
    if (rest_.empty() || !is_name_start(rest_.front())) return false;
    take_name();
    wants_operand_ = false;
    return true;
  }

  bool take_text(char quote) {
    for (std::size_t at = 1; at < rest_.size() && rest_[at] != '\n' && rest_[at] != '\\'; ++at) {
      if (rest_[at] != quote) continue;
      rest_.remove_prefix(at + 1);
      wants_operand_ = false;
      return true;
    }
    return false;
  }

  bool take_number() {
    while (!rest_.empty() && std::isdigit(static_cast<unsigned char>(rest_.front())) != 0) rest_.remove_prefix(1);
    wants_operand_ = false;
    return rest_.empty() || (!is_name_start(rest_.front()) && rest_.front() != '.');
  }

  std::string_view rest_;
  std::string open_;  // brackets
  bool wants_operand_ = true;
};

}  // namespace

bool breaks_off(std::string_view script) { return Scanner(script).breaks_off(); }

}  // namespace emulator
