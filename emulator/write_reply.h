// The statements of a write command, done one after the other, and the reply that sums them up. Knows no single command.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "emulator/context.h"
#include "emulator/session.h"
#include "emulator/write.h"

namespace emulator {

enum class Counts { Matched, MatchedAndModified };

// Runs statement after statement, ordered or not (the command's `ordered`), each once even when the command is a retry.
class WriteStatements {
 public:
  WriteStatements(Context& context, Writer& writer, Counts counts);

  // Does statement number `index`; a CommandError thrown by `run` is the statement's failure, except what fails the command (112).
  // False: the command stops here.
  bool run(std::int32_t index, const std::function<Failure(StatementOutcome&)>& statement);
  // Whether an earlier attempt of this retryable write has done the statement.
  bool is_done(std::int32_t index) const;
  // Whether the statement under way wrote this record before it had to wait for a transaction.
  bool is_written(RecordId record) const;
  // Writes n, electionId, opTime, [writeErrors], [retriedStmtIds], [upserted], [nModified], in the profile's order, and the operation
  // time; aborts the transaction if a statement failed.
  void finish();
  // [retriedStmtIds] alone, for replies of another form.
  void append_retried();

  // What the statement done last came to.
  const StatementOutcome& last_outcome() const { return last_outcome_; }
  const Failure& last_failure() const { return last_failure_; }

 private:
  void fail(std::int32_t index, CommandError error);
  void append_modified();
  void append_upserted();
  void append_errors();
  std::int32_t statement_id(std::int32_t index) const;
  void keep_progress(std::int32_t index, const StatementOutcome& partial);
  Context& context_;
  Writer& writer_;
  const Counts counts_;
  bool ordered_ = true;
  std::int32_t next_ = 0;  // those before it were over when the command was blocked
  std::int32_t current_ = 0;
  std::int32_t n_ = 0;
  std::int32_t modified_ = 0;
  std::vector<std::pair<std::int32_t, wire::Value>> upserted_;
  std::vector<std::pair<std::int32_t, CommandError>> errors_;
  std::vector<std::int32_t> retried_;
  StatementOutcome last_outcome_;
  Failure last_failure_;
};

// The statements of a write command, which come as an array or as a sequence. Throws 10065, 14, 40414.
std::vector<wire::DocumentView> statements_of(const Context& context, std::string_view field);
// Throws 16 unless there are 1 to 100,000 statements.
void check_batch_size(std::size_t statements);
// electionId and opTime of a replica set's write replies, and the reply's operationTime.
void append_write_times(Context& context, const Writer& writer);
// The collection written to: throws 73 for one that clients may not write. nullptr: there is none (yet).
Collection* written_collection(const Context& context, std::string_view name);
// 166 for a view; nullopt: it may be written.
Failure view_failure(const Collection& collection);

}  // namespace emulator
