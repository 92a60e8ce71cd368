#include "emulator/error_codes.h"

#include <algorithm>
#include <array>

#include "emulator/facts/error_facts.h"

namespace emulator {
namespace {

using Names = ErrorFacts::Names;

template <std::size_t N>
bool in(const std::array<int, N>& codes, int code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

}  // namespace

bool is_not_primary_error(int code) {
  static constexpr std::array codes{189, 10107, 11602, 13435, 13436};
  return in(codes, code);
}

namespace {

constexpr int connection_pool_expired = 317;
constexpr int connection_error = 384;
constexpr int read_concern_majority_not_available_yet = 134;

// 4.4 knows it, but not in a category.
bool has_category(int code, const ErrorFacts& facts) {
  return code != connection_pool_expired || facts.names > Names::V4_4;
}

}  // namespace

bool is_resumable_change_stream_error(int code, const ErrorFacts& facts) {
  static constexpr std::array codes{6,   7,   63,   89,    91,    133,   150,   189,   234,
                                    262, 317, 9001, 10107, 11600, 11602, 13388, 13435, 13436};
  if (code == connection_error || code == read_concern_majority_not_available_yet)
    return facts.connection_error_is_resumable;
  return in(codes, code) && has_category(code, facts);
}

bool is_retriable_error(int code, const ErrorFacts& facts) {
  static constexpr std::array codes{6, 7, 89, 91, 134, 189, 262, 317, 9001, 10107, 11600, 11602, 13435, 13436};
  return in(codes, code) && has_category(code, facts);
}

bool closes_connection(int code) {
  static constexpr std::array codes{303, 354, 398};
  return in(codes, code);
}

}  // namespace emulator
