// Resume tokens as goldens show them, decoded independently of wire/: what the product writes is read by other code.
#pragma once

#include <stdexcept>
#include <string_view>

#include "tests/golden/tree.h"

namespace golden {

class TokenError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The digits of `_data` → {clusterTime, version, [tokenType], txnOpIndex, fromInvalidate, [uuid], [documentKey |
// eventIdentifier], [fragmentNum], [trailing]}. Numbers inside keys are texts. Throws TokenError when it is no token.
Json decode_token(std::string_view digits);

}  // namespace golden
