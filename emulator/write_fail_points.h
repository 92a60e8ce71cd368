// Fail points that the write path asks itself, because whether they are entered depends on what is written, not on the request:
// onPrimaryTransactionalWrite and failCollectionUpdates (facts §7.3). Knows no commands.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "emulator/command_error.h"
#include "emulator/faults/fault.h"
#include "wire/document.h"

namespace emulator {

class Context;
class Deployment;
struct Profile;
struct OplogNamespace;

// How often a fail point is entered: its mode.
struct FailPointMode {
  bool on = true;
  std::uint64_t skip = 0;
  std::uint64_t times = 0;
  double chance = 1;
};

// A fault that takes no request by itself: FaultPlan keeps it, the write path enters it.
std::unique_ptr<Fault> make_write_fail_point(const FailPointMode& mode, wire::DocumentView data, std::uint64_t seed);
// Whether this build has one of that name (commands/configure_fail_point.cpp has the list).
bool is_fail_point(std::string_view name, const Profile& profile);
// How often all fail points of that name were entered, ended ones included.
std::uint64_t times_entered(const Deployment& deployment, const std::string& name);

// The request is about to write in a retryable write or to commit a transaction: enters onPrimaryTransactionalWrite. Its connection
// is closed instead of the reply where the fail point says so; the error, if any, means that nothing may be written.
std::optional<CommandError> enter_transactional_write(const Context& context);
// 40654 for an update of the collection that failCollectionUpdates names.
std::optional<CommandError> enter_collection_update(const Context& context, const OplogNamespace& updated,
                                                    const wire::Document& logged, const wire::Document& key);

}  // namespace emulator
