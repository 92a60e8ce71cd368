#include "server/serve.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>

#include "server/clock.h"
#include "server/director_core.h"
#include "server/lifetime.h"
#include "server/ready.h"

namespace server {

namespace {

// Says when the deployment is ready; there is no COMMAND and no verdict on it.
class ServeShell final : public TrialShell {
 public:
  ServeShell(const ServeOptions& options, std::function<void()> stop) : options_(options), stop_(std::move(stop)) {}

  void start_process(const scenarios::StartProcess&) override {}
  void stop_process(const scenarios::StopProcess&) override {}
  void ready(const scenarios::Ready& ready) override {
    const std::string line = ready_line(ready, options_.version, "", ::getpid());
    if (!options_.ready_file.empty()) file_.emplace(options_.ready_file, line);
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
  }
  void script_failed(const scenarios::ScriptFailed& script) override {
    std::fprintf(stderr, "%s\nThe script is over; the deployment is still served.\n", script.failure.c_str());
  }
  // Only where `given` cannot be done: nothing was served.
  void finished(const scenarios::Finished& finished) override {
    std::fprintf(stderr, "%s\n", finished.failure.c_str());
    exit_code_ = 2;
    stop_();
  }
  int exit_code() const { return exit_code_; }

 private:
  const ServeOptions& options_;
  std::function<void()> stop_;
  std::optional<ReadyFile> file_;
  int exit_code_ = 0;
};

}  // namespace

int serve(const ServeOptions& options) {
  ignore_broken_pipes();
  HostOptions host_options = options.host;
  host_options.connections_max = std::min(host_options.connections_max, raise_open_files_limit());
  boost::asio::io_context io(1);
  scenarios::Director director(options.scenario,
                               {.purpose = scenarios::Purpose::Serve,
                                .command = scenarios::Command::None,
                                .journal = options.journal,
                                .control_url = ""},
                               now());
  DirectorCore core(director);
  ServeShell shell(options, [&io] { io.stop(); });
  Host host(io, core, shell, host_options, options.scenario.deployment.members.size());
  const auto stop = [&] {
    host.stop();
    io.stop();
  };
  Interrupts interrupts(io, [&](int) { stop(); });
  std::optional<ParentWatch> parent;
  if (options.parent_pid != 0) parent.emplace(io, options.parent_pid, stop);
  host.start();
  io.run();
  return shell.exit_code();
}

}  // namespace server
