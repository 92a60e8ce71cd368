// The options of collections as create and collMod take them: checked, made whole, in the server's order.
#pragma once

#include <string_view>

#include "emulator/arguments.h"
#include "emulator/context.h"

namespace emulator {

// What the collection will have as options (CollectionOptions::toBSON): views and time series with their own. Throws CommandError.
wire::Document read_create_options(const Context& context, std::string_view name, const Arguments& arguments);
// changeStreamPreAndPostImages, checked: `path` is the command's name. nullopt: not given. An unknown field up to 5.0.
std::optional<bool> read_images_option(const Arguments& arguments, std::string_view path, const Profile& profile);
// The options again with one of them replaced; a missing value takes it away.
wire::Document with_option(const wire::Document& options, std::string_view name, wire::ValueView value);

// The size of a capped collection as servers check it who read it by hand: throws 2.
void check_capped_bytes(std::int64_t bytes);

}  // namespace emulator
