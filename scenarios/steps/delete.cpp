#include "scenarios/steps/step_words.h"

namespace scenarios {
namespace {

constexpr std::string_view words[] = {"ns", "q", "limit", "as", "fails"};

class Delete : public Step {
 public:
  Delete(std::string ns, Node q, std::int32_t limit, WriteWords write)
      : ns_(std::move(ns)), q_(std::move(q)), limit_(limit), write_(std::move(write)) {}
  Progress perform(Stage& stage) const override {
    wire::DocumentBuilder statement;
    statement.append_document("q", to_document(q_, stage.names())).append_int32("limit", limit_);
    run_statement(stage, {"delete", ns_, "deletes", statement.finish(), {}}, write_);
    return Progress::Done;
  }

 private:
  std::string ns_;
  Node q_;
  std::int32_t limit_;
  WriteWords write_;
};

std::unique_ptr<Step> parse(Reader& reader, const Node& value) {
  const Words remove(reader, value, "delete", words);
  if (!remove.is_map()) return nullptr;
  std::string ns = reader.ns(remove.need("ns"), Reader::NsForm::Collection);
  const Node& q = remove.need("q");
  check_document(reader, q, "q");
  std::int64_t limit = 0;
  if (const Node* node = remove.find("limit")) {
    limit = reader.count(*node, "limit");
    if (limit > 1) reader.problem(node->at, "limit is 0 (all that match) or 1");
  }
  return std::make_unique<Delete>(std::move(ns), q, static_cast<std::int32_t>(limit), read_write_words(reader, value));
}

}  // namespace

extern constinit const StepSpec delete_step{
    .name = "delete",
    .in_given = InGiven::Allowed,
    .parse = parse,
    .help = "One delete statement; limit 0 (the default) deletes all that match, 1 the first.",
    .example = "delete: {ns: shop.orders, q: {_id: 1}, as: gone}",
};

}  // namespace scenarios
