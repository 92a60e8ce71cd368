// The index on `_id`: hashes of values to record numbers, in one flat table. Knows no documents: who asks compares the values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace emulator {

using RecordId = std::int64_t;

// Several records may share a hash (collisions; a deleted document that an older reader still sees beside its successor).
class IdIndex {
 public:
  void insert(std::size_t hash, RecordId record) {
    if ((used_ + 1) * 4 > entries_.size() * 3) grow();
    place(hash, record);
  }

  void erase(std::size_t hash, RecordId record) {
    if (entries_.empty()) return;
    for (std::size_t i = first(hash);; i = next(i)) {
      if (entries_[i].record == empty) return;
      if (entries_[i].record != record || entries_[i].hash != hash) continue;
      // A mark that keeps the chain: probes go on over it.
      entries_[i].record = erased;
      --live_;
      return;
    }
  }

  // Calls visit(record) for each record of that hash while it returns true.
  template <class Visit>
  void each(std::size_t hash, Visit&& visit) const {
    if (entries_.empty()) return;
    for (std::size_t i = first(hash); entries_[i].record != empty; i = next(i))
      if (entries_[i].hash == hash && entries_[i].record != erased)
        if (!visit(entries_[i].record)) return;
  }

  std::size_t size() const { return live_; }
  std::size_t bytes() const { return entries_.capacity() * sizeof(Entry); }

 private:
  static constexpr RecordId empty = 0;
  static constexpr RecordId erased = -1;
  struct Entry {
    std::size_t hash = 0;
    RecordId record = empty;
  };

  // Fibonacci hashing: small integers have small hashes, which would cluster.
  std::size_t first(std::size_t hash) const {
    return (static_cast<std::uint64_t>(hash) * 0x9E3779B97F4A7C15U >> 16) & (entries_.size() - 1);
  }
  std::size_t next(std::size_t i) const { return (i + 1) & (entries_.size() - 1); }

  void place(std::size_t hash, RecordId record) {
    std::size_t i = first(hash);
    while (entries_[i].record != empty) i = next(i);
    entries_[i] = {hash, record};
    ++used_;
    ++live_;
  }

  void grow() {
    std::vector<Entry> old = std::move(entries_);
    std::size_t capacity = 16;
    while (capacity < live_ * 2 + 2) capacity *= 2;
    entries_ = std::vector<Entry>(capacity);
    used_ = live_ = 0;
    for (const Entry& entry : old)
      if (entry.record > 0) place(entry.hash, entry.record);
  }

  std::vector<Entry> entries_;  // a power of two of them, or none
  std::size_t used_ = 0;        // live and erased
  std::size_t live_ = 0;
};

}  // namespace emulator
