# SPDX-License-Identifier: MIT
#
# Part of `cmake --install`. Appends to the file `record` the folders that the installation will make: for each of
# `destinations`, the highest folder above it that does not exist yet.

foreach(folder IN LISTS destinations)
    cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" NORMALIZE)
    set(folder "$ENV{DESTDIR}${folder}")
    set(missing)
    while(NOT EXISTS "${folder}")
        set(missing "${folder}")
        cmake_path(GET folder PARENT_PATH folder)
    endwhile()
    if(missing)
        file(APPEND "${record}" "${missing}\n")
    endif()
endforeach()
