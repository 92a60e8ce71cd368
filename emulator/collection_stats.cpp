#include "emulator/collection_stats.h"

namespace emulator {
namespace {

constexpr std::int32_t page_bytes = 4096;

std::int32_t stored_bytes(std::int64_t bytes) {
  return static_cast<std::int32_t>((bytes / page_bytes + 1) * page_bytes);
}

// What not every build says: 4.2 and before neither of the two sizes, 5.0 and before no orphans.
struct Said {
  bool orphans;
  bool free_and_total;
};

Said said_by(const Profile& profile) { return {profile.wording > Wording::V5_0, profile.wording > Wording::V4_2}; }

void append_nothing(wire::DocumentBuilder& out, const Said& said, std::int32_t scale) {
  out.append_int32("size", 0).append_int32("count", 0);
  if (said.orphans) out.append_int32("numOrphanDocs", 0);
  out.append_int32("storageSize", 0);
  if (said.free_and_total) out.append_int32("totalSize", 0);
  out.append_int32("nindexes", 0).append_int32("totalIndexSize", 0);
  out.begin_document("indexDetails").end().begin_document("indexSizes").end().append_int32("scaleFactor", scale);
}

void append_indexes(wire::DocumentBuilder& out, const Collection& collection, const Said& said, std::int32_t scale) {
  const std::int32_t own = collection.clustered() ? 0 : 1;
  const std::int32_t count = static_cast<std::int32_t>(collection.indexes().size()) + own;
  out.append_int32("nindexes", count).begin_array("indexBuilds").end();
  out.append_int32("totalIndexSize", count * page_bytes / scale);
  if (said.free_and_total)
    out.append_int32("totalSize", (stored_bytes(collection.document_bytes()) + count * page_bytes) / scale);
  out.begin_document("indexSizes");
  if (own == 1) out.append_int32("_id_", page_bytes / scale);
  for (const auto& index : collection.indexes()) out.append_int32(index->spec().name, page_bytes / scale);
  out.end().append_int32("scaleFactor", scale);
}

}  // namespace

void append_collection_stats(wire::DocumentBuilder& out, const Collection* collection, const Profile& profile,
                             std::int32_t scale) {
  const Said said = said_by(profile);
  if (collection == nullptr) return append_nothing(out, said, scale);
  out.append_int32("size", static_cast<std::int32_t>(collection->document_bytes() / scale));
  out.append_int32("count", static_cast<std::int32_t>(collection->count()));
  if (collection->count() > 0)
    out.append_int32("avgObjSize", static_cast<std::int32_t>(collection->document_bytes() / collection->count()));
  if (said.orphans) out.append_int32("numOrphanDocs", 0);
  out.append_int32("storageSize", stored_bytes(collection->document_bytes()) / scale);
  if (said.free_and_total) out.append_int32("freeStorageSize", 0);
  out.append_bool("capped", collection->capped());
  if (collection->capped()) {
    out.append_int32("max", static_cast<std::int32_t>(collection->capped_documents()));
    out.append_int32("maxSize", static_cast<std::int32_t>(collection->capped_bytes() / scale));
  }
  append_indexes(out, *collection, said, scale);
}

}  // namespace emulator
