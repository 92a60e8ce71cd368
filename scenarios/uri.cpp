#include "scenarios/uri.h"

#include <vector>

#include "wire/hex.h"

namespace scenarios {
namespace {

// All but RFC 3986's unreserved letters as %XX.
std::string percent_encoded(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                       c == '.' || c == '_' || c == '~';
    if (plain) {
      out += c;
      continue;
    }
    const auto byte = static_cast<std::uint8_t>(c);
    out += "%" + wire::to_hex({&byte, 1});
  }
  return out;
}

}  // namespace

std::string deployment_uri(const emulator::DeploymentSpec& spec, const std::string& hosts) {
  std::string uri = "mongodb://";
  std::vector<std::string> options;
  if (!spec.users.empty()) {
    uri += percent_encoded(spec.users.front().name) + ":" + percent_encoded(spec.users.front().password) + "@";
    options.emplace_back("authSource=admin");
  }
  uri += hosts + "/";
  if (spec.topology == emulator::Topology::ReplicaSet) options.insert(options.begin(), "replicaSet=" + spec.set_name);
  if (spec.topology == emulator::Topology::LoadBalanced) options.emplace_back("loadBalanced=true");
  if (spec.transport == emulator::Transport::Tls) options.emplace_back("tls=true");
  for (std::size_t i = 0; i < options.size(); ++i) uri += (i == 0 ? "?" : "&") + options[i];
  return uri;
}

}  // namespace scenarios
