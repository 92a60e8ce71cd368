// What update and findAndModify share: a parsed update carried out on matches, or inserted where there is none.
// Knows no command.
#pragma once

#include "emulator/query.h"
#include "emulator/session.h"
#include "emulator/update.h"
#include "emulator/write.h"

namespace emulator {

// What a build makes of updates; without a time and without a command.
UpdateContext update_context(const Profile& profile);
// `constants`: an update's `c`, for pipelines only. Throws CommandError.
Update parse_update(const Context& context, wire::ValueView u, wire::ValueView array_filters,
                    wire::ValueView constants = {});

struct Updated {
  wire::Document after;
  bool modified = false;
};
// One match. What does not apply is thrown; what cannot be written is the failure.
Failure update_found(Writer& writer, Collection& collection, const Found& found, const Matcher& filter,
                     const Update& update, Updated& updated);
// Inserts what the query and the update make, with a new `_id` where they give none; creates the collection if need be.
Failure upsert(Context& context, Writer& writer, std::string_view collection, const Matcher& filter,
               const Update& update, wire::Document& inserted);

}  // namespace emulator
