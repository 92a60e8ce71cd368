// The indexes of a collection as listIndexes and $indexStats show them. Knows neither.
#pragma once

#include <vector>

#include "emulator/profile.h"
#include "emulator/store/collection.h"
#include "wire/document.h"

namespace emulator {

std::vector<wire::Document> index_documents(const Collection& collection, const Profile& profile);

}  // namespace emulator
