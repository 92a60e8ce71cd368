// One visitor of std::visit made of lambdas. Knows no variant.
#pragma once

namespace wire {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
// clang 16 does not deduce aggregates by itself.
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace wire
