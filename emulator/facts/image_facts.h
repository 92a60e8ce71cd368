// Which pre- and post-images a build keeps, and where. Knows no streams.
#pragma once

namespace emulator {

struct ImageFacts {
  // None: up to 4.2. NoopEntries: recordPreImages, a no-op entry before each change (4.4, 5.0). Collection:
  // changeStreamPreAndPostImages, kept in config.system.preimages (6.0+).
  enum class PreImages { None, NoopEntries, Collection };

  PreImages pre_images = PreImages::Collection;
  // create and collMod take recordPreImages.
  bool record_pre_images_option = true;
};

}  // namespace emulator
