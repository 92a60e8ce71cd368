#include "emulator/arguments.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "emulator/router_authorization.h"
#include "emulator/shard_key_request.h"
#include "emulator/sharding.h"

namespace emulator {
namespace {

constexpr int already_initialized = 23;
constexpr int expanded_events_wire_version = 17;  // 6.0

// What the event describes: every option, with its default.
wire::Document description(const Arguments& arguments, wire::DocumentView key) {
  wire::DocumentBuilder out;
  out.append_document("shardKey", key).append_bool("unique", arguments.boolean("unique"));
  out.append_int64("numInitialChunks", arguments.whole("numInitialChunks").value_or(0));
  return out.append_bool("presplitHashedZones", arguments.boolean("presplitHashedZones")).finish();
}

Outcome run(Context& context) {
  const OplogNamespace ns = routed_namespace(context);
  const Arguments arguments(context.request.body, "shardCollection");
  const wire::DocumentView key = read_shard_key(context);
  const auto uniqueness = arguments.boolean("unique") ? ShardKeyUniqueness::Unique : ShardKeyUniqueness::NotUnique;
  Writer writer(context);
  context.reply.append_string("collectionsharded", ns.full());
  const wire::Document standing = shard_key_pattern(context.deployment, ns.full());
  if (!standing.is_default()) {
    if (standing.view().identical(key)) return Replied{};
    throw CommandError(already_initialized, "sharding already enabled for collection " + ns.full());
  }
  Collection& collection = writer.ensure(ns.db, ns.collection);
  if (collection.kind() != CollectionKind::Ordinary || collection.capped())
    throw CommandError(code::invalid_options, "can't shard a view, a time series or a capped collection");
  require_shard_key_index(context, writer, collection, key);
  set_shard_key(context, ns, key, uniqueness);
  context.exchange.operation_time =
      context.profile().max_wire_version >= expanded_events_wire_version
          ? log_sharding(context, collection.identity(), "shardCollection", description(arguments, key))
          : writer.last_time();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec shard_collection_command{.name = "shardCollection",
                                                            .admin_only = AdminOnly::Yes,
                                                            .write_concern = WriteConcern::Supported,
                                                            .authorized = on_routed_collection<Action::EnableSharding>,
                                                            .run = run,
                                                            .help = "Shards a collection by a key; routers only."};

}  // namespace emulator
