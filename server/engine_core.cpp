#include "server/engine_core.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <type_traits>
#include <utility>
#include <variant>

namespace server {

EngineCore::EngineCore(const emulator::DeploymentSpec& spec, emulator::Now now)
    : spec_(spec), engine_(spec, now, nullptr) {}

void EngineCore::step(const scenarios::Input& input, emulator::Now now, std::vector<scenarios::Effect>& effects) {
  std::visit(
      [&](const auto& what) {
        if constexpr (std::is_constructible_v<emulator::Input, decltype(what)>)
          engine_.step(what, now, engine_effects_);
      },
      input);
  for (emulator::Effect& effect : engine_effects_) {
    std::visit([&](auto& what) { effects.emplace_back(std::move(what)); }, effect);
  }
  engine_effects_.clear();
  if (const auto* listening = std::get_if<emulator::Listening>(&input)) {
    addresses_.push_back(fmt::format("{}:{}", listening->host, listening->port));
    if (addresses_.size() == spec_.members.size()) effects.emplace_back(ready());
  }
}

scenarios::Ready EngineCore::ready() const {
  const bool is_set = spec_.topology == emulator::Topology::ReplicaSet;
  scenarios::Ready ready{.deployment = "default",
                         .uri = fmt::format("mongodb://{}/?{}", fmt::join(addresses_, ","),
                                            is_set ? "replicaSet=" + spec_.set_name : "directConnection=true"),
                         .members = {},
                         .profile = spec_.profile,
                         .seed = spec_.seed};
  for (std::size_t member = 0; member < addresses_.size(); ++member) {
    ready.members.push_back({.name = spec_.members[member], .address = addresses_[member]});
  }
  return ready;
}

}  // namespace server
