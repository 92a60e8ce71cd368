#include "scenarios/fault_reader.h"

#include <fmt/format.h>

#include "scenarios/values.h"

namespace scenarios {
namespace {

constexpr std::string_view moments[] = {"arrival", "reply", "end"};

std::optional<emulator::Moment> read_moment(Reader& reader, const Node& node) {
  const std::string text = reader.text(node, "at");
  for (std::size_t i = 0; i < std::size(moments); ++i)
    if (text == moments[i]) return static_cast<emulator::Moment>(i);
  reader.unknown(node.at, "moment", text, moments);
  return std::nullopt;
}

const emulator::FaultSpec* read_name(Reader& reader, const std::string& name, Position at) {
  if (const emulator::FaultSpec* spec = emulator::find_fault(name)) return spec;
  std::vector<std::string_view> known;
  for (const emulator::FaultSpec* spec : emulator::all_faults()) known.push_back(spec->name);
  reader.unknown(at, "fault", name, known);
  return nullptr;
}

wire::Value argument_shape(const Node& argument) { return argument.is_null() ? wire::Value() : shape_of(argument); }

// The argument is judged as far as it can be before names are set.
void judge(Reader& reader, const WrittenFault& fault) {
  try {
    fault.spec->make(argument_shape(fault.argument), fault.at);
  } catch (const emulator::FaultArgumentError& error) {
    const Node* field = error.field.empty() ? nullptr : fault.argument.find(error.field);
    const std::string where =
        error.field.empty() ? std::string(fault.spec->name) : fmt::format("{}.{}", fault.spec->name, error.field);
    reader.problem(field != nullptr ? field->at : fault.argument.at, fmt::format("{}: {}", where, error.what()));
  }
}

void read_fault(Reader& reader, const Node& node, std::vector<WrittenFault>& faults) {
  if (const std::string* name = node.text()) {
    WrittenFault fault{read_name(reader, *name, node.at), {nullptr, node.at}, std::nullopt};
    if (fault.spec == nullptr) return;
    judge(reader, fault);
    faults.push_back(std::move(fault));
    return;
  }
  if (node.map() == nullptr) {
    reader.wrong(node, fmt::format("a fault is a name or {{name: argument}}, not {}", kind_name(node)));
    return;
  }
  WrittenFault fault;
  for (const auto& [key, value] : *node.map()) {
    if (key.name == "at") {
      fault.at = read_moment(reader, value);
      continue;
    }
    if (fault.spec != nullptr) {
      reader.problem(key.at, "a fault has one name; several faults are a list");
      return;
    }
    fault.spec = read_name(reader, key.name, key.at);
    if (fault.spec == nullptr) return;
    fault.argument = value;
    check_value(reader, value);
  }
  if (fault.spec == nullptr) {
    reader.problem(node.at, "a fault needs a name");
    return;
  }
  judge(reader, fault);
  faults.push_back(std::move(fault));
}

}  // namespace

std::vector<WrittenFault> read_faults(Reader& reader, const Node& node) {
  std::vector<WrittenFault> faults;
  if (const Node::List* list = node.list()) {
    for (const Node& item : *list) read_fault(reader, item, faults);
    if (list->empty()) reader.problem(node.at, "fault must not be an empty list");
  } else {
    read_fault(reader, node, faults);
  }
  return faults;
}

std::unique_ptr<emulator::Fault> make_fault(const WrittenFault& written, const Names& names) {
  const wire::Value argument = written.argument.is_null() ? wire::Value() : to_value(written.argument, names);
  return written.spec->make(argument, written.at);
}

bool acts_at_arrival(const std::vector<WrittenFault>& faults) {
  for (const WrittenFault& written : faults) {
    try {
      const auto fault = written.spec->make(argument_shape(written.argument), written.at);
      if (fault->moment() == emulator::Moment::Arrival || fault->edits_batch()) return true;
    } catch (const emulator::FaultArgumentError&) {
      // Noted by read_faults.
    }
  }
  return false;
}

}  // namespace scenarios
