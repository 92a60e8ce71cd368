#include "scenarios/steps/step_words.h"

namespace scenarios {
namespace {

constexpr std::string_view words[] = {"ns", "documents", "as", "fails"};

class Insert : public Step {
 public:
  Insert(std::string ns, Node documents, WriteWords write)
      : ns_(std::move(ns)), documents_(std::move(documents)), write_(std::move(write)) {}
  Progress perform(Stage& stage) const override {
    const wire::Value documents = to_value(documents_, stage.names());
    run_statement(stage, {"insert", ns_, "documents", {}, wire::Document(documents.view().as_document())}, write_);
    return Progress::Done;
  }

 private:
  std::string ns_;
  Node documents_;
  WriteWords write_;
};

std::unique_ptr<Step> parse(Reader& reader, const Node& value) {
  const Words insert(reader, value, "insert", words);
  if (!insert.is_map()) return nullptr;
  std::string ns = reader.ns(insert.need("ns"), Reader::NsForm::Collection);
  const Node& documents = insert.need("documents");
  for (const Node& document : reader.list(documents, "documents")) check_document(reader, document, "a document");
  return std::make_unique<Insert>(std::move(ns), documents, read_write_words(reader, value));
}

}  // namespace

extern constinit const StepSpec insert_step{
    .name = "insert",
    .in_given = InGiven::Allowed,
    .parse = parse,
    .help = "Inserts documents as a client's insert on the primary would; as: names the events.",
    .example = "insert: {ns: shop.orders, documents: [{_id: 1, qty: 5}], as: first}",
};

}  // namespace scenarios
