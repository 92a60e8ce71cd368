#include "emulator/member_address.h"

namespace emulator {

std::size_t port_colon(std::string_view address) {
  const std::size_t bracket = address.rfind(']');
  return address.find(':', bracket == std::string_view::npos ? 0 : bracket);
}

std::string address_of(const Context& context, const Member& member) {
  const std::string& advertise = context.deployment.spec.advertise;
  const std::string port = std::to_string(member.port);
  if (!advertise.empty()) {
    const std::size_t colon = port_colon(advertise);
    if (colon == std::string::npos) return advertise + ":" + port;
    const int first = std::stoi(advertise.substr(colon + 1));
    return advertise.substr(0, colon + 1) + std::to_string(first + static_cast<int>(member.id));
  }
  const std::string& local = context.connection.local;
  const std::size_t colon = port_colon(local);
  return (colon == std::string::npos ? member.host : local.substr(0, colon)) + ":" + port;
}

}  // namespace emulator
