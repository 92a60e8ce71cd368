// Every example that the program's help prints is a step that the program takes.
#include <gtest/gtest.h>

#include "emulator/faults/table.h"
#include "scenarios/reader.h"
#include "scenarios/scenario.h"
#include "scenarios/step_parser.h"
#include "scenarios/steps/table.h"

namespace scenarios {
namespace {

// What is wrong with the step, names that its example takes from elsewhere aside.
std::string faults_of(std::string_view example) {
  std::vector<Problem> problems;
  const Node node = read_yaml(example, problems);
  Reader reader(problems);
  reader.order(NameOrder::SetAnywhere);
  std::vector<PlacedStep> steps;
  if (problems.empty()) parse_step(reader, node, steps);
  std::string text;
  for (const Problem& problem : problems) text += render("example", problem) + "\n";
  if (steps.empty()) text += "no step came of it\n";
  return text;
}

TEST(Examples, OfEveryStep) {
  for (const StepSpec* step : all_steps()) {
    EXPECT_EQ(faults_of(step->example), "") << step->example;
    EXPECT_TRUE(step->example.starts_with(std::string(step->name) + ":")) << step->example;
  }
}

TEST(Examples, OfEveryFault) {
  for (const emulator::FaultSpec* fault : emulator::all_faults()) {
    EXPECT_EQ(faults_of(fault->example), "") << fault->example;
    EXPECT_NE(fault->example.find(fault->name), std::string_view::npos) << fault->example;
  }
}

}  // namespace
}  // namespace scenarios
