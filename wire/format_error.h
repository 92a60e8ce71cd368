// The error of values whose bytes or text break MongoDB's formats. Knows no command: who catches it builds the reply.
#pragma once

#include <stdexcept>
#include <string>

namespace wire {

// code() and what() are mongod's error code and message.
class FormatError : public std::runtime_error {
 public:
  FormatError(int code, const std::string& message) : std::runtime_error(message), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

}  // namespace wire
