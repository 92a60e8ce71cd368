#include "tools/cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "server/start_error.h"

namespace tools {

namespace {

using Texts = std::vector<std::string>;
using Text = std::optional<std::string>;

struct Unbuilt {
  std::string_view command;
  std::string_view option;
  std::string_view letter = {};  // its short form
};

// Known, documented, and not there yet: refused by name, so that nothing is accepted in silence.
constexpr std::array unbuilt_options{
    Unbuilt{"serve", "control-port"},
    Unbuilt{"serve", "control-token"},
    Unbuilt{"serve", "log-level"},
    Unbuilt{"run", "jobs", "j"},
    Unbuilt{"run", "junit"},
    Unbuilt{"run", "json"},
    Unbuilt{"run", "out"},
    Unbuilt{"run", "against"},
    Unbuilt{"run", "strict"},
};
constexpr std::array<std::string_view, 5> unbuilt_commands{"record", "replay", "schema", "step", "journal"};

std::string environment_name(std::string_view option) {
  std::string name = "OPLOGUE_";
  for (const char letter : option) name += letter == '-' ? '_' : static_cast<char>(std::toupper(letter));
  return name;
}

// An option with one value, which the environment can give too.
template <class Value>
void add(CLI::App& app, std::string_view name, Value& value, const char* type, std::string help) {
  app.add_option("--" + std::string(name), value, std::move(help))
      ->envname(environment_name(name))
      ->type_name(type)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void add_deployment_options(CLI::App& app, server::DeploymentTexts& deployment) {
  add(app, "topology", deployment.topology, "NAME", "replicaSet (default), standalone, sharded or loadBalanced");
  add(app, "members", deployment.members, "N|NAMES",
      "how many members, or their names: 3, a,b,c; the first is primary");
  add(app, "seed", deployment.seed, "N", "of everything random: same seed, same values (default 1)");
  add(app, "clock", deployment.clock, "system|INSTANT", "the deployment's clock: running, or held at an instant");
  add(app, "oplog-start", deployment.oplog_start, "fresh|rolled",
      "whether the oplog still begins with the set's birth");
  add(app, "oplog-bytes", deployment.oplog_bytes, "BYTES", "bound of the oplog (default 256MiB)");
  add(app, "advertise", deployment.advertise, "HOST[:PORT]", "what hello tells clients; else the address they came to");
  app.add_option("--set", deployment.parameters, "a server parameter; may be given several times")
      ->envname(environment_name("set"))
      ->type_name("PARAMETER=VALUE")
      ->expected(1)
      ->take_all();
  app.add_option("--auth", deployment.users,
                 "turns authentication on, with this user, who has the role root; may be given several times")
      ->envname(environment_name("auth"))
      ->type_name("USER:PASSWORD")
      ->expected(1)
      ->take_all();
}

void add_tls_options(CLI::App& app, server::TlsTexts& tls) {
  add(app, "tls-cert", tls.certificate, "FILE", "serve over TLS, with this certificate and its key (PEM, one file)");
  add(app, "tls-ca", tls.ca, "FILE", "clients must show a certificate that this CA signed (PEM)");
  add(app, "tls-clients", tls.clients, "allowed|required", "… or need not (default required, with --tls-ca)");
}

void add_unbuilt_options(CLI::App& app) {
  for (const Unbuilt& unbuilt : unbuilt_options) {
    if (unbuilt.command != app.get_name()) continue;
    const std::string letter = unbuilt.letter.empty() ? "" : "-" + std::string(unbuilt.letter) + ",";
    app.add_option(letter + "--" + std::string(unbuilt.option))
        ->envname(environment_name(unbuilt.option))
        ->expected(0, 1)
        ->group("");
  }
}

CLI::App& add_serve(CLI::App& app, ServeRequest& request) {
  CLI::App& serve = *app.add_subcommand("serve", "Serve a deployment until stopped.");
  serve.add_option("SCENARIO", request.scenario, "a scenario file to play; without one: an empty deployment");
  add(serve, "port", request.port, "PORT", "of the first member, the others follow (default 27017); 0: any free ones");
  add(serve, "bind", request.bind, "ADDRESS", "to listen on (default 127.0.0.1)");
  add(serve, "profile", request.deployment.profile, "NAME",
      "the server to be (default mongodb-7.0); see `oplogue profiles`");
  add_deployment_options(serve, request.deployment);
  add_tls_options(serve, request.tls);
  add(serve, "ready-file", request.ready_file, "FILE", "written when ready, with the line of stdout; removed on stop");
  add(serve, "journal", request.journal, "off|commands|full", "what the journal keeps (default full)");
  serve.add_flag("--exit-with-parent", request.exit_with_parent, "stop when the process that started this one ends")
      ->envname(environment_name("exit-with-parent"));
  add_unbuilt_options(serve);
  return serve;
}

CLI::App& add_run(CLI::App& app, RunRequest& request) {
  CLI::App& run = *app.add_subcommand(
      "run",
      "Try a consumer: oplogue run PATH... [-- COMMAND [ARGUMENT...]] serves each scenario, runs COMMAND, checks it.");
  run.add_option("PATH", request.paths, "scenario files, or folders: every file below, sorted");
  add(run, "only", request.only, "REGEX", "only scenarios whose name matches");
  run.add_flag("--fail-fast", request.fail_fast, "stop after the first failure")
      ->envname(environment_name("fail-fast"));
  run.add_flag("--list", request.list, "name the scenarios and end")->envname(environment_name("list"));
  add(run, "timeout", request.timeout, "DURATION", "of each scenario, instead of its own: 500ms, 60s, 2m");
  add(run, "repeat", request.repeat, "N", "try all so many times (default 1)");
  add(run, "profile", request.deployment.profile, "NAME[,NAME]", "try each scenario as each of these servers");
  add(run, "port", request.port, "PORT", "of the first member (default 0: any free one)");
  add(run, "bind", request.bind, "ADDRESS", "to listen on (default 127.0.0.1)");
  add_deployment_options(run, request.deployment);
  add_tls_options(run, request.tls);
  run.footer(
      "COMMAND is run without a shell, with MONGODB_URI in its environment.\n"
      "Exit: 0 all passed, 1 one failed, 2 bad usage or files, 130/143 interrupted.");
  add_unbuilt_options(run);
  return run;
}

CLI::App& add_check(CLI::App& app, CheckRequest& request) {
  CLI::App& check = *app.add_subcommand("check", "Validate scenario files: every fault of a file in one go.");
  check.add_option("FILE", request.files, "scenario files or folders");
  return check;
}

CLI::App& add_token(CLI::App& app, TokenRequest& request) {
  CLI::App& token = *app.add_subcommand("token", "Show what is inside a resume token, or make one.");
  token.add_option("HEX", request.tokens, "the _data of tokens");
  token.add_option("--encode", request.encode, "the token that this describes, in the form that decoding prints")
      ->type_name("JSON");
  return token;
}

CLI::App& add_vocabulary(CLI::App& app, const char* command, const char* help, Text& name) {
  CLI::App& vocabulary = *app.add_subcommand(command, help);
  vocabulary.add_option("NAME", name, "only this one");
  return vocabulary;
}

std::vector<std::string_view> option_names(const CLI::App& app, Texts& storage) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) storage.push_back("--" + name);
  }
  return {storage.begin(), storage.end()};
}

