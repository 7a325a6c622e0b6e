# SPDX-License-Identifier: MIT
#
# Part of `cmake --install`, after files were installed. Adds them to the list that record_folders.cmake started.

if(record AND CMAKE_INSTALL_MANIFEST_FILES)
    cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_PREFIX OUTPUT_VARIABLE prefix)
    set(stage "$ENV{DESTDIR}")
    if(stage)
        cmake_path(ABSOLUTE_PATH stage)
    endif()
    # Not a loop over a list: CMake does not separate the elements of lists with unequal numbers of [ and ].
    string(REPLACE ";" "\nfile ${stage}" files "${CMAKE_INSTALL_MANIFEST_FILES}")
    file(APPEND "${record}" "file ${stage}${files}\n")
endif()
