#include "wire/op_query.h"

#include "wire/bytes_reader.h"

namespace wire {
namespace {

constexpr int invalid_bson = 22;

DocumentView take_document(BytesReader& bytes) {
  if (bytes.left().size() < 5)
    throw InvalidMessage(invalid_bson, "Client Error: Remaining data too small for BSON object");
  std::size_t size = 0;
  if (const auto fault = check_document(bytes.left(), &size))
    throw InvalidMessage(fault->code, "Client Error: bad object in message: " + fault->text);
  const DocumentView document(bytes.left().data());
  bytes.skip(size);
  return document;
}

}  // namespace

OpQuery decode_op_query(Frame frame) {
  BytesReader bytes = BytesReader::behind_header(frame);
  OpQuery query;
  query.flags = bytes.number<std::uint32_t>();
  query.collection = bytes.c_string();
  query.skip = bytes.number<std::int32_t>();
  query.number_to_return = bytes.number<std::int32_t>();
  query.query = take_document(bytes);
  if (!bytes.empty()) query.fields = take_document(bytes);
  return query;
}

OpGetMore decode_op_get_more(Frame frame) {
  BytesReader bytes = BytesReader::behind_header(frame);
  bytes.number<std::int32_t>();
  OpGetMore get_more;
  get_more.collection = bytes.c_string();
  get_more.number_to_return = bytes.number<std::int32_t>();
  get_more.cursor_id = bytes.number<std::int64_t>();
  return get_more;
}

OpInsert decode_op_insert(Frame frame) {
  BytesReader bytes = BytesReader::behind_header(frame);
  OpInsert insert;
  insert.flags = bytes.number<std::uint32_t>();
  insert.collection = bytes.c_string();
  while (!bytes.empty()) insert.documents.push_back(take_document(bytes));
  return insert;
}

OpUpdate decode_op_update(Frame frame) {
  BytesReader bytes = BytesReader::behind_header(frame);
  bytes.number<std::int32_t>();
  OpUpdate update;
  update.collection = bytes.c_string();
  update.flags = bytes.number<std::uint32_t>();
  update.selector = take_document(bytes);
  update.update = take_document(bytes);
  return update;
}

OpDelete decode_op_delete(Frame frame) {
  BytesReader bytes = BytesReader::behind_header(frame);
  bytes.number<std::int32_t>();
  OpDelete remove;
  remove.collection = bytes.c_string();
  remove.flags = bytes.number<std::uint32_t>();
  remove.selector = take_document(bytes);
  return remove;
}

OpKillCursors decode_op_kill_cursors(Frame frame) {
  BytesReader bytes = BytesReader::behind_header(frame);
  bytes.number<std::int32_t>();
  const auto count = bytes.number<std::int32_t>();
  OpKillCursors kill;
  if (count < 0 || bytes.left().size() / sizeof(std::int64_t) != static_cast<std::size_t>(count))
    throw Malformed("OP_KILL_CURSORS does not hold the cursors that it counts");
  kill.cursor_ids.reserve(static_cast<std::size_t>(count));
  for (std::int32_t i = 0; i < count; ++i) kill.cursor_ids.push_back(bytes.number<std::int64_t>());
  return kill;
}

}  // namespace wire