void refuse_extras(const CLI::App& command) {
  for (const Unbuilt& unbuilt : unbuilt_options) {
    if (unbuilt.command != command.get_name() || command.count("--" + std::string(unbuilt.option)) == 0) continue;
    throw server::StartError(fmt::format("{}: --{} is not built yet", command.get_name(), unbuilt.option));
  }
  const Texts extras = command.remaining();
  if (extras.empty()) return;
  const std::string extra = extras.front().substr(0, extras.front().find('='));
  if (!extra.starts_with('-')) {
    throw server::StartError(fmt::format("{}: \"{}\" is one argument too many", command.get_name(), extra));
  }
  Texts storage;
  throw server::StartError(fmt::format("{}: there is no option \"{}\"{}", command.get_name(), extra,
                                       server::suggestion(extra, option_names(command, storage))));
}

void refuse_unknown_command(const CLI::App& app) {
  const Texts extras = app.remaining();
  if (extras.empty()) throw server::StartError("what shall be done is missing; see `oplogue --help`");
  const std::string& word = extras.front();
  if (std::ranges::find(unbuilt_commands, word) != unbuilt_commands.end()) {
    throw server::StartError(fmt::format("`oplogue {}` is not built yet", word));
  }
  Texts storage;
  if (word.starts_with('-')) {
    throw server::StartError(
        fmt::format("there is no option \"{}\"{}", word, server::suggestion(word, option_names(app, storage))));
  }
  for (const CLI::App* command : app.get_subcommands({})) storage.push_back(command->get_name());
  throw server::StartError(
      fmt::format("there is no command \"{}\"{}", word, server::suggestion(word, {storage.begin(), storage.end()})));
}

