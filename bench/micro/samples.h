// What the micro-benchmarks work on: one collection, its small documents and their oplog entries. Knows no benchmark.
#pragma once

#include <memory>

#include "emulator/oplog.h"
#include "wire/document.h"

namespace bench {

// {_id: <int32>, payload: "xxxxxxxxxxxxxxxx"}: 44 bytes, as the load client writes them.
inline wire::Document small_document(int id) {
  wire::DocumentBuilder out;
  out.append_int32("_id", id).append_string("payload", "xxxxxxxxxxxxxxxx");
  return out.finish();
}

inline const emulator::OplogNamespacePtr& small_namespace() {
  static const auto ns = std::make_shared<const emulator::OplogNamespace>(
      emulator::OplogNamespace{"bench", "drain", {0, 1, 2, 3, 4, 5, 0x46, 7, 0x88, 9, 10, 11, 12, 13, 14, 15}});
  return ns;
}

inline emulator::OplogEntry small_insert(int id) {
  emulator::OplogEntry entry;
  entry.op = emulator::Op::Insert;
  entry.time = {1'770'091'506, static_cast<std::uint32_t>(id + 1)};
  entry.wall_ms = 1'770'091'506'000;
  entry.ns = small_namespace();
  entry.has_uuid = true;
  entry.o = small_document(id);
  return entry;
}

}  // namespace bench
