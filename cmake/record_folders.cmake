# SPDX-License-Identifier: MIT
#
# Part of `cmake --install`, before files are installed. Starts the list `record`, or continues it if the last
# installation was in the same place. Adds the folders that the installation will make: for each of `destinations`, the
# highest folder above it that does not exist yet. Each line is `place`, `folder` or `file`, a space and a path.

cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_PREFIX OUTPUT_VARIABLE place)
set(place "$ENV{DESTDIR}${place}")
cmake_path(ABSOLUTE_PATH place NORMALIZE) # DESTDIR may be relative
if(place MATCHES "/_CPack_Packages/") # CPack deletes what it installs
    set(record)
elseif(place MATCHES "[;\n]")
    message(WARNING "'uninstall' will not work, because the folder has a semicolon or a line break in its name")
    file(REMOVE "${record}")
    set(record)
else()
    set(old)
    if(EXISTS "${record}")
        file(READ "${record}" old)
    endif()
    string(FIND "${old}" "place ${place}\n" position)
    if(NOT position EQUAL 0)
        file(WRITE "${record}" "place ${place}\n")
    endif()
    foreach(folder IN LISTS destinations)
        cmake_path(IS_ABSOLUTE folder is_absolute)
        if(is_absolute)
            set(folder "$ENV{DESTDIR}${folder}")
        endif()
        cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY "${place}" NORMALIZE)
        set(missing)
        while(NOT EXISTS "${folder}" AND NOT IS_SYMLINK "${folder}")
            set(missing "${folder}")
            cmake_path(GET folder PARENT_PATH folder)
        endwhile()
        if(missing)
            file(APPEND "${record}" "folder ${missing}\n")
        endif()
    endforeach()
endif()
