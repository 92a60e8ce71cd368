// The words that scenarios are written in, from the code's own tables, as text for a terminal.
#pragma once

#include <string>

#include "tools/cli.h"

namespace tools {

// All of a vocabulary, or the one of that name. Throws server::StartError when there is none.
std::string vocabulary_text(const VocabularyRequest& request);

}  // namespace tools
