#define PCRE2_CODE_UNIT_WIDTH 8
#include "tests/golden/masking.h"

#include <pcre2.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>

namespace golden {
namespace {

constexpr std::size_t long_run_bytes = 1000;
constexpr std::size_t masked_text_bytes_min = 12;  // nothing that is masked is shorter

struct Rule {
  const char* pattern;
  const char* replacement;
};

constexpr std::array<Rule, 8> rules{{
    {R"(\b82[0-9A-F]{20,})", "<token>"},
    {R"(Timestamp\(\d{9,}, \d+\))", "Timestamp(<timestamp>)"},
    {R"(\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b)", "<uuid>"},
    {R"((cursor id:? )\d+)", "${1}<cursorId>"},
    {R"(ObjectId\('[0-9a-f]{24}'\))", "ObjectId('<objectId>')"},
    {R"(\btmp\w{5}\.(renameCollection|convertToCapped))", "tmp<random>.${1}"},
    {R"(\btmp\.agg_out\.\d+\b(?!-))", "tmp.agg_out.<number>"},
    {R"((?<![\w.])-?\d{15,20}(?![\w.]))", "<number>"},
}};

struct CodeDeleter {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};
using Code = std::unique_ptr<pcre2_code, CodeDeleter>;

PCRE2_SPTR units(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

Code compile(std::string_view pattern) {
  int error = 0;
  PCRE2_SIZE at = 0;
  Code code(pcre2_compile(units(pattern), pattern.size(), 0, &error, &at, nullptr));
  if (!code) throw std::logic_error("not a regular expression: " + std::string(pattern));
  return code;
}

std::string substitute(const pcre2_code* code, std::string_view text, std::string_view replacement) {
  std::string out(text.size() * 2 + 256, '\0');
  for (;;) {
    PCRE2_SIZE size = out.size();
    const int count = pcre2_substitute(
        code, units(text), text.size(), 0, PCRE2_SUBSTITUTE_GLOBAL | PCRE2_SUBSTITUTE_OVERFLOW_LENGTH, nullptr, nullptr,
        units(replacement), replacement.size(), reinterpret_cast<PCRE2_UCHAR*>(out.data()), &size);
    if (count == PCRE2_ERROR_NOMEMORY) {
      out.resize(size);
      continue;
    }
    if (count < 0) throw std::logic_error("a text could not be masked");
    out.resize(size);
    return out;
  }
}

}  // namespace

std::string mask(std::string_view text, std::string_view host) {
  static const std::array<Code, rules.size()> codes = [] {
    std::array<Code, rules.size()> out;
    std::transform(rules.begin(), rules.end(), out.begin(), [](const Rule& rule) { return compile(rule.pattern); });
    return out;
  }();
  std::string out(text);
  for (std::size_t at = out.find(host); at != std::string::npos; at = out.find(host, at))
    out.replace(at, host.size(), "<host>");
  if (out.size() < masked_text_bytes_min) return out;
  for (std::size_t n = 0; n < rules.size(); ++n) out = substitute(codes[n].get(), out, rules[n].replacement);
  return out;
}

bool is_long_run(std::string_view bytes) {
  return bytes.size() > long_run_bytes && bytes.find_first_not_of(bytes.front()) == std::string_view::npos;
}

}  // namespace golden
