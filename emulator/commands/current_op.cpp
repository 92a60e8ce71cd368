#include <utility>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/dispatch.h"
#include "emulator/operation_list.h"
#include "emulator/store/matcher.h"

namespace emulator {
namespace {

// The command's other fields are a query on what it would list.
wire::Document filter_of(const Context& context) {
  wire::DocumentBuilder out;
  bool first = true;
  for (const wire::Element& element : context.request.body) {
    const bool own = std::exchange(first, false) || is_generic_field(element.name, context.profile());
    if (!own) out.append(element.name, element.value);
  }
  return out.finish();
}

Outcome run(Context& context) {
  const Matcher filter = Matcher::parse(filter_of(context));
  wire::DocumentBuilder& out = context.reply.begin_array("inprog");
  for (const wire::Document& operation : waiting_operations(context))
    if (filter.matches(operation)) out.append_document(out.item_name(), operation);
  out.end();
  return Replied{};
}

bool authorized(const Context& context, const Request& request) {
  return is_truthy(request["$ownOps"]) || may(context, Resource::cluster(), {Action::Inprog});
}

}  // namespace

extern constinit const CommandSpec current_op_command{.name = "currentOp",
                                                      .admin_only = AdminOnly::Yes,
                                                      .authorized = authorized,
                                                      .run = run,
                                                      .help = "Lists the getMores that wait."};

}  // namespace emulator
