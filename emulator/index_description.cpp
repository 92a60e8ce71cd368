#include "emulator/index_description.h"

namespace emulator {

wire::Document index_description(const wire::Document& spec, const OplogNamespace& of, const Profile& profile) {
  if (profile.wording > Wording::V4_2) return spec;
  wire::DocumentBuilder out;
  for (const auto& [name, value] : spec) {
    out.append(name, value);
    if (name == "name") out.append_string("ns", of.full());
  }
  return out.finish();
}

wire::Document id_index_description(const OplogNamespace& of, const wire::Document& collection_options,
                                    const Profile& profile) {
  wire::DocumentBuilder out;
  out.append_int32("v", 2).begin_document("key").append_int32("_id", 1).end().append_string("name", "_id_");
  if (const wire::ValueView collation = collection_options["collation"]) out.append("collation", collation);
  return index_description(out.finish(), of, profile);
}

}  // namespace emulator
