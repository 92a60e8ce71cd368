// What getLastError says of a connection's last legacy write. Knows no command.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "wire/document.h"

namespace emulator {

struct LastError {
  std::int32_t n = 0;
  std::optional<bool> updated_existing;  // of OP_UPDATE
  wire::Value upserted;                  // the `_id` that an upsert made
  int code = 0;                          // 0: no error
  std::string message;
  std::string ns;     // of a duplicate key
  std::string index;  // likewise
};

}  // namespace emulator
