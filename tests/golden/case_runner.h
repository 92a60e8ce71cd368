// Plays one case against a deployment in process and gives what was seen, normalised as its expectations are.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/golden/case.h"
#include "tests/golden/client.h"
#include "tests/golden/normaliser.h"
#include "tests/golden/references.h"
#include "tests/golden/stream.h"
#include "tests/support/in_process_server.h"

namespace golden {

class CaseRunner {
 public:
  explicit CaseRunner(const Case& golden_case);
  // The tree to compare with the case's `expect`. Throws CaseError, ConnectionClosed.
  Json run();

 private:
  struct Request {
    wire::Document command;
    wire::DocumentView step;
  };
  enum class Verdict { Done, Again };

  void drop_databases();
  void set_up();
  void open_streams();
  Json play();
  void tear_down();
  // What the step recorded.
  Json step(wire::DocumentView step);
  Json command(wire::DocumentView step);
  // case_runner_legacy.cpp
  Json legacy(wire::DocumentView step);
  Json receive_legacy(const Request& request);
  Json receive_legacy_one(const Request& request);
  void send(const Request& request);
  Json receive(const Request& request);
  Json receive_exhaust(const Request& request, std::int64_t count);
  Json present(const Request& request, const Reply& reply) const;
  Verdict judge(wire::DocumentView step) const;
  void check_duration(wire::DocumentView step, emulator::RealTime began) const;
  Stream& stream(std::string_view id);
  wire::Document run_as_runner(wire::DocumentView item);

  const Case& case_;
  support::InProcessServer server_;
  Client client_;
  Seen seen_;
  References references_;
  Normaliser normaliser_;
  std::vector<Stream> streams_;
  std::map<std::string, Request, std::less<>> pending_;  // by connection
  std::optional<wire::Document> last_;                   // the last reply of the step that is played
};

}  // namespace golden
