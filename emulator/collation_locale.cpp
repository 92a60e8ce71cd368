#include "emulator/collation_locale.h"

#include <fmt/format.h>

#include <algorithm>

#include "emulator/command_error.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

// Locales of the manual's list that leave the root order of Latin letters alone, by language.
constexpr std::string_view root_languages[] = {"de", "en", "fr", "ga", "id", "it", "ms", "nl", "pt", "sw", "zu"};
// The other languages of that list.
constexpr std::string_view other_languages[] = {
    "af", "am",  "ar", "as", "az", "be", "bg",  "bn", "bo", "br",  "bs", "ca",  "cs",  "cy", "da",  "dsb", "dz", "ee",
    "el", "eo",  "es", "et", "fa", "fi", "fil", "fo", "gl", "gu",  "ha", "haw", "he",  "hi", "hr",  "hsb", "hu", "hy",
    "ig", "is",  "ja", "ka", "kk", "kl", "km",  "kn", "ko", "kok", "ky", "lb",  "lkt", "ln", "lo",  "lt",  "lv", "mk",
    "ml", "mn",  "mr", "mt", "my", "nb", "ne",  "nn", "om", "or",  "pa", "pl",  "ps",  "ro", "ru",  "se",  "si", "sk",
    "sl", "smn", "sq", "sr", "sv", "ta", "te",  "th", "to", "tr",  "ug", "uk",  "ur",  "vi", "wae", "yi",  "yo", "zh"};

// "en_US": a language, and a region of two capitals.
struct Locale {
  std::string_view language;
  bool plain = true;  // nothing but the language, or with a region
};
Locale split_locale(std::string_view text) {
  const std::size_t end = std::min(text.find_first_of("_@-"), text.size());
  Locale locale{text.substr(0, end)};
  const std::string_view rest = text.substr(end);
  locale.plain = rest.empty() || rest == "_US_POSIX" ||
                 (rest.size() == 3 && rest[0] == '_' &&
                  std::ranges::all_of(rest.substr(1), [](char c) { return c >= 'A' && c <= 'Z'; }));
  return locale;
}

}  // namespace

void check_collation_locale(std::string_view text, wire::DocumentView spec) {
  if (text.empty())
    throw CommandError(2, fmt::format("Field 'locale' cannot be the empty string in: {}", bson_text(spec)));
  const Locale locale = split_locale(text);
  const bool of_root = std::ranges::find(root_languages, locale.language) != std::end(root_languages);
  const bool known = of_root || std::ranges::find(other_languages, locale.language) != std::end(other_languages);
  if (!known) throw CommandError(2, fmt::format("Field 'locale' is invalid in: {}", bson_text(spec)));
  if (!of_root || !locale.plain || text == "fr_CA") not_built(fmt::format("the collation of locale {}", text));
}

}  // namespace emulator
