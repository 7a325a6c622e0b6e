# SPDX-License-Identifier: MIT
#
# Run by CPack before it builds packages. Adds to each Debian package the copyright file and the changelog that Debian's
# policy asks for, and compresses man pages.

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
    file(WRITE ${folder}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: libpto

Files: *
${copyright}
License: Expat
${license}\n")
    file(WRITE ${folder}/changelog.Debian "libpto (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Release ${CPACK_PACKAGE_VERSION}. NEWS.md has the changes.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
    file(GLOB pages ${root}/share/man/man*/*.[0-9])
    execute_process(COMMAND ${GZIP} -9nf ${folder}/changelog.Debian ${pages} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
