#include "emulator/saslprep.h"

#include <stringprep.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "emulator/command_error.h"

namespace emulator {
namespace {

// What ICU, which mongod asks, calls the faults that libidn finds.
std::string_view fault_name(int fault) {
  switch (fault) {
    case STRINGPREP_CONTAINS_UNASSIGNED:
      return "U_STRINGPREP_UNASSIGNED_ERROR";
    case STRINGPREP_BIDI_BOTH_L_AND_RAL:
    case STRINGPREP_BIDI_LEADTRAIL_NOT_RAL:
      return "U_STRINGPREP_CHECK_BIDI_ERROR";
    default:
      return "U_STRINGPREP_PROHIBITED_ERROR";
  }
}

bool is_printable_ascii(char c) { return c >= ' ' && c <= '~'; }

}  // namespace

std::string saslprep(std::string_view text) {
  if (text.empty()) throw CommandError(50687, "Error preflighting UTF-8 conversion: U_STRING_NOT_TERMINATED_WARNING");
  if (std::ranges::all_of(text, is_printable_ascii)) return std::string(text);
  char* prepared = nullptr;
  const int fault = stringprep_profile(std::string(text).c_str(), &prepared, "SASLprep", STRINGPREP_NO_UNASSIGNED);
  const std::unique_ptr<char, decltype(&std::free)> owner(prepared, &std::free);
  if (fault != STRINGPREP_OK || text.find('\0') != std::string_view::npos)
    throw CommandError(50692, "Error preflighting normalization: " + std::string(fault_name(fault)));
  return prepared;
}

}  // namespace emulator
