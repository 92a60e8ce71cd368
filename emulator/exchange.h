// One request and its reply, from arrival to delivery: what commands fill, faults edit, and the observer is told.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulator/batch.h"
#include "emulator/effect.h"
#include "emulator/request.h"
#include "emulator/wait.h"
#include "wire/document.h"
#include "wire/message.h"

namespace emulator {

struct CommandSpec;

// How the reply came about.
enum class ReplyKind { None, Success, Error };

struct Exchange {
  std::uint64_t id = 0;  // numbers all requests of the process, from 1
  ConnectionId connection{};
  MemberId member{};
  std::string kept_frame;  // once it has to wait: the message's bytes, which request views
  wire::Message message;   // what request views belong to
  Request request;
  const CommandSpec* command = nullptr;  // nullptr: unknown to this profile
  bool monitoring = false;

  // --- the reply
  ReplyKind kind = ReplyKind::None;
  wire::DocumentBuilder reply;       // the command's fields, without the cursor of a stream
  std::optional<StreamBatch> batch;  // of a change stream: written into the reply in pieces
  int error_code = 0;
  std::int64_t opened_cursor = 0;  // aggregate, find, …: the cursor it made
  std::int64_t read_cursor = 0;    // getMore: the cursor it read
  std::optional<wire::Timestamp> operation_time;  // set by writes; else the member's last entry
  std::vector<std::string> extra_labels;          // of a reply with a writeConcernError
  wire::DocumentView reply_document() const;      // the reply as sent; valid once encoded
  mutable wire::Document encoded;                 // made when somebody looks

  // --- faults: FaultPlan's own notes, and what they decided for reading a stream
  struct TakenBy {
    std::uint64_t fault = 0;
    std::uint64_t nth = 0;  // it was the fault's n-th request, from 0
  };
  std::vector<TakenBy> faults;              // that took it, in order of injection
  std::vector<std::uint64_t> faults_asked;  // each is asked once, whether it took it or not
  std::uint64_t decided_by = 0;             // later ones do not see it
  BatchEdit batch_edit;
};

}  // namespace emulator
