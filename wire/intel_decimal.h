// The door to Intel's decimal library: its types and ours. For the sources of wire/decimal alone.
#pragma once

// The variant of the library we link (bidgcc000) passes by value and takes rounding and flags as arguments.
#define DECIMAL_CALL_BY_REFERENCE 0
#define DECIMAL_GLOBAL_ROUNDING 0
#define DECIMAL_GLOBAL_EXCEPTION_FLAGS 0
#include <bid_conf.h>
#include <bid_functions.h>

#include "wire/decimal.h"

namespace wire {

inline BID_UINT128 bid(Decimal128 value) {
  BID_UINT128 out;
  out.w[0] = value.low;
  out.w[1] = value.high;
  return out;
}

inline Decimal128 own(BID_UINT128 value) { return {value.w[0], value.w[1]}; }

}  // namespace wire
