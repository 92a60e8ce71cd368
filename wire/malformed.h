// What is thrown when bytes are not the protocol. Knows the two ways in which mongod takes it, not which connection it
// was.
#pragma once

#include <stdexcept>
#include <string>

#include "wire/header.h"

namespace wire {

// The bytes cannot be followed any further: mongod closes the connection without a word.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A whole message with invalid content: mongod 6.0.5 answers `code` and what(), and reads on.
// decode_message() fills the envelope, with which encode_reply() answers (OP_MSG with moreToCome is not answered).
struct InvalidMessage : Malformed {
  InvalidMessage(int error_code, const std::string& text) : Malformed(text), code(error_code) {}
  int code;
  Envelope envelope;
};

}  // namespace wire
