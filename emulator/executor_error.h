// How an error that a query meets while it runs is introduced: mongod names the command whose executor it was.
#pragma once

#include <string_view>
#include <utility>

#include "emulator/command_error.h"
#include "emulator/context.h"
#include "emulator/readable.h"

namespace emulator {

// Puts before the error's message what mongod puts there for "find" or "distinct" over what is read.
void introduce_executor_error(CommandError& error, const Context& context, const Readable& readable,
                              std::string_view command);

template <class Read>
void executed(const Context& context, const Readable& readable, std::string_view command, Read&& read) {
  try {
    std::forward<Read>(read)();
  } catch (CommandError& error) {
    introduce_executor_error(error, context, readable, command);
    throw;
  }
}

}  // namespace emulator
