// A child process: started without a shell, its output captured, its end noticed. Dies with this program. Knows no
// trial.
#pragma once

#include <sys/types.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/effect.h"
#include "scenarios/input.h"

namespace server {

struct ProcessSpec {
  std::vector<std::string> command;                               // program (looked up in PATH) and arguments
  std::map<std::string, std::optional<std::string>> environment;  // changes to this program's; nullopt: unset
};

class Process {
 public:
  struct Callbacks {
    std::function<void(scenarios::OutputStream stream, std::string_view bytes)> output;
    // Once, after all output. Whatever the process left running in its group is killed before.
    std::function<void(const scenarios::ProcessExited& exited)> exited;
  };

  // Starts it, in a process group of its own. Throws StartError when there is no such program.
  Process(boost::asio::io_context& io, const ProcessSpec& spec, Callbacks callbacks);
  // Kills what still runs.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  bool running() const { return pid_ > 0; }
  // To its whole group: a script passes nothing on by itself.
  void signal(scenarios::StopSignal signal);

 private:
  struct Output {
    explicit Output(boost::asio::io_context& io) : pipe(io) {}
    boost::asio::posix::stream_descriptor pipe;
    scenarios::OutputStream stream = scenarios::OutputStream::Out;
  };

  void read(Output& output);
  void read_rest(Output& output);
  void wait_for_exit();
  void reap();

  Callbacks callbacks_;
  pid_t pid_ = -1;
  Output out_;
  Output err_;
  boost::asio::signal_set child_ended_;
  std::array<char, 16384> buffer_;
  std::shared_ptr<char> alive_ = std::make_shared<char>();  // handlers that are queued already outlive this object
};

}  // namespace server
