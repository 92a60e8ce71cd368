// A store with a collection of small documents, for the tests of what a store keeps.
#pragma once

#include <gtest/gtest.h>

#include "emulator/store/store.h"

namespace emulator {

class CollectionFixture : public testing::Test {
 protected:
  static wire::Document document(std::int32_t id, std::int32_t value) {
    wire::DocumentBuilder builder;
    return builder.append_int32("_id", id).append_int32("a", value).finish();
  }
  static wire::Timestamp at(std::uint32_t increment) { return {100, increment}; }
  Collection& make(wire::Document options = {}) {
    return store.create(std::make_shared<OplogNamespace>(OplogNamespace{"db", "c", {}}), std::move(options));
  }

  Store store;
};

}  // namespace emulator
