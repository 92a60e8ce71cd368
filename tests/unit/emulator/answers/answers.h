// Answers of a real mongod 6.0.5 to finds and aggregates, one case a line, and whether ours are the same.
#pragma once

#include <string>
#include <vector>

#include "wire/document.h"

namespace emulator::answers {

// {filter, projection?, sort?, docs, result} or {pipeline, docs, result}; where mongod failed, code and errmsg (without the prefix that
// names its executor) stand instead of result.
// A line without docs has those of the line before.
struct Case {
  int line = 0;
  std::string text;
  wire::Document document;
};
std::vector<Case> read(const std::string& file_name);

// What we answer: {result: […]} or {code, errmsg}, as Extended JSON.
std::string ours(const Case& recorded);
std::string expected(const Case& recorded);

// Compares all cases of a file; a case that differs is a failure that shows it.
void expect_same(const std::string& file_name);

}  // namespace emulator::answers
