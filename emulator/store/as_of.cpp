// Collection::as_of: how a collection stood at an earlier time.
#include <algorithm>

#include "emulator/store/collection.h"
#include "wire/compare.h"

namespace emulator {

std::unique_ptr<Collection> Collection::as_of(wire::Timestamp time, Ledger& ledger) const {
  std::vector<Slot> then;
  ledger_.history.each(number_, time, [&](const Replaced& replaced) {
    then.push_back({replaced.record, {replaced.document, replaced.from, 0, nullptr}});
  });
  const bool indexes_are_younger =
      std::ranges::any_of(indexes_, [&](const auto& index) { return index->ready_since() > time; });
  if (then.empty() && !indexes_are_younger) return nullptr;
  for (const Slot& slot : slots_) {
    const Version* version = &slot.newest;
    while (version != nullptr && version->owner != 0) version = version->older.get();
    if (version != nullptr && version->commit <= time && !version->document.is_default())
      then.push_back({slot.record, {version->document, version->commit, 0, nullptr}});
  }
  std::ranges::sort(then, {}, &Slot::record);

  auto past = std::make_unique<Collection>(identity_, options_, ledger);
  past->slots_ = std::move(then);
  past->next_record_ = next_record_;
  for (const Slot& slot : past->slots_) {
    past->by_id_.insert(wire::hash_value(slot.newest.document.find("_id")), slot.record);
    past->account({}, slot.newest.document);
    ledger.document_bytes += slot.newest.document.size();
  }
  // Readers ask for what the indexes are; the keys are for writers.
  for (const auto& index : indexes_)
    if (index->ready_since() <= time) past->indexes_.push_back(std::make_unique<Index>(index->spec()));
  return past;
}

}  // namespace emulator
