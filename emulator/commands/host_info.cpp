#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  wire::DocumentBuilder& out = context.reply;
  out.begin_document("system").append_date("currentTime", context.wall_ms());
  out.append_string("hostname", context.member.address())
      .append_int32("cpuAddrSize", 64)
      .append_int64("memSizeMB", 1024);
  out.append_int64("memLimitMB", 1024)
      .append_int32("numCores", 1)
      .append_string("cpuArch", "x86_64")
      .append_bool("numaEnabled", false);
  out.end()
      .begin_document("os")
      .append_string("type", "Linux")
      .append_string("name", "Oplogue")
      .append_string("version", "")
      .end();
  out.begin_document("extra").end();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec host_info_command{.name = "hostInfo",
                                                     .authorized = on_cluster<Action::HostInfo>,
                                                     .run = run,
                                                     .help = "Describes the machine: none in particular."};

}  // namespace emulator
