#include "emulator/saslprep.h"

#include <gtest/gtest.h>

#include "emulator/command_error.h"

namespace emulator {
namespace {

std::string fault_of(std::string_view text) {
  try {
    saslprep(text);
  } catch (const CommandError& error) {
    return std::to_string(error.code) + " " + error.message;
  }
  return "none";
}

// RFC 4013 §3.
TEST(Saslprep, PreparesTheExamplesOfTheRfc) {
  EXPECT_EQ(saslprep("I\u00ADX"), "IX");
  EXPECT_EQ(saslprep("user"), "user");
  EXPECT_EQ(saslprep("USER"), "USER");
  EXPECT_EQ(saslprep("\u00AA"), "a");
  EXPECT_EQ(saslprep("\u2168"), "IX");
}

TEST(Saslprep, RefusesInTheWordsOfMongod) {
  const std::string start = "50692 Error preflighting normalization: ";
  EXPECT_EQ(fault_of("p\x07"), start + "U_STRINGPREP_PROHIBITED_ERROR");
  EXPECT_EQ(fault_of("p\u0221"), start + "U_STRINGPREP_UNASSIGNED_ERROR");
  EXPECT_EQ(fault_of("\u0627\u0031"), start + "U_STRINGPREP_CHECK_BIDI_ERROR");
  EXPECT_EQ(fault_of(""), "50687 Error preflighting UTF-8 conversion: U_STRING_NOT_TERMINATED_WARNING");
}

}  // namespace
}  // namespace emulator
