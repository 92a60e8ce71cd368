// Values as MongoDB's messages print them, in its two dialects. Knows nothing of Extended JSON.
#pragma once

#include <string>

#include "wire/document.h"

namespace emulator {

// The text of BSONElement::toString and BSONObj::toString: `{ a: 1.0, b: [ "x" ] }`, `new Date(5)`. Used by commands, queries, updates.
std::string bson_text(wire::ValueView value);
std::string bson_text(wire::DocumentView document);
// `name: value`.
std::string bson_text(const wire::Element& element);

// The text of the aggregation's Value: `{a: 1, b: ["x"]}`, `1970-01-01T00:00:00.005Z`; the missing value prints as MISSING.
std::string expression_text(wire::ValueView value);
std::string expression_text(wire::DocumentView document);

// `2020-01-02T03:04:05.006Z`.
std::string date_text(std::int64_t ms);
std::string object_id_text(const wire::ObjectId& id);

}  // namespace emulator
