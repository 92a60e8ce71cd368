// Stages that MongoDB has and Oplogue does not build: refused by name, and as mongod does where it refuses them itself.
#include "emulator/stages/table.h"

namespace emulator {
namespace {

constexpr AfterChangeStream no = AfterChangeStream::Refused;

bool since_5_0(const ParseContext& context) { return context.profile->max_wire_version >= 13; }
bool since_5_1(const ParseContext& context) { return context.profile->max_wire_version >= 14; }
bool since_6_0(const ParseContext& context) { return context.profile->max_wire_version >= 17; }

constexpr StageName names[] = {
    {.name = "$changeStream", .made_of = "$_internalChangeStreamOplogMatch", .inner = InnerUse::Refused},
    {"$densify", nullptr, no, InUpdate::Refused, "$sort", since_5_1},
    {.name = "$geoNear", .inner = InnerUse::NotInFacet},
    {"$graphLookup"},
    {"$listSessions"},
    {.name = "$planCacheStats", .inner = InnerUse::NotInFacet},
    {"$search"},
    {"$searchMeta"},
    {"$setWindowFields", nullptr, no, InUpdate::Refused, "$_internalSetWindowFields", since_5_0},
    {.name = "$shardedDataDistribution", .known = since_6_0},
};

}  // namespace

extern constinit const StageSpec refused_stage{names};

}  // namespace emulator
