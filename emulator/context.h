// What a command works with while it runs: the deployment, its request, its connection, the time, and the reply it writes.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "emulator/command_error.h"
#include "emulator/connection.h"
#include "emulator/deployment.h"
#include "emulator/exchange.h"
#include "emulator/request.h"
#include "emulator/session.h"
#include "emulator/wait.h"
#include "wire/document.h"

namespace emulator {

class Snapshot;

class Context {
 public:
  Context(Deployment& model, Exchange& its_exchange, Connection& its_connection, Now its_now)
      : deployment(model),
        exchange(its_exchange),
        request(its_exchange.request),
        connection(its_connection),
        member(model.member(its_connection.member)),
        now(its_now),
        reply(its_exchange.reply) {}

  Deployment& deployment;
  Exchange& exchange;
  const Request& request;
  Connection& connection;
  Member& member;
  const Now now;
  // The command's own fields; dispatch appends ok, $clusterTime, operationTime.
  wire::DocumentBuilder& reply;

  // Set by enter_session; nullptr: without a session, or not in a transaction.
  Session* session = nullptr;
  Transaction* transaction = nullptr;
  // Set by dispatch; nullptr: no readConcern "snapshot", or in a transaction.
  std::shared_ptr<Snapshot> snapshot;

  const Profile& profile() const { return deployment.profile; }
  std::int64_t wall_ms() const { return deployment.clock.wall_ms(now); }
  // The collection that the command's own field names; throws 73 if the name is invalid, 2 if it is no string.
  std::string collection_name() const;
  // The session and transaction state that reads and writes of this request go by.
  ReadView read_view() const;
};

}  // namespace emulator
