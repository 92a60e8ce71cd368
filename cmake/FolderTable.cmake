# folder_table(<target> <folder>): <target>/<folder>/ is a table.
#
# <target>/<folder>/table.h says in its head what the table holds, in one line each:
#   // table-type: CommandSpec          the type of a row
#   // table-suffix: command            <stem>.cpp defines `extern constinit const CommandSpec <stem>_command`
#   // table-accessor: all_commands     the function that returns the rows in file order
# Adding a row is adding a file; no other file is edited. A file without its row is a link error.
function(folder_table target folder)
  set(root ${CMAKE_CURRENT_SOURCE_DIR}/${target}/${folder})
  set(header ${root}/table.h)
  if(NOT EXISTS ${header})
    return()
  endif()
  foreach(word type suffix accessor)
    file(STRINGS ${header} line REGEX "^// table-${word}: " LIMIT_COUNT 1)
    string(REGEX REPLACE "^// table-${word}: *" "" ${word} "${line}")
    string(STRIP "${${word}}" ${word})
  endforeach()
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${root} ${root}/*.cpp)
  list(SORT files)
  set(declarations "")
  set(rows "")
  foreach(file IN LISTS files)
    get_filename_component(stem ${file} NAME_WE)
    string(APPEND declarations "extern const ${type} ${stem}_${suffix};\n")
    string(APPEND rows "      &${stem}_${suffix},\n")
    target_sources(${target} PRIVATE ${root}/${file})
  endforeach()
  list(LENGTH files count)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${target}_${folder}_table.cpp)
  if(count EQUAL 0)
    set(body "  return {};")
  else()
    set(body "  static constexpr const ${type}* rows[] = {\n${rows}  };\n  return rows;")
  endif()
  file(CONFIGURE OUTPUT ${out} CONTENT
"#include \"${target}/${folder}/table.h\"
namespace ${target} {
${declarations}std::span<const ${type}* const> ${accessor}() {
${body}
}
}
" @ONLY)
  target_sources(${target} PRIVATE ${out})
  # The folder's files share names (run, apply): they cannot be merged into one unit.
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
endfunction()
