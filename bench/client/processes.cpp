#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "bench/client/figures.h"
#include "bench/client/modes.h"

namespace bench {
namespace {

using namespace std::chrono_literals;

constexpr auto poll_every = 200us;
constexpr auto patience = 30s;

// A program that ends with this object.
class Child {
 public:
  explicit Child(std::vector<std::string>& command) {
    std::vector<char*> arguments;
    for (std::string& word : command) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const int error = posix_spawn(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw std::system_error(error, std::generic_category(), command[0]);
  }
  ~Child() {
    if (ended_) return;
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool ended() { return ended_ = ended_ || ::waitpid(pid_, nullptr, WNOHANG) == pid_; }

 private:
  pid_t pid_ = 0;
  bool ended_ = false;
};

bool is_writable_primary(const Address& server, const Request& message) {
  try {
    Connection connection(server);
    const wire::ValueView primary = connection.run(message).body["isWritablePrimary"];
    return primary.is(wire::Type::Bool) && primary.as_bool();
  } catch (const std::runtime_error&) {
    return false;  // not listening yet, or not answering yet
  }
}

}  // namespace

void measure_startup(const Address& server, std::vector<std::string> command) {
  if (command.empty()) throw std::runtime_error("startup: the command is missing");
  const Request message = hello();
  if (is_writable_primary(server, message)) throw std::runtime_error("startup: something answers on that port already");
  const Clock::time_point began = Clock::now();
  Child child(command);
  while (!is_writable_primary(server, message)) {
    if (child.ended()) throw std::runtime_error("startup: " + command[0] + " ended");
    if (since(began) > patience) throw std::runtime_error("startup: no writable primary");
    std::this_thread::sleep_for(poll_every);
  }
  print("startup_ms", since(began).count() * 1e3, 1);
}

void measure_memory(int pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return print("resident_MiB", std::stod(line.substr(6)) / 1024, 1);
  throw std::runtime_error("memory: there is no process " + std::to_string(pid));
}

}  // namespace bench
