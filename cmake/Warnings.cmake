# Warnings and sanitizers as interface targets, linked by every layer and test.
add_library(oplogue_warnings INTERFACE)
target_compile_options(oplogue_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports vector inserts at -O2 that are right, and members of a variant's other alternatives: pages of templates in front
  # of who builds it for the first time. Clang and the sanitizers look at the same code.
  target_compile_options(oplogue_warnings INTERFACE -Wno-maybe-uninitialized -Wno-error=stringop-overflow -Wno-error=restrict
                                                    -Wno-error=array-bounds -Wno-error=stringop-overread)
endif()

add_library(oplogue_sanitizers INTERFACE)
if(OPLOGUE_SANITIZE STREQUAL "address")
  target_compile_options(oplogue_sanitizers INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
                                                      -fno-omit-frame-pointer -gline-tables-only)
  target_link_options(oplogue_sanitizers INTERFACE -fsanitize=address,undefined)
  if(OPLOGUE_FUZZ)
    target_compile_options(oplogue_sanitizers INTERFACE -fsanitize=fuzzer-no-link)
  endif()
elseif(OPLOGUE_SANITIZE STREQUAL "thread")
  target_compile_options(oplogue_sanitizers INTERFACE -fsanitize=thread -fno-omit-frame-pointer -g1)
  target_link_options(oplogue_sanitizers INTERFACE -fsanitize=thread)
endif()
