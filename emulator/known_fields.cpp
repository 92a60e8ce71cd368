#include "emulator/known_fields.h"

#include <algorithm>
#include <string>
#include <utility>

#include "emulator/dispatch.h"
#include "emulator/error_codes.h"

namespace emulator {
namespace {

bool knows(const KnownFields& known, std::string_view name, const Profile& profile) {
  if (std::ranges::find(known.names, name) == known.names.end()) return false;
  const auto at = std::ranges::find(known.versions, name, &FieldVersion::name);
  return at == known.versions.end() || profile.max_wire_version >= at->wire_version_min;
}

}  // namespace

void check_fields_until_4_4(const Context& context, const KnownFields& known) {
  const Profile& profile = context.profile();
  if (profile.wording > Wording::V4_4) return;
  bool first = true;
  for (const auto& [name, value] : context.request.body) {
    if (std::exchange(first, false) || is_generic_field(name, profile) || knows(known, name, profile)) continue;
    if (known.by_hand != nullptr) throw known.by_hand(name);
    throw CommandError(code::unknown_field, "BSON field '" + std::string(known.command) + "." + std::string(name) +
                                                "' is an unknown field.");
  }
}

}  // namespace emulator
