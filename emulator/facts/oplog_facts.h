// What the oplog says where builds differ: the form of entries, and which writes make which. Knows no events.
#pragma once

#include <cstdint>

namespace emulator {

struct OplogFacts {
  // V4_0: h is a hash. V4_2: `o` last, `h` 0, `v` an int32. V4_4: `wall` before `v`. V5_0: stmtId after wall, no o2 on inserts.
  // V6_0: inserts have o2, stmtId stands before ts.
  enum class EntryForm { V4_0, V4_2, V4_4, V5_0, V6_0 };
  // SetAndUnset: {$v: 1, $set, $unset}, dotted paths as written. Diff: {$v: 2, diff}.
  enum class UpdateForm { SetAndUnset, Diff };
  // What an update by a pipeline is logged as: the whole document, or whichever is smaller.
  enum class PipelineUpdates { Whole, SmallerOfBoth };
  // Where the image that a retried findAndModify needs goes: a no-op entry before the write's, or outside the oplog.
  enum class RetryImages { NoopEntry, ImageCollection };

  EntryForm entry_form = EntryForm::V6_0;
  UpdateForm update_form = UpdateForm::Diff;
  PipelineUpdates pipeline_updates = PipelineUpdates::SmallerOfBoth;
  RetryImages retry_images = RetryImages::ImageCollection;
  // A multi-document insert is one applyOps entry (8.0+): one cluster time, rising txnOpIndex, no lsid.
  bool batched_inserts = false;
  // What a capped collection evicts is logged as deletes, and so gives delete events (5.0+).
  bool capped_evictions = true;
  // For so long after a write the first batch of a tailing find does not see it, and a transaction that it prepared cannot be
  // committed: the default write concern is w: 1 (until 4.4).
  std::int64_t settling_ms = 0;
  // An index build on data logs startIndexBuild and commitIndexBuild (4.4+).
  bool two_phase_index_builds = true;
  // The validator of a time-series collection's buckets knows control.count (6.0.27+).
  bool buckets_are_counted = false;
};

}  // namespace emulator
