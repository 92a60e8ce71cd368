#include "emulator/arguments.h"
#include "emulator/commands/table.h"
#include "emulator/facts/stream_facts.h"
#include "emulator/router_authorization.h"
#include "emulator/shard_key_request.h"
#include "emulator/sharding.h"
#include "emulator/transaction.h"

namespace emulator {
namespace {

// The events of 6.1, which 6.0.14 was given too, like the splitting of large ones.
bool tells_of_resharding(const Profile& profile) {
  constexpr int wire_version_6_1 = 18;
  return profile.max_wire_version >= wire_version_6_1 || profile.streams.split_large_event;
}

// The same documents under another UUID, as they stand after the copy: clients see no write.
Collection& copy_of(Context& context, Collection& collection) {
  Deployment& deployment = context.deployment;
  OplogNamespace identity = *collection.identity();
  identity.uuid = deployment.uuids.uuid();
  const auto to = std::make_shared<OplogNamespace>(identity);
  std::unique_ptr<Collection> copy = deployment.store.make(to, collection.options());
  collection.scan(0, ReadView{}, [&](RecordId, const wire::Document& document) {
    copy->insert(document, {deployment.cluster_time(), 0});
    return true;
  });
  for (const auto& index : collection.indexes()) copy->add_index(index->spec());
  copy->set_minimum_visible(deployment.cluster_time());
  deployment.store.drop(identity.db, identity.collection);
  return deployment.store.adopt(std::move(copy));
}

Outcome run(Context& context) {
  const OplogNamespace ns = routed_namespace(context);
  const Arguments arguments(context.request.body, "reshardCollection");
  const wire::DocumentView key = read_shard_key(context);
  Collection& collection = sharded_collection(context, ns);
  require_unused(context.deployment, ns.db, ns.collection);
  const wire::Document old = shard_key_pattern(context.deployment, ns.full());
  if (old.view().identical(key)) return Replied{};
  const OplogNamespacePtr before = collection.identity();
  Collection& copy = copy_of(context, collection);
  const bool unique = arguments.boolean("unique");
  set_shard_key(context, ns, key, unique ? ShardKeyUniqueness::Unique : ShardKeyUniqueness::NotUnique);
  if (!tells_of_resharding(context.profile())) return Replied{};
  wire::DocumentBuilder described;
  described.append_binary("reshardUUID", 4, copy.uuid()).append_document("shardKey", key);
  described.append_document("oldShardKey", old).append_bool("unique", unique);
  described.append_int64("numInitialChunks", arguments.whole("numInitialChunks").value_or(0));
  for (const std::string_view option : {"collation", "zones"})
    if (const wire::ValueView value = context.request[option]) described.append(option, value);
  context.exchange.operation_time = log_sharding(context, before, "reshardCollection", described.finish());
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec reshard_collection_command{
    .name = "reshardCollection",
    .admin_only = AdminOnly::Yes,
    .write_concern = WriteConcern::Supported,
    .authorized = on_routed_collection<Action::ReshardCollection>,
    .run = run,
    .help = "Shards a collection anew, by another key and under another UUID; routers only."};

}  // namespace emulator
