// When faults act: the list of injected ones, asked in the order of injection for each request. What each does is its own file
// in faults/. Knows no scenario files; whoever injects (Director, control, configureFailPoint) gives the filter as a function.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/input.h"
#include "wire/document.h"

namespace emulator {

struct Exchange;
struct Connection;
class Deployment;

class FaultPlan {
 public:
  bool empty() const { return true; }
};

}  // namespace emulator
