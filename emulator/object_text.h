// BSON as the server's own messages print it (BSONObj::toString): `{ a: 1, b: [ "x" ] }`. For people, not to be read back.
#pragma once

#include <string>

#include "wire/document.h"

namespace emulator {

std::string object_text(wire::DocumentView document);
std::string value_text(wire::ValueView value);

}  // namespace emulator
