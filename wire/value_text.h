// Values as mongod prints them inside its messages; not a format that anyone reads back.
#pragma once

#include <string>

#include "wire/document.h"

namespace wire {

// The form of the aggregation code: `{_data: 5, a: [1, "x"]}`; doubles with six digits, binary as BinData(0, "hex").
std::string document_text(DocumentView document);
std::string value_text(ValueView value);

// The form of most other messages: `{ _data: 5, a: [ 1, "x" ] }`; doubles with sixteen digits and always a point.
std::string shell_document_text(DocumentView document);
std::string shell_value_text(ValueView value);

// "2024-01-02T03:04:05.006Z"; the milliseconds themselves where the year has not four digits.
std::string date_text(std::int64_t ms);

}  // namespace wire
