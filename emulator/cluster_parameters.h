// Cluster-wide server parameters: changeStreamOptions, which says when pre-images expire. Knows no commands.
#pragma once

#include <string_view>
#include <vector>

#include "emulator/deployment.h"

namespace emulator {

// Throws 20 for a parameter that is none and on a standalone, 2 for a value that it cannot have.
void set_cluster_parameter(Deployment& deployment, std::string_view name, wire::ValueView value);
// {_id, clusterParameterTime, its own fields}; as it is before anybody set it: off, at time 0. Throws 4 for a name that is none.
wire::Document describe_cluster_parameter(const Deployment& deployment, std::string_view name);
std::vector<std::string_view> cluster_parameter_names();

}  // namespace emulator
