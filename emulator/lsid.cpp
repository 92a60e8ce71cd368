#include "emulator/lsid.h"

#include "emulator/command_error.h"
#include "emulator/error_codes.h"

namespace emulator {
namespace {

constexpr std::uint8_t general = 0;
constexpr std::uint8_t uuid = 4;

std::string_view subtype_name(std::uint8_t subtype, Wording wording) {
  constexpr std::uint8_t column = 7;
  constexpr std::uint8_t custom = 128;
  static constexpr std::string_view names[] = {"general", "function", "byte(deprecated)", "UUID(deprecated)",
                                               "UUID",    "MD5",      "encrypt"};
  if (subtype < std::size(names)) return names[subtype];
  if (subtype == column && wording > Wording::V5_0) return "column";
  return subtype == custom ? "Custom" : "invalid";
}

std::size_t binary_size(const std::string& field, wire::ValueView value, std::uint8_t subtype, Wording wording) {
  if (!value.is(wire::Type::Binary))
    throw CommandError(code::type_mismatch, "BSON field '" + field + "' is the wrong type '" +
                                                std::string(wire::type_name(value.type())) +
                                                "', expected type 'binData'");
  const wire::BinaryView binary = value.as_binary();
  if (binary.subtype != subtype)
    throw CommandError(code::type_mismatch, "BSON field '" + field + "' is the wrong " +
                                                (wording <= Wording::V5_0 ? "bindData" : "binData") + " type '" +
                                                std::string(subtype_name(binary.subtype, wording)) +
                                                "', expected type '" + std::string(subtype_name(subtype, wording)) +
                                                "'");
  return binary.bytes.size();
}

}  // namespace

void check_lsid(const std::string& path, wire::DocumentView lsid, Wording wording) {
  constexpr std::size_t digest_bytes = 32;
  constexpr std::size_t uuid_bytes = 16;
  for (const auto& [name, value] : lsid) {
    const std::string field = path + "." + std::string(name);
    if (name == "id") {
      if (binary_size(field, value, uuid, wording) != uuid_bytes)
        throw CommandError(207, "uuid must be a 16-byte binary field with UUID (4) subtype");
    } else if (name == "uid") {
      if (const std::size_t size = binary_size(field, value, general, wording); size != digest_bytes)
        throw CommandError(12, "Unsupported SHA256Block hash length: " + std::to_string(size));
    } else if (name != "txnNumber" && name != "txnUUID") {
      throw CommandError(code::unknown_field, "BSON field '" + field + "' is an unknown field.");
    }
  }
  if (!lsid.has("id"))
    throw CommandError(code::missing_field, "BSON field '" + path + ".id' is missing but a required field");
}

}  // namespace emulator
