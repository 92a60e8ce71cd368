#include "emulator/secrets.h"

#include <algorithm>

#include "emulator/commands/table.h"

namespace emulator {
namespace {

constexpr std::string_view all_carried = "*";

const CommandSpec* spec_named(std::string_view name) {
  const auto commands = all_commands();
  const auto at = std::ranges::find(commands, name, [](const CommandSpec* spec) { return spec->name; });
  return at == commands.end() ? nullptr : *at;
}

wire::Document without(wire::DocumentView document, std::string_view secret) {
  wire::DocumentBuilder out;
  for (const wire::Element& element : document) {
    if (element.name == secret)
      out.append_string(element.name, "xxx");
    else
      out.append(element.name, element.value);
  }
  return out.finish();
}

// A document, at any depth, whose first field is a command's name.
wire::Document without_carried(wire::DocumentView document) {
  const CommandSpec* command = spec_named(document.first().name);
  const std::string_view secret = command == nullptr ? std::string_view() : command->secret;
  wire::DocumentBuilder out;
  for (const wire::Element& element : document) {
    if (!secret.empty() && element.name == secret)
      out.append_string(element.name, "xxx");
    else if (element.value.is(wire::Type::Document))
      out.append_document(element.name, without_carried(element.value.as_document()));
    else if (element.value.is(wire::Type::Array))
      out.append_array(element.name, without_carried(element.value.as_document()));
    else
      out.append(element.name, element.value);
  }
  return out.finish();
}

}  // namespace

void hide_secrets(wire::Document& document, const CommandSpec* spec) {
  if (spec == nullptr || spec->secret.empty()) return;
  if (spec->secret == all_carried)
    document = without_carried(document);
  else if (document.has(spec->secret))
    document = without(document, spec->secret);
}

}  // namespace emulator
