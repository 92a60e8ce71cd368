#include "server/clock.h"

namespace server {

emulator::Now now() {
  return {.real = std::chrono::steady_clock::now().time_since_epoch(),
          .system = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now())};
}

}  // namespace server
