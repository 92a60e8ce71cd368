// `deployment` of a scenario: profile, topology, members, seed, clock, bounds.
#pragma once

#include "emulator/deployment_spec.h"
#include "scenarios/reader.h"

namespace scenarios {

// Sets what the node names; notes what is wrong.
void read_deployment(Reader& reader, const Node& node, emulator::DeploymentSpec& spec);
// 2026-01-01T00:00:00Z: where a scenario's clock is held unless it says otherwise.
emulator::SystemTime held_clock_default();
// "alice:secret": name and password, both there; nullopt: it is none.
std::optional<emulator::RootUser> parse_user(std::string_view text);
// "2026-01-01T00:00:00Z", "2026-01-01"; nullopt: no instant.
std::optional<emulator::SystemTime> parse_instant(std::string_view text);

}  // namespace scenarios
