// Transcendental functions of decimals, 34 digits each (Intel's decimal library). Knows no BSON.
#pragma once

#include "wire/decimal.h"

namespace wire {

Decimal128 sine(Decimal128 value);
Decimal128 cosine(Decimal128 value);
Decimal128 tangent(Decimal128 value);
Decimal128 arc_sine(Decimal128 value);
Decimal128 arc_cosine(Decimal128 value);
Decimal128 arc_tangent(Decimal128 value);
Decimal128 arc_tangent_of(Decimal128 y, Decimal128 x);
Decimal128 hyperbolic_sine(Decimal128 value);
Decimal128 hyperbolic_cosine(Decimal128 value);
Decimal128 hyperbolic_tangent(Decimal128 value);
Decimal128 inverse_hyperbolic_sine(Decimal128 value);
Decimal128 inverse_hyperbolic_cosine(Decimal128 value);
Decimal128 inverse_hyperbolic_tangent(Decimal128 value);
Decimal128 binary_logarithm(Decimal128 value);
Decimal128 decimal_logarithm(Decimal128 value);

}  // namespace wire
