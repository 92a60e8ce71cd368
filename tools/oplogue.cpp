// The program: reads the command line, does what it asks, says in one sentence why it could not.
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "server/run.h"
#include "server/scenario_files.h"
#include "server/serve.h"
#include "server/start_error.h"
#include "tools/cli.h"
#include "tools/token.h"
#include "tools/vocabulary.h"

namespace tools {

namespace {

constexpr int exit_usage = 2;
constexpr int exit_bug = 3;
constexpr std::uint16_t default_port = 27017;

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

struct Program {
  int parent_pid;

  int operator()(const ServeRequest& request) const {
    server::ServeOptions options;
    options.version = OPLOGUE_VERSION;
    if (request.scenario) {
      server::LoadedFiles loaded = server::load_scenario_files({*request.scenario}, scenarios::Command::None);
      for (const std::string& problem : loaded.problems) std::fprintf(stderr, "%s\n", problem.c_str());
      if (!loaded.problems.empty()) return exit_usage;
      if (loaded.scenarios.size() > 1)
        throw server::StartError("serve: the scenario has variants; `oplogue run` tries them");
      options.scenario = std::move(loaded.scenarios.at(0));
    } else {
      options.scenario = scenarios::empty_scenario({});
    }
    server::apply_texts(request.deployment, options.scenario.deployment);
    options.host.tls = server::read_tls(request.tls);
    if (options.host.tls) options.scenario.deployment.transport = emulator::Transport::Tls;
    options.host.port = request.port ? server::read_port(*request.port) : default_port;
    options.host.bind = request.bind.value_or(options.host.bind);
    options.host.connections_max = options.scenario.deployment.connections_max;
    if (request.journal) options.journal = server::read_journal_level(*request.journal);
    options.ready_file = request.ready_file.value_or("");
    options.parent_pid = request.exit_with_parent ? parent_pid : 0;
    return server::serve(options);
  }

  int operator()(const RunRequest& request) const {
    if (request.paths.empty()) throw server::StartError("run: PATH is missing: a scenario file or a folder of them");
    server::RunOptions options;
    options.paths = request.paths;
    options.command = request.command;
    options.only = request.only;
    options.deployment = request.deployment;
    options.profiles = server::read_list(std::exchange(options.deployment.profile, std::nullopt).value_or(""));
    options.host.port = request.port ? server::read_port(*request.port) : std::uint16_t{0};
    options.host.bind = request.bind.value_or(options.host.bind);
    options.host.tls = server::read_tls(request.tls);
    if (request.timeout) options.timeout = server::read_duration("--timeout", *request.timeout);
    if (request.repeat) options.repeat = server::read_count("--repeat", *request.repeat, 1, 1'000'000);
    options.after_failure = request.fail_fast ? server::AfterFailure::Stop : server::AfterFailure::GoOn;
    options.purpose = request.list ? server::Purpose::List : server::Purpose::Try;
    return server::run(options);
  }

  int operator()(const CheckRequest& request) const {
    if (request.files.empty()) throw server::StartError("check: FILE is missing");
    return server::check(request.files);
  }

  int operator()(const TokenRequest& request) const {
    if (request.tokens.empty() && !request.encode) throw server::StartError("token: HEX is missing, or --encode JSON");
    for (const std::string& token : request.tokens) print(token_text(token));
    if (request.encode) print(token_from(*request.encode) + "\n");
    return 0;
  }

  int operator()(const VocabularyRequest& request) const {
    print(vocabulary_text(request));
    return 0;
  }

  int operator()(const TextRequest& request) const {
    print(request.text);
    return 0;
  }
};

}  // namespace

}  // namespace tools

int main(int argc, char** argv) {
  const int parent_pid = ::getppid();
  try {
    return std::visit(tools::Program{parent_pid}, tools::read_command_line({argv + 1, argv + argc}));
  } catch (const server::StartError& error) {
    std::fprintf(stderr, "oplogue: %s\n", error.what());
    return tools::exit_usage;
  } catch (const std::invalid_argument& error) {  // a deployment that cannot be
    std::fprintf(stderr, "oplogue: %s\n", error.what());
    return tools::exit_usage;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "oplogue: a bug: %s\n", error.what());
    return tools::exit_bug;
  }
}
