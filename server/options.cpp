#include "server/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "emulator/member_address.h"
#include "scenarios/deployment_reader.h"
#include "scenarios/reader.h"
#include "server/start_error.h"

namespace server {

namespace {

template <class T>
using Words = std::vector<std::pair<std::string_view, T>>;

[[noreturn]] void refuse(std::string_view option, std::string_view text, std::string_view wanted) {
  throw StartError(fmt::format("{}: \"{}\" is not {}", option, text, wanted));
}

template <class T>
T read_word(std::string_view option, std::string_view text, const Words<T>& words) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : words) {
    if (name == text) return value;
    names.push_back(name);
  }
  throw StartError(fmt::format("{}: there is no \"{}\"{}", option, text, suggestion(text, names)));
}

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// A number and what follows it: "256MiB".
template <class T>
std::optional<std::pair<std::uint64_t, T>> parse_with_unit(std::string_view text, const Words<T>& units) {
  const std::size_t digits = text.find_first_not_of("0123456789");
  const auto number = parse<std::uint64_t>(text.substr(0, digits));
  const std::string_view unit = digits == std::string_view::npos ? std::string_view() : text.substr(digits);
  if (!number) return std::nullopt;
  for (const auto& [name, value] : units) {
    if (name == unit) return std::pair{*number, value};
  }
  return std::nullopt;
}

std::string read_profile(const std::string& text) {
  Words<std::string> words;
  for (const emulator::Profile& profile : emulator::all_profiles()) words.emplace_back(profile.name, profile.name);
  return read_word("--profile", text, words);
}

std::vector<std::string> read_members(const std::string& text) {
  constexpr std::uint64_t members_max = 50;  // MongoDB's own bound of a replica set
  if (const auto count = parse<std::uint64_t>(text)) {
    if (*count == 0 || *count > members_max) refuse("--members", text, "a number from 1 to 50, or a list of names");
    std::vector<std::string> names;
    for (std::uint64_t member = 0; member < *count; ++member) {
      const auto letter = static_cast<char>('a' + member % 26);
      names.push_back(member < 26 ? std::string(1, letter) : std::string(1, letter) + "2");
    }
    return names;
  }
  std::vector<std::string> names = read_list(text);
  if (names.empty()) refuse("--members", text, "a list of names such as a,b,c");
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (names[at].empty()) refuse("--members", text, "a list of names such as a,b,c");
    for (std::size_t other = 0; other < at; ++other) {
      if (names[other] == names[at]) throw StartError(fmt::format("--members: \"{}\" is named twice", names[at]));
    }
  }
  return names;
}

// As it shall stand in hello, so an IPv6 address in brackets; the port is of the first member.
std::string read_advertised(const std::string& text) {
  const std::size_t colon = emulator::port_colon(text);
  const std::string_view host = std::string_view(text).substr(0, colon);
  const bool names_a_host = !host.empty() && host.find_first_of(" \t,/@?") == std::string_view::npos &&
                            host.starts_with('[') == host.ends_with(']');
  const auto port = colon == std::string::npos ? 1 : parse<std::uint16_t>(std::string_view(text).substr(colon + 1));
  if (!names_a_host || port.value_or(0) == 0) refuse("--advertise", text, "a host or HOST:PORT, such as db:27017");
  return text;
}

std::optional<emulator::SystemTime> read_clock(const std::string& text) {
  if (text == "system") return std::nullopt;
  const std::optional<emulator::SystemTime> instant = scenarios::parse_instant(text);
  if (!instant) refuse("--clock", text, "\"system\" or an instant such as 2026-01-01T00:00:00Z");
  return instant;
}

std::size_t read_bytes(const std::string& text) {
  static const Words<std::uint64_t> units{
      {"", 1}, {"KiB", std::uint64_t{1} << 10}, {"MiB", std::uint64_t{1} << 20}, {"GiB", std::uint64_t{1} << 30}};
  const auto parsed = parse_with_unit(text, units);
  if (!parsed || parsed->first == 0 || parsed->first > std::numeric_limits<std::size_t>::max() / parsed->second) {
    refuse("--oplog-bytes", text, "a number of bytes such as 1048576 or 256MiB");
  }
  return parsed->first * parsed->second;
}

// NAME=VALUE: a whole number, a fraction, true, false, or else a string.
std::pair<std::string, wire::Value> read_parameter(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) refuse("--set", text, "of the form PARAMETER=VALUE");
  const std::string name = text.substr(0, equals);
  const std::string value = text.substr(equals + 1);
  if (value == "true" || value == "false") return {name, wire::Value::boolean(value == "true")};
  if (const auto number = parse<std::int32_t>(value)) return {name, wire::Value::int32(*number)};
  if (const auto number = parse<std::int64_t>(value)) return {name, wire::Value::int64(*number)};
  if (const auto number = parse<double>(value)) return {name, wire::Value::number(*number)};
  return {name, wire::Value::string(value)};
}

}  // namespace

