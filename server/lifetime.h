// How this program lives and ends: signals, its parent's end, open files. Knows no deployment.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <cstddef>
#include <functional>

namespace server {

// Raises the soft limit of open files to the hard one; returns how many connections that leaves room for.
std::size_t raise_open_files_limit();

// A write to a socket or pipe that nobody reads any more is an error value, not the end of the program.
void ignore_broken_pipes();

// Calls `stop` on the first SIGINT or SIGTERM; the second ends the program at once with 130 or 143.
class Interrupts {
 public:
  using Stop = std::function<void(int signal)>;
  Interrupts(boost::asio::io_context& io, Stop stop);

 private:
  void wait();

  boost::asio::signal_set signals_;
  Stop stop_;
  bool stopping_ = false;
};

// Calls `ended` when the process that started this one is gone. Watches the process, not its thread that did the
// starting, which prctl's parent-death signal is about: harnesses start programs from short-lived threads.
class ParentWatch {
 public:
  // `parent`: getppid() at the start of main, so that an end before now is noticed too.
  ParentWatch(boost::asio::io_context& io, int parent, std::function<void()> ended);

 private:
  boost::asio::posix::stream_descriptor parent_;
};

}  // namespace server
