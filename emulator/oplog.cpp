#include "emulator/oplog.h"

#include <algorithm>
#include <cassert>

namespace emulator {

std::size_t Oplog::weight(const OplogEntry& entry) {
  constexpr std::size_t frame_bytes = 130;  // op, ns, ui, ts, t, v, wall as BSON
  return frame_bytes + entry.o.size() + entry.o2.size();
}

OplogPosition Oplog::append(OplogEntry entry) {
  assert(entry.time > last_time_);
  if (segments_.empty() || segments_.back()->entries.size() == segment_entries) {
    auto segment = std::make_shared<Segment>();
    segment->first = end_;
    segment->entries.reserve(segment_entries);
    segments_.push_back(std::move(segment));
  }
  last_time_ = entry.time;
  bytes_ += weight(entry);
  segments_.back()->entries.push_back(std::move(entry));
  return end_++;
}

Oplog::SegmentPtr Oplog::segment(OplogPosition position) const {
  assert(position >= first_ && position < end_);
  return segments_[(position - segments_.front()->first) / segment_entries];
}

std::span<const OplogEntry> Oplog::side_by_side(OplogPosition position) const {
  const Segment& segment = *segments_[(position - segments_.front()->first) / segment_entries];
  return std::span(segment.entries).subspan(position - segment.first);
}

const OplogEntry& Oplog::at(OplogPosition position) const {
  assert(position >= first_ && position < end_);
  const OplogPosition offset = position - segments_.front()->first;
  return segments_[offset / segment_entries]->entries[offset % segment_entries];
}

wire::Timestamp Oplog::first_time() const { return empty() ? last_time_ : at(first_).time; }

OplogPosition Oplog::lower_bound(wire::Timestamp time) const {
  OplogPosition low = first_;
  OplogPosition high = end_;
  while (low < high) {
    const OplogPosition middle = low + (high - low) / 2;
    if (at(middle).time < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void Oplog::truncate(OplogPosition position) {
  for (; first_ < std::min(position, end_); ++first_) bytes_ -= weight(at(first_));
  while (!segments_.empty() && segments_.front()->first + segments_.front()->entries.size() <= first_ &&
         segments_.size() > 1)
    segments_.pop_front();
}

wire::Document document_key(const OplogEntry& entry) {
  if (entry.op == Op::Delete) return entry.o;
  if (entry.op != Op::Insert || !entry.o2.is_default()) return entry.o2;
  wire::DocumentBuilder key;
  if (const wire::ValueView id = entry.o["_id"]) key.append("_id", id);
  return key.finish();
}

}  // namespace emulator
