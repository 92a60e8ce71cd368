// The program: reads the command line, does what it asks, says in one sentence why it could not.
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <variant>
#include <vector>

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
    if (request.scenario) throw server::StartError("serve: a SCENARIO is not built yet");
    server::apply_texts(request.deployment, options.deployment);
    options.host.port = request.port ? server::read_port(*request.port) : default_port;
    options.host.bind = request.bind.value_or(options.host.bind);
    options.host.connections_max = options.deployment.connections_max;
    if (request.journal) throw server::StartError("serve: --journal is not built yet");
    options.ready_file = request.ready_file.value_or("");
    options.parent_pid = request.exit_with_parent ? parent_pid : 0;
    return server::serve(options);
  }

  int operator()(const RunRequest&) const { throw server::StartError("`oplogue run` is not built yet"); }
  int operator()(const CheckRequest&) const { throw server::StartError("`oplogue check` is not built yet"); }

  int operator()(const TokenRequest& request) const {
    if (request.tokens.empty() && !request.encode) throw server::StartError("token: HEX is missing, or --encode JSON");
    for (const std::string& token : request.tokens) print(token_text(token));
    if (request.encode) print(token_from(*request.encode) + "\n");
    return 0;
  }

  int operator()(const VocabularyRequest& request) const {
    print(vocabulary_text(request.vocabulary, request.name));
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
  } catch (const std::exception& error) {
    std::fprintf(stderr, "oplogue: a bug: %s\n", error.what());
    return tools::exit_bug;
  }
}
