#include "emulator/executor_error.h"

#include <fmt/format.h>

#include "emulator/change_stream.h"
#include "emulator/error_codes.h"
#include "emulator/facts/stream_facts.h"
#include "emulator/profile.h"
#include "emulator/store/sort.h"

namespace emulator {

void introduce_executor_error(CommandError& error, const Context& context, const Readable& readable,
                              std::string_view command) {
  constexpr int write_conflict = 112;
  const Profile& profile = context.profile();
  // Up to 4.4 what an expression throws passes as it is; only a stage's own failure is introduced.
  const bool is_introduced = profile.wording > Wording::V4_4 || error.message == parallel_arrays_text;
  if (!is_introduced || error.code == code::not_implemented || error.code == write_conflict) return;
  const std::string ns = fmt::format("{}.{}", context.request.db, context.collection_name());
  const bool is_view = readable.collection() == nullptr && !readable.is_virtual();
  const bool names_namespace = profile.streams.aggregate_error_prefix.find("{ns}") != std::string_view::npos;
  if (is_view)  // an aggregate reads it
    error.message.insert(0, aggregate_error_prefix(profile.streams, ns));
  else
    error.message.insert(0, fmt::format("Executor error during {} command{} :: caused by :: ", command,
                                        names_namespace ? " on namespace: " + ns : ""));
}

}  // namespace emulator
