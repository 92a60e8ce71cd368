// Up to 4.4 an update stores no field whose name begins with `$`, but those of a DBRef (update/storage_validation.cpp). Knows no
// operators.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "emulator/editable_document.h"
#include "wire/document.h"

namespace emulator {

enum class DollarNames : std::uint8_t { Stored, Refused };

// The fields of a DBRef.
inline bool is_db_ref_name(std::string_view name) { return name == "$ref" || name == "$id" || name == "$db"; }

// The fields of a document or array and all below them; `path` leads to it, empty: the whole document. Throws CommandError 52, 55.
void check_dollar_names(wire::ValueView value, const std::string& path);
void check_dollar_names(const EditableValue& value, const std::string& path);
// The same for one field that is alone in its document.
void check_dollar_name(std::string_view name, const EditableValue& value, const std::string& path);

// Whether there is such a name at all.
bool has_dollar_names(wire::ValueView value);

}  // namespace emulator
