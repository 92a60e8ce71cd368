#include "wire/decimal_functions.h"

#include "wire/intel_decimal.h"

namespace wire {
namespace {

template <class Function>
Decimal128 of(Function function, Decimal128 value) {
  _IDEC_flags flags = 0;
  return own(function(bid(value), BID_ROUNDING_TO_NEAREST, &flags));
}

}  // namespace

Decimal128 sine(Decimal128 value) { return of(bid128_sin, value); }
Decimal128 cosine(Decimal128 value) { return of(bid128_cos, value); }
Decimal128 tangent(Decimal128 value) { return of(bid128_tan, value); }
Decimal128 arc_sine(Decimal128 value) { return of(bid128_asin, value); }
Decimal128 arc_cosine(Decimal128 value) { return of(bid128_acos, value); }
Decimal128 arc_tangent(Decimal128 value) { return of(bid128_atan, value); }
Decimal128 arc_tangent_of(Decimal128 y, Decimal128 x) {
  _IDEC_flags flags = 0;
  return own(bid128_atan2(bid(y), bid(x), BID_ROUNDING_TO_NEAREST, &flags));
}
Decimal128 hyperbolic_sine(Decimal128 value) { return of(bid128_sinh, value); }
Decimal128 hyperbolic_cosine(Decimal128 value) { return of(bid128_cosh, value); }
Decimal128 hyperbolic_tangent(Decimal128 value) { return of(bid128_tanh, value); }
Decimal128 inverse_hyperbolic_sine(Decimal128 value) { return of(bid128_asinh, value); }
Decimal128 inverse_hyperbolic_cosine(Decimal128 value) { return of(bid128_acosh, value); }
Decimal128 inverse_hyperbolic_tangent(Decimal128 value) { return of(bid128_atanh, value); }
Decimal128 binary_logarithm(Decimal128 value) { return of(bid128_log2, value); }
Decimal128 decimal_logarithm(Decimal128 value) { return of(bid128_log10, value); }

}  // namespace wire
