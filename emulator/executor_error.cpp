#include "emulator/executor_error.h"

#include <fmt/format.h>

#include "emulator/error_codes.h"
#include "emulator/expression.h"
#include "emulator/facts/stream_facts.h"
#include "emulator/profile.h"
#include "emulator/store/sort.h"

namespace emulator {
namespace {

// Not what was refused before there was an executor, nor a conflict, which passes through it.
bool is_of_execution(const CommandError& error) {
  constexpr int write_conflict = 112;
  return dynamic_cast<const OptimizationFailure*>(&error) == nullptr && error.code != code::not_implemented &&
         error.code != write_conflict;
}

// Up to 4.4 what an expression throws passes as it is; a stage's own failure is introduced, by an aggregate from 4.4 on.
bool is_introduced(const CommandError& error, Executor executor, Wording wording) {
  if (wording > Wording::V4_4) return true;
  return dynamic_cast<const SortFailure*>(&error) != nullptr &&
         (executor != Executor::Aggregate || wording > Wording::V4_2);
}

std::string words(const Profile& profile, Executor executor, std::string_view ns) {
  const bool names_namespace = profile.streams.executor_names_namespace;
  const auto command = [&](std::string_view name) {
    return fmt::format("Executor error during {} command{}{} :: caused by :: ", name,
                       names_namespace ? " on namespace: " : "", names_namespace ? ns : "");
  };
  switch (executor) {
    case Executor::Find:
      return command("find");
    case Executor::Distinct:
      return command("distinct");
    case Executor::FindAndModify:
      return "Plan executor error during findAndModify :: caused by :: ";
    case Executor::Aggregate:
      break;
  }
  return names_namespace ? command("aggregate") : "PlanExecutor error during aggregation :: caused by :: ";
}

}  // namespace

std::string executor_introduction(const Profile& profile, Executor executor, std::string_view ns) {
  return profile.wording > Wording::V4_4 ? words(profile, executor, ns) : std::string();
}

void introduce_executor_error(CommandError& error, const Context& context, Executor executor,
                              std::string_view collection) {
  const Profile& profile = context.profile();
  if (!is_of_execution(error) || !is_introduced(error, executor, profile.wording)) return;
  const std::string ns = fmt::format("{}.{}", context.request.db, collection);
  error.message.insert(0, words(profile, executor, ns));
}

}  // namespace emulator
