// How an error that a query meets while it runs is introduced: mongod names whose executor it was.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "emulator/command_error.h"
#include "emulator/context.h"

namespace emulator {

enum class Executor { Find, Distinct, FindAndModify, Aggregate };

// What stands before the message of an exception that passed the executor: nothing up to 4.4.
std::string executor_introduction(const Profile& profile, Executor executor, std::string_view ns);

// Puts before the error's message what that build's executor does, if it is an error of the execution at all.
// `collection`: without the database.
void introduce_executor_error(CommandError& error, const Context& context, Executor executor,
                              std::string_view collection);

template <class Run>
void executed(const Context& context, Executor executor, std::string_view collection, Run&& run) {
  try {
    std::forward<Run>(run)();
  } catch (CommandError& error) {
    introduce_executor_error(error, context, executor, collection);
    throw;
  }
}

}  // namespace emulator
