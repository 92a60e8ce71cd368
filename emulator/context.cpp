#include "emulator/context.h"

#include "emulator/snapshot_read.h"
#include "emulator/write.h"

namespace emulator {

std::string Context::collection_name() const {
  const wire::ValueView name = request.target();
  if (!name.is(wire::Type::String))
    throw CommandError(2, "collection name has invalid type " + std::string(wire::type_name(name.type())));
  check_collection_name(request.db, name.as_string(), profile().wording);
  return std::string(name.as_string());
}

ReadView Context::read_view() const {
  if (transaction != nullptr) return transaction->view();
  if (snapshot != nullptr) return {snapshot->time(), 0};
  const OplogPosition end = deployment.oplog.end();
  if (member.position >= end || member.role == Role::Primary) return {};
  // A member that is behind sees the store as of its last entry.
  if (member.position <= deployment.oplog.first()) return {wire::Timestamp{}, 0};
  return {deployment.oplog.at(member.position - 1).time, 0};
}

}  // namespace emulator
