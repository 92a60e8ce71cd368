// The order and presence of fields in replies where builds differ. Knows no command.
#pragma once

namespace emulator {

struct ReplyFacts {
  // V4_4: nModified after n, opTime before electionId, writeConcernError after ok. V5_0: nModified last, electionId before opTime.
  enum class WriteOrder { V4_4, V5_0 };
  // V4_4: operationTime before ok. V5_0: after $clusterTime.
  enum class ErrorOrder { V4_4, V5_0 };
  // Where errmsg of a write error stands: after what else the error says (until 5.0), or after the code.
  enum class WriteErrorText { Last, AfterCode };

  WriteOrder write_order = WriteOrder::V5_0;
  ErrorOrder error_order = ErrorOrder::V5_0;
  WriteErrorText write_error_text = WriteErrorText::AfterCode;
  // A writeConcernError names the write concern: errInfo (4.4+).
  bool write_concern_in_error = true;
  // hello and NotPrimary errors carry topologyVersion, and a hello may await its change (4.4+).
  bool topology_version = true;
  // hello says helloOk to a client that asks (5.0+).
  bool hello_ok = true;
  // Retried statements are named: retriedStmtIds, retriedStmtId (6.0+).
  bool retried_statements = true;
};

}  // namespace emulator
