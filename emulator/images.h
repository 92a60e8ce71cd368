// Pre-images: documents of config.system.preimages, found by what they belong to, gone by age or with the oplog.
#pragma once

#include "emulator/input.h"
#include "emulator/random.h"
#include "wire/document.h"

namespace emulator {

class Deployment;

// The document as it was before the entry at `time` (index in that applyOps entry; 0 outside) changed it; default: there is none.
wire::Document find_pre_image(const Deployment& deployment, const Uuid& collection, wire::Timestamp time,
                              std::int64_t apply_ops_index);
// Keeps one. Beyond --image-bytes the oldest go.
void keep_pre_image(Deployment& deployment, const Uuid& collection, wire::Timestamp time, std::int64_t apply_ops_index,
                    const wire::Document& pre_image, std::int64_t wall_ms);
// Removes those older than changeStreamOptions.preAndPostImages.expireAfterSeconds and those whose entry left the oplog.
void expire_images(Deployment& deployment, Now now);

// Removes those of entries up to `through`, of one collection or (nullptr) of all.
void lose_pre_images(Deployment& deployment, const Uuid* collection, wire::Timestamp through);

}  // namespace emulator
