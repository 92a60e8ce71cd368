#include "scenarios/scenario.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/deployment_reader.h"
#include "scenarios/step_parser.h"
#include "scenarios/values.h"

namespace scenarios {
namespace {

constexpr std::string_view words[] = {"name",   "shows",    "deployment", "given",  "steps",
                                      "always", "consumer", "variants",   "timeout"};
constexpr std::string_view consumer_words[] = {"env"};

// Reads one variant of a file.
class ScenarioReader {
 public:
  ScenarioReader(std::string_view file, std::vector<Problem>& problems, Command command) : reader_(problems) {
    scenario_.file = file;
    reader_.has_command = command == Command::Given;
  }

  Scenario read(const Node& root, const std::string& variant) {
    scenario_.variant = variant;
    scenario_.deployment.held_clock = held_clock_default();
    const Words file(reader_, root, "a scenario", words);
    if (!file.is_map()) return std::move(scenario_);
    scenario_.name = reader_.text(file.need("name"), "name");
    if (const Node* shows = file.find("shows")) scenario_.shows = reader_.text(*shows, "shows");
    if (const Node* deployment = file.find("deployment")) read_deployment(reader_, *deployment, scenario_.deployment);
    if (const Node* timeout = file.find("timeout")) scenario_.timeout = reader_.duration(*timeout, "timeout");
    if (const Node* given = file.find("given")) {
      reader_.in_given = true;
      scenario_.given = parse_steps(reader_, *given);
      reader_.in_given = false;
    }
    if (const Node* consumer = file.find("consumer")) read_consumer(*consumer);
    scenario_.steps = parse_steps(reader_, file.need("steps"));
    if (const Node* always = file.find("always")) {
      reader_.in_always = true;
      reader_.order(NameOrder::SetAnywhere);
      scenario_.always = parse_steps(reader_, *always);
    }
    reader_.finish_names();
    return std::move(scenario_);
  }

 private:
  void read_consumer(const Node& node) {
    const Words consumer(reader_, node, "consumer", consumer_words);
    const Node* environment = consumer.find("env");
    if (environment == nullptr) return;
    if (environment->map() == nullptr) {
      reader_.problem(environment->at, "env takes a map of variables");
      return;
    }
    for (const auto& [key, value] : *environment->map()) {
      check_value(reader_, value);
      scenario_.consumer_env.emplace(key.name, value);
    }
  }

  Reader reader_;
  Scenario scenario_;
};

void read_variants(std::string_view file, const Node& root, const Node& variants, Command command, Loaded& loaded) {
  if (variants.map() == nullptr || variants.map()->empty()) {
    loaded.problems.push_back({variants.at, "variants takes a map of names, each a map of words and values"});
    return;
  }
  for (const auto& [key, values] : *variants.map()) {
    if (values.map() == nullptr) {
      loaded.problems.push_back({values.at, "a variant is a map of words and values"});
      continue;
    }
    Node rest = root;
    std::erase_if(std::get<Node::Map>(rest.content), [](const auto& field) { return field.first.name == "variants"; });
    loaded.scenarios.push_back(
        ScenarioReader(file, loaded.problems, command).read(substituted(rest, *values.map()), key.name));
  }
}

}  // namespace

std::string Scenario::title() const { return variant.empty() ? file : fmt::format("{} [{}]", file, variant); }

Loaded load_scenario(std::string_view file, std::string_view text, Command command) {
  Loaded loaded;
  const Node root = file.ends_with(".json") ? read_json(text, loaded.problems) : read_yaml(text, loaded.problems);
  if (loaded.problems.empty()) {
    if (const Node* variants = root.find("variants"))
      read_variants(file, root, *variants, command, loaded);
    else
      loaded.scenarios.push_back(ScenarioReader(file, loaded.problems, command).read(root, {}));
  }
  // Variants make the same mistakes.
  std::ranges::sort(loaded.problems);
  const auto repeated = std::ranges::unique(loaded.problems);
  loaded.problems.erase(repeated.begin(), repeated.end());
  if (!loaded.problems.empty()) loaded.scenarios.clear();
  return loaded;
}

Scenario empty_scenario(emulator::DeploymentSpec deployment) {
  Scenario scenario;
  scenario.name = "default";
  scenario.deployment = std::move(deployment);
  return scenario;
}

}  // namespace scenarios
