// Shard keys as commands name them: checked, and with the index that they need. Knows no single command.
#pragma once

#include "emulator/context.h"
#include "emulator/write.h"
#include "wire/document.h"

namespace emulator {

// The pattern in the command's `key`; throws 40414, 14 or 2 for what is none.
wire::DocumentView read_shard_key(const Context& context);
// Throws 26 unless the collection is there, 118 unless it is sharded.
Collection& sharded_collection(const Context& context, const OplogNamespace& ns);
// The index that begins with the key: made on an empty collection, else 72 where there is none.
void require_shard_key_index(Context& context, Writer& writer, Collection& collection, wire::DocumentView key);

}  // namespace emulator
