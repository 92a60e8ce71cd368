#include "emulator/merge_modes.h"

#include <fmt/format.h>

#include <algorithm>

#include "emulator/deployment.h"
#include "emulator/transaction.h"
#include "emulator/update_statement.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

class Merger {
 public:
  Merger(const Context& command, const MergeSpec& spec) : command_(command), spec_(spec), writer_(command) {}

  void merge(const wire::Document& incoming) {
    const wire::Document document = identified(incoming);
    const wire::Document query = query_for(document);
    const Matcher filter = Matcher::parse(query, match_context(command_, MatchPlace::Update));
    Collection* target = find_collection(command_, spec_.db, spec_.collection);
    if (target != nullptr && target->kind() != CollectionKind::Ordinary)
      throw CommandError(166, fmt::format("Namespace {}.{} is a view, not a collection", spec_.db, spec_.collection));
    std::vector<Found> found;
    if (target != nullptr) found = find_documents(*target, filter, {}, writer_.view(), {0, 1});
    if (!found.empty())
      change(*target, found.front(), filter, document);
    else
      insert(filter, document);
    command_.exchange.operation_time = writer_.last_time();
  }

 private:
  // With an `_id`, when that is what it is matched by.
  wire::Document identified(const wire::Document& document) const {
    if (document.has("_id") || spec_.on != std::vector<std::string>{"_id"}) return document;
    wire::DocumentBuilder out;
    out.append_object_id(
        "_id", command_.deployment.object_ids.object_id(static_cast<std::uint32_t>(command_.wall_ms() / 1000)));
    return out.append_all(document).finish();
  }

  wire::Document query_for(const wire::Document& document) const {
    wire::DocumentBuilder out;
    for (const std::string& field : spec_.on) {
      const ValueView value = document.find_path(field);
      if (value.is(Type::Array) && field == "_id")
        throw CommandError(51185, fmt::format("$merge write error: 'on' field '{}' is an array", field));
      if (value.is_nullish() || value.is(Type::Array))
        if (field != "_id" || !value.is(Type::Null))
          throw CommandError(
              51132,
              fmt::format("$merge write error: 'on' field '{}' cannot be missing, null, undefined or an array", field));
      out.begin_document(field).append("$eq", value).end();
    }
    return out.finish();
  }

  // What happens to the document that stands there; for Insert also what stands there afterwards.
  Update update_of(const wire::Document& document) const {
    const auto operators = [&](std::string_view name) {
      wire::DocumentBuilder out;
      out.append_document(name, document);
      return parse_update(command_, Value::document(out.view()), {});
    };
    switch (spec_.when_matched) {
      case WhenMatched::Merge:
        return operators("$set");
      case WhenMatched::KeepExisting:
        return operators("$setOnInsert");
      case WhenMatched::Pipeline:
        return parse_update(command_, spec_.pipeline["u"], {}, Value::document(variables(document)));
      default:
        return parse_update(command_, Value::document(document), {});
    }
  }

  wire::Document variables(const wire::Document& document) const {
    wire::DocumentBuilder out;
    out.append_document("new", document);
    for (const auto& [name, expression] : spec_.let)
      if (const Value value = evaluate(*expression, document); value && name != "new") out.append(name, value);
    return out.finish();
  }

  void change(Collection& target, const Found& found, const Matcher& filter, const wire::Document& document) {
    if (spec_.when_matched == WhenMatched::KeepExisting) return;
    if (spec_.when_matched == WhenMatched::Fail) {
      const Wording wording = command_.profile().wording;
      wire::DocumentBuilder key;
      for (const std::string& field : spec_.on) key.append(field, document.find_path(field));
      const CommandError error =
          duplicate_key(target, {Obstacle::DuplicateKey, identifying_index(target), key.finish(), 0}, wording);
      if (wording <= Wording::V5_0) throw error;
      throw explained(error,
                      "$merge with whenMatched: fail found an existing document with the same values for the 'on' "
                      "fields");
    }
    Updated updated;
    try {
      throw_if(update_found(writer_, target, found, filter, update_of(document), updated));
    } catch (CommandError& error) {
      if (error.code == 66)
        error.message =
            "$merge failed to update the matching document, did you attempt to modify the _id or the shard key? :: "
            "caused by :: " +
            error.message;
      throw;
    }
  }

  void insert(const Matcher& filter, const wire::Document& document) {
    if (spec_.when_not_matched == WhenNotMatched::Discard) return;
    if (spec_.when_not_matched == WhenNotMatched::Fail)
      throw CommandError(13113,
                         "$merge could not find a matching document in the target collection for at least one document "
                         "in the source collection");
    Collection& target = writer_.ensure(spec_.db, spec_.collection);
    if (spec_.when_matched == WhenMatched::Fail || spec_.when_matched == WhenMatched::Pipeline) {
      throw_if(writer_.insert(target, document));
      return;
    }
    wire::Document prepared;
    throw_if(writer_.prepare(update_of(document).insertion(filter), prepared));
    throw_if(writer_.insert_prepared(target, prepared));
  }

  // The unique index that makes the fields identify a document; nullptr: that of `_id`.
  const Index* identifying_index(const Collection& target) const {
    for (const auto& index : target.indexes())
      if (index->spec().unique && index->spec().key.view().count() == spec_.on.size() &&
          std::all_of(spec_.on.begin(), spec_.on.end(),
                      [&](const std::string& field) { return index->spec().key.has(field); }))
        return index.get();
    return nullptr;
  }

  void throw_if(const Failure& failure) const {
    constexpr int duplicate = 11000;
    if (!failure) return;
    throw failure->code == duplicate ? explained(*failure, "$merge failed due to a DuplicateKey error") : *failure;
  }

  // From 6.0 on the server says what $merge was about.
  CommandError explained(CommandError error, std::string_view what) const {
    if (command_.profile().wording > Wording::V5_0)
      error.message = std::string(what) + " :: caused by :: " + error.message;
    return error;
  }

  const Context& command_;
  const MergeSpec& spec_;
  Writer writer_;
};

}  // namespace

void merge_documents(const Context& command, const MergeSpec& spec, const std::vector<wire::Document>& documents) {
  Merger merger(command, spec);
  for (const wire::Document& document : documents) merger.merge(document);
}

}  // namespace emulator
