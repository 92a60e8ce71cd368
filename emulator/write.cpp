#include "emulator/write.h"

#include <algorithm>

#include "emulator/arguments.h"
#include "emulator/context.h"
#include "emulator/deployment.h"
#include "emulator/facts/image_facts.h"
#include "emulator/facts/oplog_facts.h"
#include "emulator/images.h"
#include "emulator/session.h"
#include "emulator/sharding.h"
#include "emulator/transaction.h"
#include "emulator/validation.h"
#include "emulator/value_text.h"
#include "emulator/write_fail_points.h"
#include "emulator/write_progress.h"
#include "wire/compare.h"

namespace emulator {
namespace {

// Until 4.4 an index goes on naming its collection as it was called when the index was made.
const OplogNamespace& named_by(const Index* index, const Collection& collection, Wording wording) {
  if (wording > Wording::V4_4) return *collection.identity();
  if (index == nullptr) return *collection.first_identity();
  return index->made_in() == nullptr ? *collection.identity() : *index->made_in();
}

}  // namespace

CommandError duplicate_key(const Collection& collection, const Conflict& conflict, Wording wording) {
  const std::string index = conflict.index == nullptr ? "_id_" : conflict.index->spec().name;
  CommandError error(11000,
                     "E11000 duplicate key error collection: " + named_by(conflict.index, collection, wording).full() +
                         " index: " + index + " dup key: " + bson_text(conflict.key));
  wire::DocumentBuilder extra;
  extra.begin_document("keyPattern");
  conflict.index == nullptr ? extra.append_int32("_id", 1) : extra.append_all(conflict.index->spec().key);
  extra.end().append_document("keyValue", conflict.key);
  error.extra = extra.finish();
  return error;
}

namespace {

// What may not be an `_id`; nullopt: it may.
Failure id_failure(wire::ValueView id, Wording wording) {
  const bool plainly = wording <= Wording::V4_4;
  const std::string type(wire::type_name(id.type()));
  switch (id.type()) {
    case wire::Type::Array:
    case wire::Type::Regex:
    case wire::Type::Undefined:
      if (plainly)
        return CommandError(2, std::string("can't use a") + (type[0] == 'a' ? "n " : " ") + type + " for _id");
      return CommandError(53, "The '_id' value cannot be of type " + type);
    case wire::Type::Document:
      for (const wire::Element& element : id.as_document())
        if (element.name.starts_with('$') && plainly)
          return CommandError(52, std::string(element.name) + " is not valid for storage.");
        else if (element.name.starts_with('$'))
          return CommandError(52, "_id fields may not contain '$'-prefixed fields: " + std::string(element.name) +
                                      " is not valid for storage.");
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

bool is_zero_timestamp(wire::ValueView value) {
  return value.is(wire::Type::Timestamp) && value.as_timestamp() == wire::Timestamp{};
}

}  // namespace

Writer::Writer(const Context& context)
    : deployment_(context.deployment), context_(context), session_(context.session), transaction_(context.transaction) {
  if (transaction_ != nullptr) view_ = transaction_->view();
  context.exchange.locked_to_write = true;
  retryable_ = session_ != nullptr && transaction_ == nullptr && context.request.txn_number().has_value();
}

Stamp Writer::stamp(wire::Timestamp time) const {
  return transaction_ != nullptr ? Stamp{{}, transaction_->id} : Stamp{time, 0};
}

Failure Writer::blocked(const Collection& collection, const Conflict& conflict) const {
  if (conflict.obstacle == Obstacle::None) return std::nullopt;
  if (conflict.obstacle == Obstacle::DuplicateKey)
    return duplicate_key(collection, conflict, deployment_.profile.wording);
  if (transaction_ == nullptr && conflict.owner != 0) throw Blocked{conflict.owner};
  throw write_conflict(deployment_.profile.wording);
}

void Writer::require_free(const Collection& collection, RecordId record) const {
  if (!collection.conflicts(record, view_)) return;
  if (transaction_ == nullptr) throw Blocked{collection.owner(record)};
  throw write_conflict(deployment_.profile.wording);
}

Failure Writer::check_space(std::size_t bytes) const {
  if (deployment_.store.bytes() + bytes <= deployment_.spec.store_bytes) return std::nullopt;
  return CommandError(14031, "The store is full: it holds " + std::to_string(deployment_.store.bytes()) + " of " +
                                 std::to_string(deployment_.spec.store_bytes) + " bytes");
}

void Writer::require_writable(const Collection& collection) const {
  if (transaction_ != nullptr && collection.capped())
    throw CommandError(263,
                       "Collection '" + collection.identity()->full() +
                           "' is a capped collection. Writes in transactions are not allowed on capped collections.");
}

Writer::Images Writer::images_of(const Collection& collection, const wire::Document& before,
                                 const wire::Document& after) const {
  const bool in_oplog = deployment_.profile.images.pre_images == ImageFacts::PreImages::NoopEntries;
  Images images;
  if (in_oplog ? is_truthy(collection.options()["recordPreImages"]) : collection.images_enabled())
    images.before = before;
  if (retry_image_ != RetryImage::None) images.for_retry = retry_image_ == RetryImage::PreImage ? before : after;
  return images;
}

void Writer::log_image(OplogEntry& entry, const Images& images) {
  const bool is_post = images.before.is_default() && retry_image_ == RetryImage::PostImage;
  OplogEntry image;
  image.op = Op::Noop;
  image.ns = entry.ns;
  image.has_uuid = entry.has_uuid;
  image.o = images.before.is_default() ? images.for_retry : images.before;
  image.extra = entry.extra;
  const wire::Timestamp time = deployment_.append(std::move(image), context_.now);
  auto extra = entry.extra == nullptr ? std::make_shared<OplogExtra>() : std::make_shared<OplogExtra>(*entry.extra);
  extra->image_time = time;
  extra->image_is_post = is_post;
  entry.extra = std::move(extra);
}

wire::Timestamp Writer::log(Op op, OplogNamespacePtr ns, wire::Document o, wire::Document o2, const Images& images) {
  if (transaction_ != nullptr) {
    transaction_->operations.push_back({op, std::move(ns), std::move(o), std::move(o2), images.before});
    return {};
  }
  if (retryable_ && op != Op::Command && !(grouped_ && op == Op::Insert))
    if (const auto refused = enter_transactional_write(context_)) throw CommandError(*refused);
  if (joins_batch(op)) return log_batched(std::move(ns), std::move(o), std::move(o2));
  const OplogFacts& facts = deployment_.profile.oplog;
  OplogEntry entry;
  entry.op = op;
  entry.o = std::move(o);
  entry.o2 = std::move(o2);
  entry.has_uuid = ns->uuid != Uuid{};
  const Uuid uuid = ns->uuid;
  entry.ns = std::move(ns);
  if (retryable_ && op != Op::Command) {
    auto extra = retryable_extra({statement_});
    if (retry_image_ != RetryImage::None && facts.retry_images == OplogFacts::RetryImages::ImageCollection)
      extra->needs_retry_image = retry_image_ == RetryImage::PreImage ? "preImage" : "postImage";
    entry.extra = std::move(extra);
  }
  const bool image_is_entry = deployment_.profile.images.pre_images == ImageFacts::PreImages::NoopEntries;
  const bool retry_is_entry = retryable_ && facts.retry_images == OplogFacts::RetryImages::NoopEntry;
  if ((image_is_entry && !images.before.is_default()) || (retry_is_entry && !images.for_retry.is_default()))
    log_image(entry, images);
  const wire::Timestamp time = deployment_.append(std::move(entry), context_.now);
  if (retryable_ && op != Op::Command) {
    session_->last_write = time;
    session_->last_write_term = deployment_.term;
  }
  if (!images.before.is_default() && !image_is_entry)
    keep_pre_image(deployment_, uuid, time, 0, images.before, context_.wall_ms());
  last_time_ = time;
  return time;
}

Failure Writer::prepare(wire::DocumentView document, wire::Document& prepared) {
  if (document.size() > static_cast<std::size_t>(document_bytes_max))
    return CommandError(2, "object to insert too large. size in bytes: " + std::to_string(document.size()) +
                               ", max size: " + std::to_string(document_bytes_max));
  wire::ValueView id;
  bool id_first = false;
  bool zero_times = false;
  std::size_t position = 0;
  const Wording wording = context_.profile().wording;
  for (const wire::Element& element : document) {
    if (element.name.starts_with('$') && wording <= Wording::V4_4)
      return CommandError(2, "Document can't have $ prefixed field names: " + std::string(element.name));
    if (element.name == "_id" && id.missing()) {
      id = element.value;
      id_first = position == 0;
    } else if (is_zero_timestamp(element.value)) {
      zero_times = true;
    }
    ++position;
  }
  if (Failure failure = id_failure(id, wording)) return failure;
  if (id_first && !zero_times) {
    prepared = wire::Document(document);
    return std::nullopt;
  }
  wire::DocumentBuilder out;
  if (id.missing())
    out.append_object_id("_id",
                         deployment_.object_ids.object_id(static_cast<std::uint32_t>(context_.wall_ms() / 1000)));
  else
    out.append("_id", id);
  for (const wire::Element& element : document) {
    if (element.name == "_id") continue;
    if (is_zero_timestamp(element.value))
      out.append_timestamp(element.name, deployment_.tick(context_.now));
    else
      out.append(element.name, element.value);
  }
  prepared = out.finish();
  return std::nullopt;
}

Failure Writer::insert(Collection& collection, wire::DocumentView document) {
  wire::Document prepared;
  if (Failure failure = prepare(document, prepared)) return failure;
  return insert_prepared(collection, std::move(prepared));
}

Failure Writer::insert_prepared(Collection& collection, wire::Document document) {
  const std::size_t bytes = document.size();
  Failure failure = insert_unbatched(collection, std::move(document));
  if (failure) refuse_insert_batch();
  count_batched(bytes);
  return failure;
}

Failure Writer::insert_unbatched(Collection& collection, wire::Document document) {
  require_writable(collection);
  if (Failure failure = check_space(document.size())) return failure;
  if (Failure failure = validation_failure(context_, collection, {}, document)) return failure;
  if (Failure failure = blocked(collection, collection.check(document, 0, view_))) return failure;
  // Said only where it is more than the `_id`.
  wire::Document key;
  if (has_router(deployment_)) key = document_key_of(deployment_, collection, document);
  const wire::Timestamp time = log(Op::Insert, collection.identity(), document, std::move(key), {});
  const RecordId record = collection.insert(std::move(document), stamp(time));
  if (transaction_ != nullptr) transaction_->records.emplace_back(collection.uuid(), record);
  if (collection.capped()) evict_surplus(collection);
  return std::nullopt;
}

Failure Writer::update(Collection& collection, RecordId record, wire::Document after, wire::Document logged) {
  require_writable(collection);
  if (after.size() > static_cast<std::size_t>(document_internal_bytes_max))
    return CommandError(17419, "Resulting document after update is larger than " + std::to_string(document_bytes_max));
  if (Failure failure = check_space(after.size())) return failure;
  require_free(collection, record);
  const bool unique = std::ranges::any_of(collection.indexes(), [](const auto& index) { return index->spec().unique; });
  if (unique)
    if (Failure failure = blocked(collection, collection.check(after, record, view_))) return failure;
  const wire::Document before = collection.read(record, view_);
  if (Failure failure = validation_failure(context_, collection, before, after)) return failure;
  const wire::Document key = document_key_of(deployment_, collection, before);
  if (Failure failure = enter_collection_update(context_, *collection.identity(), logged, key)) return failure;
  const wire::Timestamp time =
      log(Op::Update, collection.identity(), std::move(logged), key, images_of(collection, before, after));
  collection.update(record, std::move(after), stamp(time));
  written_.push_back(record);
  if (transaction_ != nullptr) transaction_->records.emplace_back(collection.uuid(), record);
  return std::nullopt;
}

Failure Writer::remove(Collection& collection, RecordId record) {
  require_writable(collection);
  require_free(collection, record);
  const wire::Document before = collection.read(record, view_);
  const wire::Timestamp time = log(Op::Delete, collection.identity(), document_key_of(deployment_, collection, before),
                                   {}, images_of(collection, before, {}));
  collection.remove(record, stamp(time));
  written_.push_back(record);
  if (transaction_ != nullptr) transaction_->records.emplace_back(collection.uuid(), record);
  return std::nullopt;
}

void Writer::evict_surplus(Collection& collection) {
  while (const std::optional<RecordId> oldest = collection.surplus()) {
    const wire::Document gone = collection.read(*oldest, ReadView{});
    const wire::Timestamp time =
        deployment_.profile.oplog.capped_evictions
            ? log(Op::Delete, collection.identity(), document_key_of(deployment_, collection, gone), {},
                  images_of(collection, gone, {}))
            : deployment_.cluster_time();
    collection.remove(*oldest, Stamp{time, 0});
  }
}

}  // namespace emulator
