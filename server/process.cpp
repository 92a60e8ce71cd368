#include "server/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/buffer.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "server/start_error.h"

namespace server {

using boost::system::error_code;
using scenarios::OutputStream;
using scenarios::StopSignal;

namespace {

struct Pipe {
  int read_end = -1;
  int write_end = -1;
};

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw StartError(fmt::format("cannot start a process: {}", std::strerror(errno)));
  return {ends[0], ends[1]};
}

std::vector<std::string> child_environment(const std::map<std::string, std::optional<std::string>>& changes) {
  std::vector<std::string> lines;
  for (char** line = environ; *line; ++line) {
    const std::string_view text(*line);
    if (!changes.contains(std::string(text.substr(0, text.find('='))))) lines.emplace_back(text);
  }
  for (const auto& [name, value] : changes) {
    if (value) lines.push_back(name + "=" + *value);
  }
  return lines;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

// In the child, between fork and exec: only what POSIX allows there.
[[noreturn]] void become(char** arguments, char** environment, pid_t parent, int out, int err, int failure) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it died before the line above
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
  ::signal(SIGCHLD, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int input = ::open("/dev/null", O_RDONLY);
  ::dup2(input, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  ::execvpe(arguments[0], arguments, environment);
  const int error = errno;
  [[maybe_unused]] const ssize_t told = ::write(failure, &error, sizeof error);
  ::_exit(127);
}

}  // namespace

Process::Process(boost::asio::io_context& io, const ProcessSpec& spec, Callbacks callbacks)
    : callbacks_(std::move(callbacks)), out_(io), err_(io), child_ended_(io, SIGCHLD) {
  std::vector<std::string> command = spec.command;
  std::vector<std::string> environment = child_environment(spec.environment);
  const std::vector<char*> arguments = pointers(command);
  const std::vector<char*> variables = pointers(environment);
  const Pipe out = make_pipe();
  const Pipe err = make_pipe();
  const Pipe failure = make_pipe();  // closed by a successful exec, otherwise it carries errno
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) {
    become(const_cast<char**>(arguments.data()), const_cast<char**>(variables.data()), parent, out.write_end,
           err.write_end, failure.write_end);
  }
  const int fork_error = errno;
  ::close(out.write_end);
  ::close(err.write_end);
  ::close(failure.write_end);
  out_.pipe.assign(out.read_end);
  err_.pipe.assign(err.read_end);
  err_.stream = OutputStream::Err;
  int error = pid_ < 0 ? fork_error : 0;
  if (pid_ > 0 && ::read(failure.read_end, &error, sizeof error) != sizeof error) error = 0;
  ::close(failure.read_end);
  if (error != 0) {
    if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
    throw StartError(fmt::format("cannot start {}: {}", spec.command.front(), std::strerror(error)));
  }
  ::setpgid(pid_, pid_);  // here too: a signal may come before the child has done it
  read(out_);
  read(err_);
  wait_for_exit();
}

Process::~Process() {
  if (pid_ <= 0) return;
  ::kill(-pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void Process::signal(StopSignal signal) {
  if (pid_ > 0) ::kill(-pid_, signal == StopSignal::Terminate ? SIGTERM : SIGKILL);
}

void Process::read(Output& output) {
  output.pipe.non_blocking(true);
  output.pipe.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                         [this, &output, alive = std::weak_ptr(alive_)](const error_code& error) {
                           if (error || alive.expired() || !output.pipe.is_open()) return;
                           error_code failure;
                           const std::size_t got = output.pipe.read_some(boost::asio::buffer(buffer_), failure);
                           if (got > 0) callbacks_.output(output.stream, {buffer_.data(), got});
                           if (!failure || failure == boost::asio::error::would_block) read(output);
                         });
}

// What was written before the end and not yet read. A child that the process left behind may hold the pipe open: no
// wait.
void Process::read_rest(Output& output) {
  error_code failure;
  while (!failure) {
    const std::size_t got = output.pipe.read_some(boost::asio::buffer(buffer_), failure);
    if (got > 0) callbacks_.output(output.stream, {buffer_.data(), got});
  }
  output.pipe.close(failure);
}

void Process::wait_for_exit() {
  // SIGCHLD is caught since before the fork: an end before this wait is not missed.
  child_ended_.async_wait([this, alive = std::weak_ptr(alive_)](const error_code& error, int) {
    if (!error && !alive.expired()) reap();
  });
}

void Process::reap() {
  siginfo_t info{};
  // WNOWAIT: as long as the leader is not reaped, its group's number is nobody else's.
  if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) {
    wait_for_exit();  // another child's end
    return;
  }
  read_rest(out_);
  read_rest(err_);
  ::kill(-pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
  scenarios::ProcessExited exited;
  (info.si_code == CLD_EXITED ? exited.code : exited.signal) = info.si_status;
  const auto tell = std::move(callbacks_.exited);  // which may end this object
  tell(exited);
}

}  // namespace server
