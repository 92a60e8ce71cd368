// The command line as values: what was asked for, in texts that are still to be read. The only file that knows CLI11.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "server/options.h"

namespace tools {

struct ServeRequest {
  std::optional<std::string> scenario;
  server::DeploymentTexts deployment;
  std::optional<std::string> port;
  std::optional<std::string> bind;
  std::optional<std::string> ready_file;
  std::optional<std::string> journal;
  server::TlsTexts tls;
  bool exit_with_parent = false;
};

struct RunRequest {
  std::vector<std::string> paths;
  std::vector<std::string> command;
  server::DeploymentTexts deployment;  // its profile may be a list: "mongodb-6.0,mongodb-7.0"
  std::optional<std::string> port;
  std::optional<std::string> bind;
  std::optional<std::string> only;
  std::optional<std::string> timeout;
  server::TlsTexts tls;
  std::optional<std::string> repeat;
  bool fail_fast = false;
  bool list = false;
};

struct CheckRequest {
  std::vector<std::string> files;
};

struct TokenRequest {
  std::vector<std::string> tokens;
  std::optional<std::string> encode;
};

enum class Vocabulary { Steps, Faults, Profiles };

struct VocabularyRequest {
  Vocabulary vocabulary = Vocabulary::Steps;
  std::optional<std::string> name{};
  bool evidence = false;  // profiles: what each says otherwise, and where that is known from
};

// Text that answers it all: --help, --version.
struct TextRequest {
  std::string text;
};

using CommandLine = std::variant<ServeRequest, RunRequest, CheckRequest, TokenRequest, VocabularyRequest, TextRequest>;

// `arguments` without the program's name. Throws server::StartError.
CommandLine read_command_line(std::vector<std::string> arguments);

}  // namespace tools
