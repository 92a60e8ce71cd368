// What expressions come to where builds of one wire version differ. What differs by wire version stands in the rows of
// emulator/expressions/; sentences and codes are chosen by Wording. Knows no expression.
#pragma once

namespace emulator {

struct ExpressionFacts {
  // What a double converts to as a string: as printf's %g, or with as few digits as bring it back (6.0.27+).
  enum class DoubleText { SixDigits, Shortest };
  // V6_0: $add sums up exactly and rounds once; of a double that is taken from a date the fraction is dropped.
  // V6_0_27: $add goes from one to the next; a double beside a date is rounded.
  enum class Arithmetic { V6_0, V6_0_27 };

  DoubleText double_text = DoubleText::SixDigits;
  Arithmetic arithmetic = Arithmetic::V6_0;
};

}  // namespace emulator
