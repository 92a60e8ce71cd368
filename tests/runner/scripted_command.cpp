#include "tests/runner/scripted_command.h"

#include <csignal>
#include <stdexcept>

namespace oplogue_test {

ScriptedCommand::ScriptedCommand(World& world, const std::string& line) : world_(world) {
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find("; ", at), line.size());
    const std::string action = line.substr(at, end - at);
    const std::size_t blank = action.find(' ');
    if (blank == std::string::npos) throw std::runtime_error("command: " + action + " lacks its argument");
    actions_.push_back({action.substr(0, blank), action.substr(blank + 1)});
    at = end + 2;
  }
}

void ScriptedCommand::run() {
  for (; starts_seen_ < world_.starts().size(); ++starts_seen_) begin(world_.starts()[starts_seen_]);
  for (; stops_seen_ < world_.stops().size(); ++stops_seen_) signal(world_.stops()[stops_seen_].signal);
  while (running_ && next_ < actions_.size() && world_.now().real >= sleeps_until_) perform(actions_[next_++]);
}

void ScriptedCommand::begin(const scenarios::StartProcess& start) {
  if (running_) throw std::runtime_error("COMMAND was started while it runs");
  running_ = true;
  ignores_term_ = false;
  next_ = 0;
  sleeps_until_ = world_.now().real;
  environment_ = start.environment;
}

void ScriptedCommand::signal(scenarios::StopSignal signal) {
  if (!running_) return;
  if (signal == scenarios::StopSignal::Kill)
    end({.code = std::nullopt, .signal = SIGKILL});
  else if (!ignores_term_)
    end({.code = std::nullopt, .signal = SIGTERM});
}

void ScriptedCommand::perform(const Action& action) {
  if (action.verb == "print") return output(expanded(action.argument) + "\n");
  if (action.verb == "write") return output(expanded(action.argument));
  if (action.verb == "wait") {
    sleeps_until_ = world_.now().real + std::chrono::milliseconds(std::stoi(action.argument));
  } else if (action.verb == "exit") {
    end({.code = std::stoi(action.argument), .signal = std::nullopt});
  } else if (action.verb == "ignore") {
    ignores_term_ = true;
  } else {
    throw std::runtime_error("command: there is no action " + action.verb);
  }
}

void ScriptedCommand::output(const std::string& text) {
  world_.input(scenarios::ProcessOutput{scenarios::OutputStream::Out, text});
}

void ScriptedCommand::end(scenarios::ProcessExited exited) {
  running_ = false;
  world_.input(exited);
}

std::string ScriptedCommand::expanded(std::string text) const {
  for (std::size_t at = text.find("${"); at != std::string::npos; at = text.find("${", at)) {
    const std::size_t end = text.find('}', at);
    const auto known = environment_.find(text.substr(at + 2, end - at - 2));
    const bool set = known != environment_.end() && known->second;
    text.replace(at, end + 1 - at, set ? *known->second : "-");
  }
  return text;
}

}  // namespace oplogue_test
