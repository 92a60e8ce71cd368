// A command that fails: thrown anywhere below dispatch, caught in one place there, answered by one error_reply.
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "wire/document.h"

namespace emulator {

// Labels nullopt: the server computes them by code and command (error_labels.h); set: exactly these.
struct CommandError : std::exception {
  CommandError(int error_code, std::string text) : code(error_code), message(std::move(text)) {}
  const char* what() const noexcept override { return message.c_str(); }

  int code = 0;
  std::string message;
  std::optional<std::vector<std::string>> labels;
  wire::Document extra;      // fields appended after codeName
  wire::Document before_ok;  // fields that stand before ok
};

// Known to MongoDB, not built here: 238 NotImplemented that names it, e.g. not_built("stage $graphLookup").
[[noreturn]] void not_built(const std::string& what);

}  // namespace emulator
