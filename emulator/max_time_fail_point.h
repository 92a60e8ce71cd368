// The fail point maxTimeAlwaysTimeOut: whatever has a time limit is over it.
#pragma once

#include "emulator/deployment.h"
#include "emulator/fault_plan.h"

namespace emulator {

// `deployment` is the one that the injection goes into: its cursors know what they were opened with.
void configure_max_time(const Deployment& deployment, Injection& injection);

}  // namespace emulator
