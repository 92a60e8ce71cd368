// One whole message: decoded or refused; what is decoded can be read in full.
#include <type_traits>

#include "tests/fuzz/visit.h"
#include "wire/message.h"

namespace {

template <class Operation>
std::size_t visit_operation(const Operation& operation) {
  if constexpr (std::is_same_v<Operation, wire::OpMsg>) {
    std::size_t sum = fuzz::visit(operation.body);
    for (const wire::DocumentSequence& sequence : operation.sequences) {
      sum += fuzz::sum_of(sequence.identifier());
      for (const wire::DocumentView document : sequence) sum += fuzz::visit(document);
    }
    return sum;
  } else if constexpr (std::is_same_v<Operation, wire::OpQuery>) {
    return fuzz::sum_of(operation.collection) + fuzz::visit(operation.query) +
           (operation.fields ? fuzz::visit(*operation.fields) : 0);
  } else if constexpr (std::is_same_v<Operation, wire::OpUpdate>) {
    return fuzz::sum_of(operation.collection) + fuzz::visit(operation.selector) + fuzz::visit(operation.update);
  } else if constexpr (std::is_same_v<Operation, wire::OpDelete>) {
    return fuzz::sum_of(operation.collection) + fuzz::visit(operation.selector);
  } else if constexpr (std::is_same_v<Operation, wire::OpGetMore>) {
    return fuzz::sum_of(operation.collection);
  } else if constexpr (std::is_same_v<Operation, wire::OpKillCursors>) {
    return operation.cursor_ids.size();
  } else {
    std::size_t sum = 0;
    for (const wire::DocumentView document : operation.documents) sum += fuzz::visit(document);
    return sum;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const wire::Message message = wire::decode_message(std::as_bytes(std::span(data, size)));
    [[maybe_unused]] volatile const std::size_t sum =
        std::visit([](const auto& operation) { return visit_operation(operation); }, message.operation);
  } catch (const wire::Malformed&) {
    return 0;
  }
  return 0;
}
