// The texts of options, turned into values: a deployment's, a port, a duration. Knows no command line; a wrong text is one
// sentence with the nearest right word.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/deployment_spec.h"
#include "emulator/journal.h"
#include "server/tls.h"

namespace server {

// What overrides the deployment of a scenario; nullopt: was not said.
struct DeploymentTexts {
  std::optional<std::string> profile{};
  std::optional<std::string> topology{};
  std::optional<std::string> members{};  // how many, or their names: "3", "a,b,c"
  std::optional<std::string> seed{};
  std::optional<std::string> clock{};  // "system" or an instant, "2026-01-01T00:00:00Z"
  std::optional<std::string> oplog_start{};
  std::optional<std::string> oplog_bytes{};
  std::optional<std::string> advertise{};
  std::vector<std::string> parameters{};  // NAME=VALUE
  std::vector<std::string> users{};       // USER:PASSWORD; one or more turn authentication on
};

// TLS as options say it; nullopt: was not said.
struct TlsTexts {
  std::optional<std::string> certificate{};
  std::optional<std::string> ca{};
  std::optional<std::string> clients{};  // allowed, required
};

// Each throws StartError, whose sentence names the option.
void apply_texts(const DeploymentTexts& texts, emulator::DeploymentSpec& spec);
std::uint16_t read_port(std::string_view text);
// nullopt: clients speak in clear.
std::optional<TlsOptions> read_tls(const TlsTexts& texts);
emulator::JournalLevel read_journal_level(std::string_view text);
// "60s", "500ms", "2m", "1h".
std::chrono::nanoseconds read_duration(std::string_view option, std::string_view text);
std::uint64_t read_count(std::string_view option, std::string_view text, std::uint64_t min, std::uint64_t max);

// "a,b": a and b; none of an empty text.
std::vector<std::string> read_list(std::string_view text);

// `; did you mean "x"?`, or the list of all words when none is near.
std::string suggestion(std::string_view word, const std::vector<std::string_view>& words);

}  // namespace server
