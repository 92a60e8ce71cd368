#include "emulator/script_syntax.h"

#include <gtest/gtest.h>

namespace emulator {
namespace {

// As mongod 4.2 to 6.0 say of them: "expected expression, got end of script".
TEST(ScriptSyntax, BreaksOffWhereAnOperandIsDue) {
  for (const std::string_view script : {"syntax(", "a[", "1 +", "f(1,", "(", "!", "f( ", "f(\n//c\n", "f(/*c*/", "a &&",
                                        "this.a == ", "typeof ", "new ", "a.b(1)['x'] * "})
    EXPECT_TRUE(breaks_off(script)) << script;
}

TEST(ScriptSyntax, SaysNothingOfWhatIsWholeOrWrongInAnotherWay) {
  for (const std::string_view script : {"1 2", "a.", "'abc", "a++", "function(){", "return (", "{", "this.a == 1", "(a",
                                        "a)", "a => (", "/(/", "`(", "x = (", "1.5 +", "/* (", "var a", "f(]", "if ("})
    EXPECT_FALSE(breaks_off(script)) << script;
}

}  // namespace
}  // namespace emulator
