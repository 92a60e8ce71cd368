// Names and labels of errors where builds differ. Knows no command.
#pragma once

namespace emulator {

struct ErrorFacts {
  // How codes are named: the generation of error_codes.yml. V6_0_27 has some of 7.0's already.
  enum class Names { V4_2, V4_4, V5_0, V6_0, V6_0_27, V7_0 };

  Names names = Names::V6_0;
  // ResumableChangeStreamError and RetryableWriteError exist (4.4+).
  bool resumable_labels = true;
  // 134 and 384 are resumable (6.0.27, 7.0).
  bool connection_error_is_resumable = false;
  // A pipeline of $unionWith that is no array is refused in aggregate's words (6.0.27+).
  bool union_pipeline_as_aggregate = false;
};

}  // namespace emulator
