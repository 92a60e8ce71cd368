// One request and its reply, from arrival to delivery: what commands fill, faults edit, and the observer is told.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulator/batch.h"
#include "emulator/effect.h"
#include "emulator/faults/fault.h"
#include "emulator/request.h"
#include "emulator/wait.h"
#include "wire/document.h"
#include "wire/message.h"

namespace emulator {

struct CommandSpec;
struct WriteProgress;

// How the reply came about.
enum class ReplyKind { None, Success, Error };

struct Exchange {
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  // As new, but for the memory of its reply.
  void reuse();

  std::uint64_t id = 0;  // numbers all requests of the process, from 1
  ConnectionId connection{};
  MemberId member{};
  std::string kept_frame;     // the message's bytes, which request views, once it outlives the call that brought it
  wire::Message message;      // what request views belong to
  wire::Document translated;  // the command that a legacy message was made into: request views it
  Request request;
  const CommandSpec* command = nullptr;  // nullptr: unknown to this profile
  bool monitoring = false;

  std::shared_ptr<WriteProgress> progress;  // of a write that waits for a transaction: what it has done so far

  // --- the reply
  ReplyKind kind = ReplyKind::None;
  wire::DocumentBuilder reply;       // the command's own fields while it runs
  std::optional<StreamBatch> batch;  // of a change stream: written between the reply's fields
  wire::Payload body;                // the reply's document, once there is one
  int error_code = 0;
  // It came to where a server locks to write: its reply says what became of the write concern, even where it fails.
  bool locked_to_write = false;
  bool reads_stream = false;                      // getMore: the cursor it read is a change stream
  bool keeps_last_error = false;                  // getLastError: what it told of is still to tell
  std::int64_t opened_cursor = 0;                 // aggregate, find, …: the cursor it made
  std::int64_t read_cursor = 0;                   // getMore: the cursor it read
  std::int64_t starting_from = 0;                 // how many documents that cursor had returned before
  std::optional<wire::Timestamp> operation_time;  // set by writes; else the member's last entry
  std::vector<std::string> error_labels;          // of a reply with a writeConcernError
  // The server goes on by itself after this reply (exhaust); `repeat` counts the replies so far.
  bool exhaust = false;
  std::int32_t repeat = 0;
  std::int64_t told_topology_counter = -1;  // of a streaming hello: what the reply before said
  std::int32_t previous_reply_id = 0;       // what an exhaust reply's responseTo repeats
  void set_body(wire::Payload payload) {
    body = std::move(payload);
    looked_at_ = {};
  }
  // The reply's document, made when somebody looks; default while there is none.
  const wire::Document& reply_document() const;

  // --- faults: FaultPlan's own notes, and what they decided for reading a stream
  struct TakenBy {
    std::uint64_t fault = 0;
    std::uint64_t nth = 0;  // it was the fault's n-th request, from 0
  };
  std::vector<TakenBy> faults;              // that took it, in order of injection
  std::vector<std::uint64_t> faults_asked;  // each is asked once, whether it took it or not
  std::uint64_t decided_by = 0;             // later ones do not see it
  BatchEdit batch_edit;
  Arrival arrival;  // what still has to be served before it runs

 private:
  mutable wire::Document looked_at_;
};

}  // namespace emulator
