// How strings compare under a collation: the text order of ICU's root locale for Latin letters, at strengths 1 to 3. Knows no query.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "emulator/profile.h"
#include "wire/document.h"

namespace emulator {

class Collection;

class Collation {
 public:
  // {locale, strength, …}; nullptr: {} and the simple locale, which compare bytes. Throws CommandError as mongod does for what no
  // collation is, and 238 for what is not built: other locales and options.
  // `wording`: of what a client gives; what the catalog has is right in every build's.
  static std::shared_ptr<const Collation> parse(wire::DocumentView spec, Wording wording = Wording::V9_0);

  // A value that compares by bytes (wire::compare_values) as this one compares under the collation; strings inside it too.
  // Throws 238 for text beyond Latin letters, digits and ASCII.
  wire::Value key(wire::ValueView value) const;
  const wire::Document& spec() const { return spec_; }

 private:
  Collation(wire::Document spec, int strength) : spec_(std::move(spec)), strength_(strength) {}
  std::string text_key(std::string_view text) const;
  wire::Document spec_;
  int strength_;
};
using CollationPtr = std::shared_ptr<const Collation>;

// What a command that names this collation (missing: none) compares by: it, or else the collection's own.
CollationPtr collation_for(wire::ValueView given, const Collection* collection, Wording wording);

// A collation as the catalog keeps it: {locale: "en"} with every field that it leaves out, in ICU's version. {} and the simple locale: a
// default document.
wire::Document whole_collation(wire::DocumentView given);

}  // namespace emulator
