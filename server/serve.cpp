#include "server/serve.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "server/clock.h"
#include "server/director_core.h"
#include "server/lifetime.h"
#include "server/ready.h"

namespace server {

namespace {

// Says when the deployment is ready; there is no COMMAND and no verdict.
class ServeShell final : public TrialShell {
 public:
  explicit ServeShell(const ServeOptions& options) : options_(options) {}

  void start_process(const scenarios::StartProcess&) override {}
  void stop_process(const scenarios::StopProcess&) override {}
  void ready(const scenarios::Ready& ready) override {
    const std::string line = ready_line(ready, options_.version, "", ::getpid());
    if (!options_.ready_file.empty()) file_.emplace(options_.ready_file, line);
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
  }
  void finished(const scenarios::Finished& finished) override {
    if (!finished.failure.empty()) std::fprintf(stderr, "%s\n", finished.failure.c_str());
    failed_ = finished.verdict == scenarios::Verdict::Failed;
  }
  bool failed() const { return failed_; }

 private:
  const ServeOptions& options_;
  std::optional<ReadyFile> file_;
  bool failed_ = false;
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
  ServeShell shell(options);
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
  return shell.failed() ? 1 : 0;
}

}  // namespace server
