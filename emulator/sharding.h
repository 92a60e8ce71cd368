// A sharded cluster as its routers know it: shards, sharded collections and their chunks, kept where MongoDB keeps them, in the
// config database. Knows no commands. One oplog stands for those of all shards, so events are merged by their tokens as they are.
#pragma once

#include <string>
#include <string_view>

#include "emulator/context.h"
#include "emulator/oplog.h"
#include "emulator/store/collection.h"
#include "wire/document.h"

namespace emulator {

// Whether clients speak to a router: topology sharded or load-balanced.
bool has_router(const Deployment& deployment);
// A command that only routers have: 59 elsewhere, 13 outside of admin, 73 where its own field is no namespace. Returns the namespace.
OplogNamespace routed_namespace(const Context& context);
void require_router(const Context& context);

// The metadata of a new cluster: two shards, `shard01` and `shard02`.
void create_shards(Deployment& deployment);
// host:port of the shard that a database lives on, as routers name it in errors.
std::string primary_shard_host(const Deployment& deployment, std::string_view db);

// The shard key's pattern; default: the collection is not sharded.
wire::Document shard_key_pattern(const Deployment& deployment, std::string_view ns);
// The fields of the shard key in its order, then `_id` unless it is one of them; for other collections {_id}.
wire::Document document_key_of(const Deployment& deployment, const Collection& collection,
                               const wire::Document& document);

// Marks the collection as sharded by `key`, in one chunk, or changes its key.
enum class ShardKeyUniqueness { Unique, NotUnique };
void set_shard_key(Context& context, const OplogNamespace& ns, wire::DocumentView key, ShardKeyUniqueness uniqueness);
// Moves the chunk that the request's find or bounds name. Throws 70 for a shard that is not there.
void move_chunk(Context& context, const OplogNamespace& ns, std::string_view to_shard);
void split_chunk(Context& context, const OplogNamespace& ns, wire::DocumentView at);
void set_primary_shard(Context& context, std::string_view db, std::string_view shard);
// The documents of a collection of config, in order.
std::vector<wire::Document> config_documents(const Deployment& deployment, std::string_view collection);

// Writes the no-op entry that tells change streams of a DDL of shards: {<what>: "db.coll", …fields}.
wire::Timestamp log_sharding(Context& context, const OplogNamespacePtr& ns, std::string_view what,
                             wire::DocumentView fields);

}  // namespace emulator
