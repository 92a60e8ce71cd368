// Why nothing was served: one sentence for stderr; the program ends with 2.
#pragma once

#include <stdexcept>

namespace server {

struct StartError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace server
