#include <charconv>

#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/limits.h"

namespace emulator {
namespace {

void append_version_array(wire::DocumentBuilder& out, std::string_view version) {
  out.begin_array("versionArray");
  std::size_t parts = 0;
  for (; !version.empty() && parts < 4; ++parts) {
    const std::size_t dot = version.find('.');
    const std::string_view part = version.substr(0, dot);
    std::int32_t number = 0;
    std::from_chars(part.data(), part.data() + part.size(), number);
    out.append_int32(out.item_name(), number);
    version = dot == std::string_view::npos ? std::string_view{} : version.substr(dot + 1);
  }
  for (; parts < 4; ++parts) out.append_int32(out.item_name(), 0);
  out.end();
}

Outcome run(Context& context) {
  wire::DocumentBuilder& out = context.reply;
  const std::string_view version = context.profile().version;
  out.append_string("version", version).append_string("gitVersion", context.profile().git_version);
  out.begin_array("modules").end().append_string("allocator", "tcmalloc").append_string("javascriptEngine", "mozjs");
  out.append_string("sysInfo", "deprecated");
  append_version_array(out, version);
  out.begin_document("openssl").append_string("running", "OpenSSL 3.0").append_string("compiled", "OpenSSL 3.0").end();
  out.begin_document("buildEnvironment");
  for (const std::string_view name : {"distmod", "distarch", "cc", "ccflags", "cxx", "cxxflags", "linkflags"})
    out.append_string(name, name == "distarch" ? "x86_64" : "");
  out.append_string("target_arch", "x86_64").append_string("target_os", "linux");
  if (context.profile().wording > Wording::V4_2) out.append_string("cppdefines", "");
  out.end();
  out.append_int32("bits", 64).append_bool("debug", false).append_int32("maxBsonObjectSize", document_bytes_max);
  out.begin_array("storageEngines");
  for (const std::string_view engine : {"biggie", "devnull", "ephemeralForTest", "wiredTiger"})
    if (engine != "biggie" || context.profile().wording <= Wording::V4_4) out.append_string(out.item_name(), engine);
  out.end();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec build_info_command{.name = "buildInfo",
                                                      .aliases = {"buildinfo"},
                                                      .in_transaction = InTransaction::Refused,
                                                      .needs_auth = NeedsAuth::No,
                                                      .by_op_query = ByOpQuery::Allowed,
                                                      .authorized = anybody,
                                                      .run = run,
                                                      .help = "Says which build this is."};

}  // namespace emulator
