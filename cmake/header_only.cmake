# SPDX-License-Identifier: MIT
#
# For toolchains: makes the folder pto_header_only with links to Debian's libraries that consist of headers only. A
# compiler for another C library or processor does not search /usr/include, and must not, because that also has the
# headers of the native C library.
set(pto_header_only ${CMAKE_CURRENT_LIST_DIR}/../build/header-only)
file(MAKE_DIRECTORY ${pto_header_only}/include)
if(EXISTS /usr/include/xxhash.h)
    file(CREATE_LINK /usr/include/xxhash.h ${pto_header_only}/include/xxhash.h SYMBOLIC)
endif()
