# SPDX-License-Identifier: MIT
# Puts libpto's overlay before the headers of pto-isa in a project that uses its CPU simulator:
#
#   cmake -DCMAKE_PROJECT_INCLUDE=LIBPTO/integrations/pto-isa/overlay.cmake -DCMAKE_PREFIX_PATH=INSTALLATION ...
#
# The compiler searches the folders of a directory before those of its targets.
find_package(pto REQUIRED)
include_directories(BEFORE ${CMAKE_CURRENT_LIST_DIR}/overlay)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    include_directories(BEFORE ${CMAKE_CURRENT_LIST_DIR}/gcc12)
endif()
link_libraries(pto::pto)
