#include "scenarios/steps/step_words.h"

namespace scenarios {
namespace {

constexpr std::string_view words[] = {"ns", "q", "u", "multi", "upsert", "arrayFilters", "as", "fails"};

class Update : public Step {
 public:
  Update(std::string ns, Node statement, WriteWords write)
      : ns_(std::move(ns)), statement_(std::move(statement)), write_(std::move(write)) {}
  Progress perform(Stage& stage) const override {
    run_statement(stage, {"update", ns_, "updates", to_document(statement_, stage.names()), {}}, write_);
    return Progress::Done;
  }

 private:
  std::string ns_;
  Node statement_;
  WriteWords write_;
};

std::unique_ptr<Step> parse(Reader& reader, const Node& value) {
  const Words update(reader, value, "update", words);
  if (!update.is_map()) return nullptr;
  std::string ns = reader.ns(update.need("ns"), Reader::NsForm::Collection);
  check_document(reader, update.need("q"), "q");
  const Node& change = update.need("u");
  if (change.map() == nullptr && change.list() == nullptr) reader.wrong(change, "u must be a document or a pipeline");
  Node::Map statement;
  for (const auto& [key, node] : *value.map()) {
    if (key.name == "ns" || key.name == "as" || key.name == "fails") continue;
    check_value(reader, node);
    statement.emplace_back(key, node);
  }
  for (const std::string_view flag : {"multi", "upsert"})
    if (const Node* node = update.find(flag); node != nullptr && node->boolean_value() == nullptr)
      reader.problem(node->at, std::string(flag) + " must be true or false");
  return std::make_unique<Update>(std::move(ns), Node{std::move(statement), value.at}, read_write_words(reader, value));
}

}  // namespace

extern constinit const StepSpec update_step{
    .name = "update",
    .in_given = InGiven::Allowed,
    .parse = parse,
    .help = "One update statement: operators, a replacement or a pipeline.",
    .example = "update: {ns: shop.orders, q: {_id: 1}, u: {$set: {qty: 6}}, as: second}",
};

}  // namespace scenarios
