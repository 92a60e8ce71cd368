// Extended JSON (specifications/extended-json, v2) as documents and back, with positions in errors. Knows no files and no scenarios.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "wire/document.h"

namespace wire {

// Where a text is not Extended JSON: lines and columns (in characters) from 1. what() is "line 3, column 7: expected ','".
class JsonError : public std::runtime_error {
 public:
  JsonError(int line, int column, const std::string& message);
  int line() const { return line_; }
  int column() const { return column_; }
  // What is wrong, without the place.
  const std::string& message() const { return message_; }

 private:
  int line_;
  int column_;
  std::string message_;
};

enum class DuplicateKeys { Refused, Kept };

struct JsonReaderOptions {
  DuplicateKeys duplicate_keys = DuplicateKeys::Refused;
  // Of objects and arrays.
  int nesting_max = depth_max;
  std::size_t text_bytes_max = std::size_t{64} << 20;
};

// Read canonical and relaxed form, and of the older forms {"$binary": "base64", "$type": "04"}, {"$date": ms} and {"$uuid": "…"}.
// An object whose first key is a type's key ("$oid", "$numberLong", …) must be that type's whole form. Every other key that begins with
// "$" is a plain field: {"$regex": "a", "$options": "i"} is an operator here, not a regular expression.
// A number without point and exponent is an int32 where it fits, else an int64, else a double.
Document document_from_json(std::string_view text, const JsonReaderOptions& options = {});
// The same for any value, not only an object.
Value value_from_json(std::string_view text, const JsonReaderOptions& options = {});

// Canonical keeps every type; Relaxed writes numbers and dates as people do.
enum class JsonForm { Canonical, Relaxed };

// One line: {"a": {"$numberInt": "1"}, "b": []}. Doubles have the fewest digits that read back the same.
std::string to_json(DocumentView document, JsonForm form = JsonForm::Canonical);
std::string to_json(ValueView value, JsonForm form = JsonForm::Canonical);
void append_json(std::string& out, ValueView value, JsonForm form);
// A JSON string with its quotes.
void append_json_string(std::string& out, std::string_view text);
// "1.0", "1e+300", "-0.0", "NaN", "Infinity".
std::string double_text(double value);

}  // namespace wire
