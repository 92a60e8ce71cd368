#include "emulator/pipeline_authorization.h"

#include <algorithm>
#include <array>
#include <string>

#include "emulator/arguments.h"
#include "emulator/authorization.h"

namespace emulator {
namespace {

// A collection as stages name one: "coll", {db, coll}, or `into`'s or `from`'s value of either form.
Resource named(wire::ValueView name, std::string_view db) {
  if (name.is(wire::Type::String)) return Resource::of(db, name.as_string());
  if (!name.is(wire::Type::Document)) return Resource::database(db);
  const wire::DocumentView parts = name.as_document();
  const wire::ValueView other = parts["db"];
  const wire::ValueView collection = parts["coll"];
  return Resource::of(other.is(wire::Type::String) ? other.as_string() : db,
                      collection.is(wire::Type::String) ? collection.as_string() : std::string_view());
}

class Reader {
 public:
  Reader(const Context& context, const Request& request)
      : context_(context), db_(request.db), bypasses_(is_truthy(request["bypassDocumentValidation"])) {}

  // `source`: what the pipeline begins with, unless its first stage has its own.
  bool pipeline(wire::ValueView stages, const Resource& source) {
    if (!stages.is(wire::Type::Array)) return may(context_, source, {Action::Find});
    bool first = true;
    for (const wire::Element& element : stages.as_document()) {
      if (!element.value.is(wire::Type::Document)) continue;
      const wire::Element stage = element.value.as_document().first();
      if (std::exchange(first, false) && !begins_with(stage, source)) return false;
      if (!reads_on(stage)) return false;
    }
    return !first || may(context_, source, {Action::Find});
  }

 private:
  static wire::DocumentView options(const wire::Element& stage) {
    return stage.value.is(wire::Type::Document) ? stage.value.as_document() : wire::DocumentView();
  }

  bool begins_with(const wire::Element& stage, const Resource& source) const {
    const wire::DocumentView of = options(stage);
    if (stage.name == "$changeStream") {
      const bool cluster = is_truthy(of["allChangesForCluster"]);
      return may(context_, cluster ? Resource::any_normal() : source, {Action::Find, Action::ChangeStream});
    }
    if (stage.name == "$collStats") return may(context_, source, {Action::CollStats});
    if (stage.name == "$indexStats") return may(context_, source, {Action::IndexStats});
    if (stage.name == "$planCacheStats") return may(context_, source, {Action::PlanCacheRead});
    if (stage.name == "$currentOp")
      return !is_truthy(of["allUsers"]) || may(context_, Resource::cluster(), {Action::Inprog});
    if (stage.name == "$listLocalSessions" || stage.name == "$listSessions")
      return !is_truthy(of["allUsers"]) || may(context_, Resource::cluster(), {Action::ListSessions});
    return may(context_, source, {Action::Find});
  }

  bool reads_on(const wire::Element& stage) {
    const wire::DocumentView of = options(stage);
    if (stage.name == "$out") return writes(named(stage.value, db_), {Action::Insert, Action::Remove});
    if (stage.name == "$merge") return merges(stage);
    if (stage.name == "$graphLookup") return may(context_, named(of["from"], db_), {Action::Find});
    if (stage.name == "$lookup") {
      const Resource from = named(of["from"], db_);
      return of["pipeline"] ? pipeline(of["pipeline"], from) : may(context_, from, {Action::Find});
    }
    if (stage.name == "$unionWith") {
      const bool is_name = stage.value.is(wire::Type::String);
      return pipeline(of["pipeline"], named(is_name ? stage.value : of["coll"], db_));
    }
    if (stage.name == "$facet") {
      for (const wire::Element& facet : of)
        if (facet.value.is(wire::Type::Array))
          for (const wire::Element& inner : facet.value.as_document())
            if (inner.value.is(wire::Type::Document) && !reads_on(inner.value.as_document().first())) return false;
    }
    return true;
  }

  bool merges(const wire::Element& stage) const {
    const wire::DocumentView of = options(stage);
    const wire::ValueView matched = of["whenMatched"];
    const wire::ValueView unmatched = of["whenNotMatched"];
    const auto is = [](wire::ValueView value, std::string_view word) {
      return value.is(wire::Type::String) && value.as_string() == word;
    };
    const Resource into = named(stage.value.is(wire::Type::String) ? stage.value : of["into"], db_);
    if (!is(matched, "keepExisting") && !is(matched, "fail") && !writes(into, {Action::Update})) return false;
    return is(unmatched, "discard") || is(unmatched, "fail") || writes(into, {Action::Insert});
  }

  bool writes(const Resource& target, std::initializer_list<Action> actions) const {
    return may(context_, target, actions) && (!bypasses_ || may(context_, target, {Action::BypassDocumentValidation}));
  }

  const Context& context_;
  std::string_view db_;
  bool bypasses_;
};

}  // namespace

bool may_run_pipeline(const Context& context, const Request& request) {
  const bool on_collection = request.target().is(wire::Type::String);
  const Resource source = on_collection ? target_collection(request) : Resource::database(request.db);
  return Reader(context, request).pipeline(request["pipeline"], source);
}

}  // namespace emulator