// CLI11's own words for what is left: an option without its value.
[[noreturn]] void refuse_error(const CLI::ParseError& error, const CLI::App& app) {
  const auto commands = app.get_subcommands();
  const std::string where = commands.empty() ? "" : commands.front()->get_name() + ": ";
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
    throw server::StartError(fmt::format("{}{} needs a value", where, text.substr(0, text.find(':'))));
  }
  throw server::StartError(where + text);
}

}  // namespace

CommandLine read_command_line(Texts arguments) {
  ServeRequest serve;
  RunRequest run;
  CheckRequest check;
  TokenRequest token;
  VocabularyRequest steps{.vocabulary = Vocabulary::Steps};
  VocabularyRequest faults{.vocabulary = Vocabulary::Faults};
  VocabularyRequest profiles{.vocabulary = Vocabulary::Profiles};

  CLI::App app("A mock MongoDB change-stream server and test harness.", "oplogue");
  bool wants_version = false;
  app.add_flag("--version", wants_version, "print the version and end");
  CLI::App& serve_app = add_serve(app, serve);
  CLI::App& run_app = add_run(app, run);
  CLI::App& check_app = add_check(app, check);
  CLI::App& token_app = add_token(app, token);
  CLI::App& steps_app = add_vocabulary(app, "steps", "The steps of scenarios, with an example each.", steps.name);
  CLI::App& faults_app = add_vocabulary(app, "faults", "What can be injected, with an example each.", faults.name);
  CLI::App& profiles_app = add_vocabulary(app, "profiles", "The servers that can be served.", profiles.name);
  profiles_app.add_flag("--evidence", profiles.evidence, "what each says otherwise, and where that is known from");
  app.allow_extras();
  for (CLI::App* command : app.get_subcommands({})) command->allow_extras();

  // What follows `--` is COMMAND's, whatever it looks like.
  const auto dashes = std::ranges::find(arguments, "--");
  if (dashes != arguments.end()) run.command.assign(dashes + 1, arguments.end());
  const bool has_command = dashes != arguments.end();
  arguments.erase(dashes, arguments.end());
  std::ranges::reverse(arguments);  // the order in which CLI11 takes them
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    const auto commands = app.get_subcommands();
    return TextRequest{commands.empty() ? app.help() : commands.front()->help()};
  } catch (const CLI::ParseError& error) {
    refuse_error(error, app);
  }
  if (wants_version) return TextRequest{"oplogue " OPLOGUE_VERSION "\n"};
  const auto commands = app.get_subcommands();
  if (commands.empty()) refuse_unknown_command(app);
  const CLI::App* const chosen = commands.front();
  refuse_extras(*chosen);
  if (has_command && chosen != &run_app) {
    throw server::StartError(fmt::format("{}: takes no COMMAND after --; `oplogue run` does", chosen->get_name()));
  }
  if (has_command && run.command.empty()) throw server::StartError("run: COMMAND is missing after --");
  if (chosen == &serve_app) return serve;
  if (chosen == &run_app) return run;
  if (chosen == &check_app) return check;
  if (chosen == &token_app) return token;
  if (chosen == &steps_app) return steps;
  if (chosen == &faults_app) return faults;
  if (chosen == &profiles_app) return profiles;
  return TextRequest{app.help()};
}

}  // namespace tools
