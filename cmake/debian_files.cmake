# SPDX-License-Identifier: MIT
#
# Run by CPack before it builds packages. Lets everyone read the folders, whatever the umask is. Adds to each Debian package
# the copyright file and the changelog that Debian's policy asks for, and compresses man pages.

set(for_all OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
set(folder_for_all ${for_all} OWNER_EXECUTE GROUP_EXECUTE WORLD_EXECUTE)
file(GLOB_RECURSE folders LIST_DIRECTORIES true ${CPACK_TEMPORARY_DIRECTORY}/*)
foreach(folder IN LISTS folders)
    if(IS_DIRECTORY ${folder} AND NOT IS_SYMLINK ${folder})
        file(CHMOD ${folder} PERMISSIONS ${folder_for_all})
    endif()
endforeach()
if(NOT CPACK_GENERATOR STREQUAL DEB)
    return()
endif()
find_program(GZIP gzip REQUIRED)

# The time of the changelog's entry: SOURCE_DATE_EPOCH if it is set, otherwise the present time.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(READ ${CPACK_PTO_SOURCE}/LICENSE license)
string(REGEX REPLACE "^.*(Copyright)( [^\n]*)\n.*$" "\\1:\\2" copyright "${license}")
string(REGEX REPLACE "^.*(Permission is hereby.*)$" "\\1" license "${license}")
string(STRIP "${license}" license)
string(REPLACE "\n\n" "\n.\n" license "${license}")
string(REPLACE "\n" "\n " license " ${license}")

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} upper)
    set(name ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
    set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX})
    set(folder ${root}/share/doc/${name})
    # The licence of xxHash, whose code is in the command, must be in the copyright file.
    set(others)
    set(file ${root}/share/doc/${CPACK_PACKAGE_NAME}/LICENSE.xxHash)
    if(EXISTS ${file})
        file(READ ${file} others)
        string(STRIP "${others}" others)
        string(REPLACE "\n\n" "\n.\n" others "${others}")
        string(REPLACE "\n" "\n " others "Comment: The command contains code of ${others}")
        string(APPEND others "\n")
        file(REMOVE_RECURSE ${root}/share/doc/${CPACK_PACKAGE_NAME})
    endif()
    file(WRITE ${folder}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: libpto

Files: *
${copyright}
License: Expat
${license}
${others}")
    file(WRITE ${folder}/changelog.Debian "libpto (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Release ${CPACK_PACKAGE_VERSION}. NEWS.md has the changes.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
    file(GLOB pages ${root}/share/man/man*/*.[0-9])
    execute_process(COMMAND ${GZIP} -9nf ${folder}/changelog.Debian ${pages} COMMAND_ERROR_IS_FATAL ANY)
    file(CHMOD ${folder}/copyright ${folder}/changelog.Debian.gz PERMISSIONS ${for_all})
    file(CHMOD ${root}/share ${root}/share/doc ${folder} PERMISSIONS ${folder_for_all})
endforeach()
