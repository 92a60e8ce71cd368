#include "emulator/arguments.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "emulator/router_authorization.h"
#include "emulator/shard_key_request.h"
#include "emulator/sharding.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

constexpr int event_wire_version = 18;  // 6.1

bool extends(wire::DocumentView key, wire::DocumentView old) {
  auto at = key.begin();
  for (const wire::Element& field : old) {
    if (at == key.end() || (*at).name != field.name || !wire::Value((*at).value).view().identical(field.value))
      return false;
    ++at;
  }
  return true;
}

Outcome run(Context& context) {
  const OplogNamespace ns = routed_namespace(context);
  const wire::DocumentView key = read_shard_key(context);
  Collection& collection = sharded_collection(context, ns);
  const wire::Document old = shard_key_pattern(context.deployment, ns.full());
  if (old.view().identical(key)) return Replied{};
  if (!extends(key, old))
    throw CommandError(code::invalid_options, "refineCollectionShardKey shard key " + bson_text(key) +
                                                  " does not extend the current shard key " + bson_text(old.view()));
  Writer writer(context);
  require_shard_key_index(context, writer, collection, key);
  set_shard_key(context, ns, key, ShardKeyUniqueness::NotUnique);
  if (context.profile().max_wire_version < event_wire_version) return Replied{};
  wire::DocumentBuilder described;
  described.append_document("shardKey", key).append_document("oldShardKey", old);
  context.exchange.operation_time =
      log_sharding(context, collection.identity(), "refineCollectionShardKey", described.finish());
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec refine_collection_shard_key_command{
    .name = "refineCollectionShardKey",
    .admin_only = AdminOnly::Yes,
    .write_concern = WriteConcern::Supported,
    .authorized = on_routed_collection<Action::RefineCollectionShardKey>,
    .run = run,
    .help = "Adds fields to a shard key; routers only."};

}  // namespace emulator
