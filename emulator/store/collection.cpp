#include "emulator/store/collection.h"

#include <algorithm>

#include "emulator/arguments.h"
#include "wire/compare.h"

namespace emulator {
namespace {

std::int64_t weight(const wire::Document& document) {
  return document.is_default() ? 0 : static_cast<std::int64_t>(document.size());
}

}  // namespace

Collection::Collection(OplogNamespacePtr identity, wire::Document options, Ledger& ledger)
    : identity_(std::move(identity)), ledger_(ledger), number_(ledger.collections++) {
  set_options(std::move(options));
}

Collection::~Collection() { clear(); }

void Collection::set_options(wire::Document options) {
  options_ = std::move(options);
  // The buckets of a time series carry its options too.
  const bool buckets = identity_->collection.starts_with("system.buckets.");
  kind_ = options_.has("viewOn")                   ? CollectionKind::View
          : options_.has("timeseries") && !buckets ? CollectionKind::TimeSeries
                                                   : CollectionKind::Ordinary;
  capped_ = is_truthy(options_["capped"]);
  capped_bytes_ = whole_number(options_["size"]);
  capped_documents_ = whole_number(options_["max"]);
  images_enabled_ = is_truthy(options_.find_path("changeStreamPreAndPostImages.enabled"));
  clustered_ = options_.has("clusteredIndex");
}

const wire::Document* Collection::visible(const Slot& slot, const ReadView& view) {
  for (const Version* version = &slot.newest; version != nullptr; version = version->older.get()) {
    const bool seen = version->owner != 0 ? version->owner == view.own : version->commit <= view.at;
    if (seen) return version->document.is_default() ? nullptr : &version->document;
  }
  return nullptr;
}

std::size_t Collection::first_slot_after(RecordId after) const {
  if (slots_.empty() || slots_.front().record > after) return 0;
  // Record numbers are dense until slots are forgotten: the first guess is mostly right.
  const auto guess = static_cast<std::size_t>(after - slots_.front().record);
  if (guess < slots_.size() && slots_[guess].record == after) return guess + 1;
  const auto found = std::ranges::upper_bound(slots_, after, {}, &Slot::record);
  return static_cast<std::size_t>(found - slots_.begin());
}

const Slot* Collection::slot(RecordId record) const {
  const std::size_t after = first_slot_after(record);
  return after > 0 && slots_[after - 1].record == record ? &slots_[after - 1] : nullptr;
}

wire::Document Collection::read(RecordId record, const ReadView& view) const {
  const Slot* found = slot(record);
  const wire::Document* document = found == nullptr ? nullptr : visible(*found, view);
  return document == nullptr ? wire::Document() : *document;
}

std::optional<RecordId> Collection::record_of_id(wire::ValueView id, const ReadView& view) const {
  std::optional<RecordId> result;
  by_id_.each(wire::hash_value(id), [&](RecordId record) {
    const Slot* found = slot(record);
    const wire::Document* document = found == nullptr ? nullptr : visible(*found, view);
    if (document == nullptr || !wire::equal_values(document->find("_id"), id)) return true;
    result = record;
    return false;
  });
  return result;
}

wire::Document Collection::find_by_id(wire::ValueView id, const ReadView& view) const {
  const std::optional<RecordId> record = record_of_id(id, view);
  return record ? read(*record, view) : wire::Document();
}

std::optional<RecordId> Collection::surplus() {
  if (!capped_) return std::nullopt;
  const bool over = document_bytes_ > capped_bytes_ || (capped_documents_ > 0 && count_ > capped_documents_);
  if (!over || count_ <= 1) return std::nullopt;
  std::optional<RecordId> oldest;
  scan(before_oldest_, ReadView{}, [&](RecordId record, const wire::Document&) {
    oldest = record;
    return false;
  });
  if (oldest) before_oldest_ = *oldest - 1;
  return oldest;
}

bool Collection::conflicts(RecordId record, const ReadView& view) const {
  const Slot* found = slot(record);
  if (found == nullptr) return false;
  const Version& newest = found->newest;
  return newest.owner != 0 ? newest.owner != view.own : newest.commit > view.at;
}

TransactionId Collection::owner(RecordId record) const {
  const Slot* found = slot(record);
  return found == nullptr ? 0 : found->newest.owner;
}

Conflict Collection::check(const wire::Document& document, RecordId record, const ReadView& view) const {
  Conflict conflict;
  const wire::ValueView id = document.find("_id");
  by_id_.each(wire::hash_value(id), [&](RecordId other) {
    if (other == record) return true;
    const Version& newest = slot(other)->newest;
    const wire::Document& stands =
        newest.document.is_default() && newest.older ? newest.older->document : newest.document;
    if (!wire::equal_values(stands.find("_id"), id)) return true;
    if (conflicts(other, view)) {
      // A committed duplicate outside the view is one all the same to a writer without a snapshot.
      conflict = {Obstacle::WriteConflict, nullptr, {}, newest.owner};
    } else if (!newest.document.is_default()) {
      conflict.obstacle = Obstacle::DuplicateKey;
      wire::DocumentBuilder key;
      conflict.key = key.append("_id", id).finish();
    }
    return conflict.obstacle == Obstacle::None;
  });
  for (const auto& index : indexes_) {
    if (conflict.obstacle != Obstacle::None) break;
    if (!index->spec().unique) continue;
    for (const wire::Document& key : index->keys(document)) {
      index->each(key, [&](RecordId other) {
        if (other == record) return true;
        const Version& newest = slot(other)->newest;
        if (conflicts(other, view)) {
          conflict = {Obstacle::WriteConflict, nullptr, {}, newest.owner};
        } else if (!newest.document.is_default()) {
          // Its older versions may have had the key; only the newest counts.
          const auto same = [&](const wire::Document& its) { return same_key(its, key); };
          if (std::ranges::any_of(index->keys(newest.document), same))
            conflict = {Obstacle::DuplicateKey, index.get(), index->named(key), 0};
        }
        return conflict.obstacle == Obstacle::None;
      });
      if (conflict.obstacle != Obstacle::None) break;
    }
  }
  return conflict;
}

const Index* Collection::find_index(std::string_view name) const {
  for (const auto& index : indexes_)
    if (index->spec().name == name) return index.get();
  return nullptr;
}

Conflict Collection::add_index(IndexSpec spec) {
  auto index = std::make_unique<Index>(std::move(spec), identity_);
  Conflict conflict;
  if (index->spec().unique) {
    scan(0, ReadView{}, [&](RecordId record, const wire::Document& document) {
      for (const wire::Document& key : index->keys(document)) {
        index->each(key, [&](RecordId) {
          conflict = {Obstacle::DuplicateKey, nullptr, index->named(key), 0};
          return false;
        });
        if (conflict.obstacle != Obstacle::None) return false;
        index->enter(key, record);
      }
      return true;
    });
  }
  if (conflict.obstacle == Obstacle::None) indexes_.push_back(std::move(index));
  return conflict;
}

void Collection::drop_index(std::string_view name) {
  std::erase_if(indexes_, [&](const auto& index) { return index->spec().name == name; });
}

void Collection::set_index_ready(std::string_view name, wire::Timestamp since) {
  for (const auto& index : indexes_)
    if (index->spec().name == name) index->set_ready_since(since);
}

void Collection::set_index_spec(std::string_view name, wire::Document spec) {
  for (const auto& index : indexes_)
    if (index->spec().name == name) index->set_document(std::move(spec));
}

void Collection::account(const wire::Document& before, const wire::Document& after) {
  count_ += static_cast<int>(!after.is_default()) - static_cast<int>(!before.is_default());
  document_bytes_ += weight(after) - weight(before);
}

}  // namespace emulator
