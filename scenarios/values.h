// Nodes as BSON: Extended JSON, references to names, fillers. Checked once when a file is read, resolved when a step runs.
#pragma once

#include <stdexcept>
#include <string>

#include "scenarios/names.h"
#include "scenarios/node.h"
#include "scenarios/reader.h"
#include "wire/document.h"

namespace scenarios {

// A reference to a name that is not set (yet), or that does not have what is asked of it.
struct Unresolved : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Notes malformed Extended JSON, unknown $$words and names that are not set.
void check_value(Reader& reader, const Node& node);
// The same for a value that must be a document.
void check_document(Reader& reader, const Node& node, std::string_view what);

// Throws Unresolved.
wire::Value to_value(const Node& node, const Names& names);
wire::Document to_document(const Node& node, const Names& names);
// The value with something of the right type where a reference stands: what can be judged before names are set.
wire::Value shape_of(const Node& node);
// Whether the node is one of Extended JSON's wrappers: {$oid: …}.
bool is_extended(const Node& node);

}  // namespace scenarios
