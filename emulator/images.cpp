#include "emulator/images.h"

#include <algorithm>
#include <vector>

#include "emulator/deployment.h"
#include "emulator/facts/image_facts.h"
#include "emulator/wide_integer.h"

namespace emulator {
namespace {

constexpr std::string_view database = "config";
constexpr std::string_view collection_name = "system.preimages";

void append_id(wire::DocumentBuilder& out, const Uuid& collection, wire::Timestamp time, std::int64_t apply_ops_index) {
  out.append_binary("nsUUID", 4, collection)
      .append_timestamp("ts", time)
      .append_int64("applyOpsIndex", apply_ops_index);
}

Collection& images_of(Deployment& deployment) {
  if (Collection* found = deployment.store.find(database, collection_name)) return *found;
  wire::DocumentBuilder options;
  options.append_bool("clusteredIndex", true);
  auto identity = std::make_shared<OplogNamespace>(
      OplogNamespace{std::string(database), std::string(collection_name), deployment.uuids.uuid()});
  return deployment.store.create(std::move(identity), options.finish());
}

// nullopt: "off".
std::optional<std::int64_t> expire_after_seconds(const Deployment& deployment) {
  const auto options = deployment.cluster_parameters.find("changeStreamOptions");
  if (options == deployment.cluster_parameters.end()) return std::nullopt;
  const wire::ValueView seconds = options->second.find_path("preAndPostImages.expireAfterSeconds");
  return seconds.is(wire::Type::Int64) ? std::optional(seconds.as_int64()) : std::nullopt;
}

// Removes from the oldest on while `gone` says so. They are kept in the order of their entries, whatever the collection.
template <class Gone>
void remove_oldest(Deployment& deployment, Collection& images, Gone&& gone) {
  std::vector<RecordId> records;
  images.scan(0, ReadView{}, [&](RecordId record, const wire::Document& image) {
    if (!gone(image)) return false;
    records.push_back(record);
    return true;
  });
  // Not logged: every member expires its own.
  for (const RecordId record : records) images.remove(record, {deployment.cluster_time()});
}

}  // namespace

namespace {

// The no-op entry at `time`, if it is an image of the collection.
wire::Document image_in_oplog(const Oplog& oplog, const Uuid& collection, wire::Timestamp time) {
  const OplogPosition at = oplog.lower_bound(time);
  if (at == oplog.end()) return {};
  const OplogEntry& entry = oplog.at(at);
  const bool is_image = entry.time == time && entry.op == Op::Noop && entry.has_uuid && entry.ns->uuid == collection;
  return is_image ? entry.o : wire::Document();
}

}  // namespace

wire::Document find_pre_image(const Deployment& deployment, const Uuid& collection, wire::Timestamp time,
                              std::int64_t apply_ops_index) {
  if (deployment.profile.images.pre_images == ImageFacts::PreImages::NoopEntries)
    return image_in_oplog(deployment.oplog, collection, time);
  const Collection* images = deployment.store.find(database, collection_name);
  // Those of entries that are gone are removed later; nobody sees them meanwhile.
  if (images == nullptr || time < deployment.oplog.first_time()) return {};
  wire::DocumentBuilder id;
  append_id(id, collection, time, apply_ops_index);
  const wire::Document found = images->find_by_id(wire::Value::document(id.view()), ReadView{});
  const wire::ValueView pre_image = found["preImage"];
  return pre_image.is(wire::Type::Document) ? wire::Document(pre_image.as_document()) : wire::Document();
}

void keep_pre_image(Deployment& deployment, const Uuid& collection, wire::Timestamp time, std::int64_t apply_ops_index,
                    const wire::Document& pre_image, std::int64_t wall_ms) {
  Collection& images = images_of(deployment);
  wire::DocumentBuilder image;
  image.begin_document("_id");
  append_id(image, collection, time, apply_ops_index);
  image.end().append_date("operationTime", wall_ms).append_document("preImage", pre_image);
  images.insert(image.finish(), {time});
  std::int64_t surplus = images.document_bytes() - static_cast<std::int64_t>(deployment.spec.image_bytes);
  if (surplus <= 0) return;
  remove_oldest(deployment, images, [&](const wire::Document& oldest) {
    if (surplus <= 0) return false;
    surplus -= static_cast<std::int64_t>(oldest.size());
    return true;
  });
}

void expire_images(Deployment& deployment, Now now) {
  Collection* images = deployment.store.find(database, collection_name);
  if (images == nullptr) return;
  const std::optional<std::int64_t> seconds = expire_after_seconds(deployment);
  const WideInteger newest_expired_ms = deployment.clock.wall_ms(now) - WideInteger{seconds.value_or(0)} * 1000;
  const wire::Timestamp first = deployment.oplog.first_time();
  remove_oldest(deployment, *images, [&](const wire::Document& image) {
    const wire::ValueView time = image.find_path("_id.ts");
    const wire::ValueView wall = image["operationTime"];
    // What a client put there by itself stays.
    if (!time.is(wire::Type::Timestamp) || !wall.is(wire::Type::DateTime)) return false;
    return time.as_timestamp() < first || (seconds && wall.as_date_ms() <= newest_expired_ms);
  });
}

void lose_pre_images(Deployment& deployment, const Uuid* collection, wire::Timestamp through) {
  Collection* images = deployment.store.find(database, collection_name);
  if (images == nullptr) return;
  std::vector<RecordId> records;
  images->scan(0, ReadView{}, [&](RecordId record, const wire::Document& image) {
    const wire::ValueView time = image.find_path("_id.ts");
    const wire::ValueView uuid = image.find_path("_id.nsUUID");
    if (!time.is(wire::Type::Timestamp) || time.as_timestamp() > through || !uuid.is(wire::Type::Binary)) return true;
    if (collection == nullptr || std::ranges::equal(uuid.as_binary().bytes, *collection)) records.push_back(record);
    return true;
  });
  for (const RecordId record : records) images->remove(record, {deployment.cluster_time()});
}

}  // namespace emulator
