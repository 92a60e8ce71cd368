// Which fields a command knows up to 4.4, and what it does about the others: most commands are parsed by hand there, and pass over
// what they do not know. From 5.0 on a command's row says it. Knows no command.
#pragma once

#include <span>
#include <string_view>

#include "emulator/command_error.h"
#include "emulator/context.h"

namespace emulator {

// The first build that knows a field.
struct FieldVersion {
  std::string_view name;
  int wire_version_min = 0;
};

// How a parser by hand refuses a field that it does not know.
using UnknownField = CommandError (*)(std::string_view field);

struct KnownFields {
  std::string_view command;
  std::span<const std::string_view> names;
  // Those of them that not every build knows.
  std::span<const FieldVersion> versions{};
  // nullptr: a generated parser refuses it, with 40415.
  UnknownField by_hand = nullptr;
};

// Nothing from 5.0 on. Throws CommandError.
void check_fields_until_4_4(const Context& context, const KnownFields& known);

}  // namespace emulator
