#include "server/lifetime.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <utility>

#include "server/start_error.h"

namespace server {

using boost::system::error_code;

namespace {

// Listeners, timers, pipes, files that a scenario loads: what is not a connection.
constexpr std::size_t files_reserved = 64;
constexpr int exit_by_signal = 128;

}  // namespace

std::size_t raise_open_files_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return files_reserved;
  const rlim_t before = std::exchange(limit.rlim_cur, limit.rlim_max);
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = before;
  const auto files = static_cast<std::size_t>(limit.rlim_cur);
  return files > 2 * files_reserved ? files - files_reserved : files / 2;
}

void ignore_broken_pipes() { std::signal(SIGPIPE, SIG_IGN); }

Interrupts::Interrupts(boost::asio::io_context& io, Stop stop) : signals_(io, SIGINT, SIGTERM), stop_(std::move(stop)) {
  wait();
}

void Interrupts::wait() {
  signals_.async_wait([this](const error_code& error, int signal) {
    if (error) return;
    if (std::exchange(stopping_, true)) ::_exit(exit_by_signal + signal);
    wait();
    stop_(signal);
  });
}

ParentWatch::ParentWatch(boost::asio::io_context& io, int parent, std::function<void()> ended) : parent_(io) {
  // No wrapper in this libc. A pidfd becomes readable when its process ends.
  const auto descriptor = static_cast<int>(::syscall(SYS_pidfd_open, parent, 0));
  if (descriptor < 0 && errno != ESRCH) {
    throw StartError(std::string("--exit-with-parent: cannot watch the parent process: ") + std::strerror(errno));
  }
  if (descriptor < 0 || ::getppid() != parent) {
    if (descriptor >= 0) ::close(descriptor);
    boost::asio::post(io, std::move(ended));
    return;
  }
  parent_.assign(descriptor);
  parent_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                     [ended = std::move(ended)](const error_code& error) {
                       if (!error) ended();
                     });
}

}  // namespace server
