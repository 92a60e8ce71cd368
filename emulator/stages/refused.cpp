// Stages that MongoDB has and Oplogue does not build: refused by name, and as mongod does where it refuses them itself.
#include "emulator/stages/table.h"

namespace emulator {
namespace {

constexpr AfterChangeStream no = AfterChangeStream::Refused;

constexpr StageName names[] = {
    {.name = "$changeStream", .made_of = "$_internalChangeStreamOplogMatch", .inner = InnerUse::Refused},
    {.name = "$densify",
     .after_change_stream = no,
     .made_of = "$sort",
     .known = [](const ParseContext& context) { return context.wire_version >= 14; }},  // 5.1
    {.name = "$geoNear", .inner = InnerUse::NotInFacet},
    {"$graphLookup"},
    {"$listSessions"},
    {.name = "$planCacheStats", .inner = InnerUse::NotInFacet},
    {"$search"},
    {"$searchMeta"},
    {"$setWindowFields", nullptr, no, InUpdate::Refused, "$_internalSetWindowFields"},
    {"$shardedDataDistribution"},
};

}  // namespace

extern constinit const StageSpec refused_stage{names};

}  // namespace emulator
