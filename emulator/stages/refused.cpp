// Stages that MongoDB has and Oplogue does not build: refused by name, and as mongod does where it refuses them itself.
#include "emulator/stages/table.h"

namespace emulator {
namespace {

constexpr AfterChangeStream no = AfterChangeStream::Refused;

constexpr StageName names[] = {
    {"$bucket", nullptr, no, InUpdate::Refused, "$group"},
    {"$bucketAuto"},
    {"$changeStream"},
    {"$collStats"},
    {"$currentOp"},
    {"$densify", nullptr, no, InUpdate::Refused, "$sort"},
    {"$documents"},
    {"$facet"},
    {"$fill", nullptr, AfterChangeStream::Allowed},
    {"$geoNear"},
    {"$graphLookup"},
    {"$indexStats"},
    {"$listLocalSessions"},
    {"$listSessions"},
    {"$lookup"},
    {"$merge"},
    {"$out"},
    {"$planCacheStats"},
    {"$sample"},
    {"$search"},
    {"$searchMeta"},
    {"$setWindowFields", nullptr, no, InUpdate::Refused, "$_internalSetWindowFields"},
    {"$shardedDataDistribution"},
    {"$unionWith"},
};

}  // namespace

extern constinit const StageSpec refused_stage{names};

}  // namespace emulator
