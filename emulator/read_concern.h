// Read concerns: what a command may ask for, and in a transaction only its first one. Knows no single command.
#pragma once

#include <optional>
#include <string_view>

#include "emulator/commands/table.h"
#include "emulator/context.h"

namespace emulator {

struct ReadConcern {
  std::string_view level;  // empty: none is said
  std::optional<wire::Timestamp> after;
  std::optional<wire::Timestamp> at;
};

// The request's, as far as one is said; it views the request. Throws 9, 14 or 72 for what is none.
ReadConcern read_concern_of(const Request& request);
// Throws 9, 14, 20 or 72 as mongod does; a time beyond the cluster time is 72, one that is not has been applied.
void check_read_concern(const Context& context, const CommandSpec& spec);
// 72: the request's command does not run with its read concern; `reason` empty where the command takes none at all.
CommandError read_concern_refused(const Context& context, std::string_view reason);
// What no statement of a multi-document transaction may be or say: throws 263 or 72. Nothing is begun then.
void check_transaction_rules(const Context& context, const CommandSpec& spec);

}  // namespace emulator
