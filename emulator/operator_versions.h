// Which builds have an expression operator, where its row does not say it. Knows no operator's meaning.
#pragma once

#include <array>
#include <string_view>

namespace emulator {

// The first build (by wire version) that has an operator; one that is not here is in all of them, or its row says it.
struct OperatorVersion {
  std::string_view name;
  int wire_version_min;
};

inline constexpr auto operator_versions = std::to_array<OperatorVersion>({
    {"$regexMatch", 8},  {"$regexFind", 8},    {"$regexFindAll", 8},  {"$round", 8},      {"$first", 9},
    {"$last", 9},        {"$isNumber", 9},     {"$bsonSize", 9},      {"$binarySize", 9}, {"$replaceOne", 9},
    {"$replaceAll", 9},  {"$rand", 9},         {"$function", 9},      {"$getField", 13},  {"$setField", 13},
    {"$unsetField", 13}, {"$dateAdd", 13},     {"$dateSubtract", 13}, {"$dateDiff", 13},  {"$dateTrunc", 13},
    {"$tsSecond", 17},   {"$tsIncrement", 17}, {"$sortArray", 17},    {"$firstN", 17},    {"$lastN", 17},
    {"$minN", 17},       {"$maxN", 17},
});

}  // namespace emulator
