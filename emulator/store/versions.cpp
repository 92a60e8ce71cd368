// How a collection's documents change: the writing half of Collection.
#include <algorithm>

#include "emulator/store/collection.h"
#include "wire/compare.h"

namespace emulator {
namespace {

std::size_t weight(const wire::Document& document) { return document.is_default() ? 0 : document.size(); }

bool dead(const Slot& slot) {
  return slot.newest.document.is_default() && slot.newest.owner == 0 && !slot.newest.older;
}

// The newest version that is committed; nullptr: none.
const Version* committed(const Slot& slot) {
  const Version* version = &slot.newest;
  while (version != nullptr && version->owner != 0) version = version->older.get();
  return version;
}

}  // namespace

void Collection::enter(const wire::Document& document, RecordId record) {
  by_id_.insert(wire::hash_value(document.find("_id")), record);
  for (const auto& index : indexes_) {
    if (!index->spec().unique) continue;
    for (const wire::Document& key : index->keys(document)) index->enter(key, record);
  }
}

void Collection::leave(const wire::Document& document, const Slot& slot) {
  if (document.is_default()) return;
  ledger_.document_bytes -= document.size();
  const Version* rest = &slot.newest;
  while (rest != nullptr && rest->document.is_default()) rest = rest->older.get();
  if (rest == nullptr) by_id_.erase(wire::hash_value(document.find("_id")), slot.record);
  for (const auto& index : indexes_) {
    if (!index->spec().unique) continue;
    for (const wire::Document& key : index->keys(document)) index->leave(key, slot.record);
  }
}

RecordId Collection::insert(wire::Document document, const Stamp& stamp) {
  const RecordId record = next_record_++;
  enter(document, record);
  ledger_.document_bytes += document.size();
  if (stamp.owner == 0) account({}, document);
  slots_.push_back({record, {std::move(document), stamp.commit, stamp.owner, nullptr}});
  return record;
}

void Collection::remember(RecordId record, wire::Document document, wire::Timestamp from, wire::Timestamp until) {
  // A snapshot read of a capped collection is refused.
  if (capped_ || document.is_default()) return;
  ledger_.history.keep({number_, record, from, until, std::move(document)});
}

void Collection::write(Slot& slot, wire::Document document, const Stamp& stamp) {
  if (!document.is_default()) {
    ledger_.document_bytes += document.size();
    for (const auto& index : indexes_) {
      if (!index->spec().unique) continue;
      for (const wire::Document& key : index->keys(document)) index->enter(key, slot.record);
    }
  }
  if (stamp.owner == 0) account(slot.newest.document, document);
  Version& newest = slot.newest;
  if (newest.owner != 0 || (stamp.owner == 0 && stamp.commit <= ledger_.oldest_reader())) {
    // Nobody else can see what it replaces: the transaction's own version, or one that no reader is old enough for.
    wire::Document gone = std::exchange(newest.document, std::move(document));
    const wire::Timestamp since = std::exchange(newest.commit, stamp.commit);
    newest.owner = stamp.owner;
    if (stamp.owner == 0) newest.older.reset();
    leave(gone, slot);
    if (stamp.owner == 0) remember(slot.record, std::move(gone), since, stamp.commit);
  } else {
    if (stamp.owner == 0) remember(slot.record, newest.document, newest.commit, stamp.commit);
    auto older = std::make_unique<Version>(std::move(newest));
    newest = {std::move(document), stamp.commit, stamp.owner, std::move(older)};
    if (with_history_.empty() || with_history_.back() != slot.record) with_history_.push_back(slot.record);
  }
  if (dead(slot)) ++dead_slots_;
}

void Collection::update(RecordId record, wire::Document document, const Stamp& stamp) {
  write(*slot(record), std::move(document), stamp);
}

void Collection::remove(RecordId record, const Stamp& stamp) {
  write(*slot(record), {}, stamp);
  forget_dead_slots();
}

void Collection::commit(RecordId record, TransactionId owner, wire::Timestamp time) {
  Slot* found = slot(record);
  if (found == nullptr || found->newest.owner != owner) return;
  const Version* before = committed(*found);
  account(before == nullptr ? wire::Document() : before->document, found->newest.document);
  if (before != nullptr) remember(record, before->document, before->commit, time);
  found->newest.owner = 0;
  found->newest.commit = time;
  trim(*found);
  if (dead(*found)) ++dead_slots_;
}

void Collection::abort(RecordId record, TransactionId owner) {
  Slot* found = slot(record);
  if (found == nullptr || found->newest.owner != owner) return;
  const wire::Document gone = std::exchange(found->newest.document, {});
  if (found->newest.older) {
    std::unique_ptr<Version> older = std::move(found->newest.older);
    found->newest = std::move(*older);
  } else {
    found->newest.owner = 0;
    ++dead_slots_;
  }
  leave(gone, *found);
}

void Collection::trim(Slot& slot) {
  const wire::Timestamp oldest = ledger_.oldest_reader();
  Version* version = &slot.newest;
  while (version->older && (version->owner != 0 || version->commit > oldest)) version = version->older.get();
  std::unique_ptr<Version> gone = std::move(version->older);
  while (gone) {
    leave(gone->document, slot);
    gone = std::move(gone->older);
  }
}

void Collection::trim() {
  for (const RecordId record : with_history_) {
    Slot* found = slot(record);
    if (found == nullptr || dead(*found)) continue;
    trim(*found);
    if (dead(*found)) ++dead_slots_;
  }
  std::erase_if(with_history_, [&](RecordId record) {
    const Slot* found = slot(record);
    return found == nullptr || !found->newest.older;
  });
  forget_dead_slots();
}

void Collection::clear() {
  for (const Slot& slot : slots_)
    for (const Version* version = &slot.newest; version != nullptr; version = version->older.get())
      ledger_.document_bytes -= weight(version->document);
  slots_.clear();
  dead_slots_ = 0;
  by_id_ = {};
  for (const auto& index : indexes_) index->clear();
  with_history_.clear();
  count_ = document_bytes_ = 0;
}

// Amortized: at least half of what is moved over is gone.
void Collection::forget_dead_slots() {
  if (dead_slots_ < 32 || dead_slots_ * 2 < slots_.size()) return;
  std::erase_if(slots_, dead);
  dead_slots_ = 0;
}

}  // namespace emulator
