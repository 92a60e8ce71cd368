// Steps from nodes: {NAME: VALUE}, looked up in the table; `repeat` is written out here.
#pragma once

#include <vector>

#include "scenarios/reader.h"
#include "scenarios/scenario.h"

namespace scenarios {

// Appends the step (of a repeat: all its rounds' steps) that the node is; notes what is wrong with it.
void parse_step(Reader& reader, const Node& node, std::vector<PlacedStep>& steps);
// A list of steps.
std::vector<PlacedStep> parse_steps(Reader& reader, const Node& list);

// The node with every ${word} replaced; a key, an item or a string alone that becomes null is left out. Words that `values` does not
// have stay.
Node substituted(const Node& node, const Node::Map& values);

}  // namespace scenarios