std::vector<std::string> read_list(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size() && !text.empty();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string suggestion(std::string_view word, const std::vector<std::string_view>& words) {
  const std::string_view near = scenarios::nearest(word, words);
  if (!near.empty()) return fmt::format("; did you mean \"{}\"?", near);
  return fmt::format("; there are {}", fmt::join(words, ", "));
}

void apply_texts(const DeploymentTexts& texts, emulator::DeploymentSpec& spec) {
  using emulator::OplogStart;
  using emulator::Topology;
  if (texts.profile) spec.profile = read_profile(*texts.profile);
  if (texts.topology) {
    spec.topology = read_word<Topology>("--topology", *texts.topology,
                                        {{"replicaSet", Topology::ReplicaSet},
                                         {"standalone", Topology::Standalone},
                                         {"sharded", Topology::Sharded},
                                         {"loadBalanced", Topology::LoadBalanced}});
  }
  if (texts.members) spec.members = read_members(*texts.members);
  if (texts.seed) spec.seed = read_count("--seed", *texts.seed, 0, std::numeric_limits<std::uint64_t>::max());
  if (texts.clock) spec.held_clock = read_clock(*texts.clock);
  if (texts.oplog_start) {
    spec.oplog_start = read_word<OplogStart>("--oplog-start", *texts.oplog_start,
                                             {{"fresh", OplogStart::Fresh}, {"rolled", OplogStart::Rolled}});
  }
  if (texts.oplog_bytes) spec.oplog_bytes = read_bytes(*texts.oplog_bytes);
  if (texts.advertise) spec.advertise = read_advertised(*texts.advertise);
  for (const std::string& text : texts.parameters) {
    auto [name, value] = read_parameter(text);
    spec.parameters.insert_or_assign(std::move(name), std::move(value));
  }
  if (!texts.users.empty()) {
    spec.authentication = emulator::Authentication::On;
    spec.users.clear();
    for (const std::string& text : texts.users) {
      const auto user = scenarios::parse_user(text);
      // Without the text: it may hold a password.
      if (!user) throw StartError("--auth: a user is given as USER:PASSWORD, neither of them empty");
      spec.users.push_back(*user);
    }
  }
}

std::optional<TlsOptions> read_tls(const TlsTexts& texts) {
  if (!texts.certificate) {
    if (texts.ca || texts.clients)
      throw StartError(fmt::format("--tls-{}: there is no TLS without --tls-cert", texts.ca ? "ca" : "clients"));
    return std::nullopt;
  }
  TlsOptions options;
  options.certificate_file = *texts.certificate;
  if (texts.ca) {
    options.ca_file = *texts.ca;
    options.clients = ClientCertificates::Required;
  }
  if (texts.clients) {
    if (!texts.ca) throw StartError("--tls-clients: whose certificates? --tls-ca names the CA that signed them");
    options.clients = read_word<ClientCertificates>(
        "--tls-clients", *texts.clients,
        {{"allowed", ClientCertificates::Allowed}, {"required", ClientCertificates::Required}});
  }
  return options;
}

std::uint16_t read_port(std::string_view text) {
  const auto port = parse<std::uint16_t>(text);
  if (!port) refuse("--port", text, "a port from 0 to 65535");
  return *port;
}

emulator::JournalLevel read_journal_level(std::string_view text) {
  using emulator::JournalLevel;
  return read_word<JournalLevel>(
      "--journal", text,
      {{"off", JournalLevel::Off}, {"commands", JournalLevel::Commands}, {"full", JournalLevel::Full}});
}

std::chrono::nanoseconds read_duration(std::string_view option, std::string_view text) {
  static const Words<std::chrono::nanoseconds> units{{"ms", std::chrono::milliseconds(1)},
                                                     {"s", std::chrono::seconds(1)},
                                                     {"m", std::chrono::minutes(1)},
                                                     {"h", std::chrono::hours(1)}};
  constexpr std::uint64_t number_max = 1'000'000;
  const auto parsed = parse_with_unit(text, units);
  if (!parsed || parsed->first > number_max) refuse(option, text, "a duration such as 500ms, 60s or 2m");
  return parsed->second * static_cast<std::int64_t>(parsed->first);
}

std::uint64_t read_count(std::string_view option, std::string_view text, std::uint64_t min, std::uint64_t max) {
  const auto number = parse<std::uint64_t>(text);
  if (!number || *number < min || *number > max) {
    refuse(option, text,
           max == std::numeric_limits<std::uint64_t>::max() ? std::string("a whole number from ") + std::to_string(min)
                                                            : fmt::format("a whole number from {} to {}", min, max));
  }
  return *number;
}

}  // namespace server
