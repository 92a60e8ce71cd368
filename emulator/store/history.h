// What committed writes replaced, kept for reads of the past (readConcern "snapshot"), in the order in which it was replaced.
// Knows collections by number only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>

#include "emulator/store/id_index.h"
#include "wire/document.h"

namespace emulator {

// A document that stood there from `from` until, and without, `until`.
struct Replaced {
  std::uint64_t collection = 0;
  RecordId record = 0;
  wire::Timestamp from{};
  wire::Timestamp until{};
  wire::Document document;
};

class History {
 public:
  void keep(Replaced replaced) {
    if (bytes_max_ == 0) return;
    bytes_ += weight(replaced);
    replaced_.push_back(std::move(replaced));
    while (bytes_ > bytes_max_) forget_first();
  }
  // No read before this time finds all that it has to.
  wire::Timestamp oldest() const { return oldest_; }
  // Nobody reads before `time` any more.
  void forget_before(wire::Timestamp time) {
    oldest_ = std::max(oldest_, time);
    while (!replaced_.empty() && replaced_.front().until <= time) forget_first();
  }
  // Calls visit(replaced) for what stood in the collection at `time` and does no more; at most one a record.
  template <class Visit>
  void each(std::uint64_t collection, wire::Timestamp time, Visit&& visit) const {
    auto at = std::ranges::upper_bound(replaced_, time, {}, &Replaced::until);
    for (; at != replaced_.end(); ++at)
      if (at->collection == collection && at->from <= time) visit(*at);
  }

  // Above this the oldest goes, whoever may want to read it; 0: nobody reads the past.
  void set_bytes_max(std::size_t bytes_max) { bytes_max_ = bytes_max; }
  std::size_t bytes() const { return bytes_; }

 private:
  static std::size_t weight(const Replaced& replaced) { return sizeof replaced + replaced.document.size(); }
  void forget_first() {
    bytes_ -= weight(replaced_.front());
    oldest_ = std::max(oldest_, replaced_.front().until);
    replaced_.pop_front();
  }

  std::deque<Replaced> replaced_;
  std::size_t bytes_ = 0;
  std::size_t bytes_max_ = std::numeric_limits<std::size_t>::max();
  wire::Timestamp oldest_{};
};

}  // namespace emulator
