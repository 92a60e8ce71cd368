// How an index is described to clients and in the oplog, by profile. Knows no commands.
#pragma once

#include "emulator/oplog.h"
#include "emulator/profile.h"
#include "wire/document.h"

namespace emulator {

// {v: 2, key: {_id: 1}, name: "_id_"}, with the collation of its collection.
wire::Document id_index_description(const OplogNamespace& of, const wire::Document& collection_options,
                                    const Profile& profile);
// Of a spec as the catalog keeps it: up to 4.2 its collection's namespace stands after its name.
wire::Document index_description(const wire::Document& spec, const OplogNamespace& of, const Profile& profile);

}  // namespace emulator
