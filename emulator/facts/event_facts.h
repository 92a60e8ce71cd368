// What change events look like where builds differ. Knows no streams.
#pragma once

namespace emulator {

struct EventFacts {
  enum class PreImagePlace { BeforeNs, AfterDescription };

  // wallTime stands after clusterTime (6.0+).
  bool wall_time = true;
  // Where fullDocumentBeforeChange stands.
  PreImagePlace pre_image_place = PreImagePlace::AfterDescription;
  // Update events under showExpandedEvents carry disambiguatedPaths (6.1+).
  bool disambiguated_paths = false;
  // Create events carry nsType (8.1+).
  bool ns_type = false;
  // fullDocument of update events stands last instead of before ns (8.2+).
  bool full_document_last = false;
};

}  // namespace emulator
