#include <fmt/format.h>

#include "scenarios/condition.h"
#include "scenarios/values.h"
#include "wire/extended_json.h"

namespace scenarios {
namespace {

constexpr std::string_view words[] = {"ns", "q", "are", "count"};
// More than a script compares.
constexpr std::int32_t documents_max = 10'000;

std::vector<wire::Document> find(Stage& stage, const DocumentsCheck& check) {
  const std::size_t dot = check.ns.find('.');
  wire::DocumentBuilder command;
  command.append_string("find", check.ns.substr(dot + 1));
  command.append_document("filter", to_document(check.q, stage.names()));
  command.append_int32("batchSize", documents_max).append_bool("singleBatch", true);
  const wire::Document reply = stage.engine().run(check.ns.substr(0, dot), command.finish(), stage.now());
  check_reply(reply, nullptr, stage.names());
  std::vector<wire::Document> found;
  for (const auto& [name, value] : reply.find_path("cursor.firstBatch").as_document())
    found.emplace_back(value.as_document());
  return found;
}

}  // namespace

DocumentsCheck read_documents_check(Reader& reader, const Node& node) {
  DocumentsCheck check;
  check.q.content = Node::Map{};
  const Words documents(reader, node, "documents", words);
  if (!documents.is_map()) return check;
  check.ns = reader.ns(documents.need("ns"), Reader::NsForm::Collection);
  if (const Node* q = documents.find("q")) {
    check_document(reader, *q, "q");
    check.q = *q;
  }
  if (const Node* are = documents.find("are")) {
    for (const Node& one : reader.list(*are, "are")) check_matcher(reader, one);
    check.are = *are;
  }
  if (const Node* count = documents.find("count")) {
    check_matcher(reader, *count);
    check.count = *count;
  }
  if (!check.are && !check.count) reader.problem(node.at, "documents needs are or count");
  return check;
}

std::optional<std::string> documents_differ(Stage& stage, const DocumentsCheck& check) {
  const std::vector<wire::Document> found = find(stage, check);
  if (check.count)
    if (const auto differs =
            mismatch(*check.count, wire::Value::int64(static_cast<std::int64_t>(found.size())), stage.names()))
      return fmt::format("expected: count {}\n  actual:   {}", differs->expected, differs->actual);
  if (!check.are) return std::nullopt;
  wire::DocumentBuilder all;
  all.begin_array("documents");
  for (const wire::Document& document : found) all.append_document(all.item_name(), document);
  all.end();
  Node contains;
  contains.content = Node::Map{{Key{"$$contains", {}}, *check.are}};
  const wire::Document actual = all.finish();
  if (found.size() == check.are->list()->size() && !mismatch(contains, actual["documents"], stage.names()))
    return std::nullopt;
  return fmt::format("expected: {}\n  actual:   {}", flow_text(*check.are, 400),
                     wire::to_json(actual["documents"], wire::JsonForm::Relaxed));
}

bool exit_is(const Node& wanted, const Consumer& consumer) {
  if (consumer.state != ConsumerState::Exited || consumer.stopped_by_script) return false;
  if (const std::int64_t* code = wanted.integer()) return consumer.exit_code == *code;
  return *wanted.text() == "any" || consumer.exit_code != 0;
}

void check_exit(Reader& reader, const Node& wanted) {
  if (!reader.has_command) reader.problem(wanted.at, "exit needs a COMMAND after --");
  if (wanted.integer() != nullptr) return;
  const std::string text = reader.text(wanted, "exit");
  static constexpr std::string_view ways[] = {"any", "nonzero"};
  if (wanted.text() != nullptr && text != "any" && text != "nonzero") reader.unknown(wanted.at, "exit", text, ways);
}

}  // namespace scenarios
