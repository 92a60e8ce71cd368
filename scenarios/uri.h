// The connection string of a deployment. Knows no sockets.
#pragma once

#include <string>

#include "emulator/deployment_spec.h"

namespace scenarios {

// `hosts`: "127.0.0.1:27017,127.0.0.1:27018". With the first user's name and password where authentication is on, since whoever is
// given it shall be able to connect.
std::string deployment_uri(const emulator::DeploymentSpec& spec, const std::string& hosts);

}  // namespace scenarios
