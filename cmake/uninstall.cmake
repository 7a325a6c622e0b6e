# SPDX-License-Identifier: MIT
#
# The target `uninstall`. It removes the files that were last installed from this build folder, and the folders that the
# installation made. The list of them is installed.txt in the build folder, not CMake's install_manifest.txt, because CPack
# writes that, too. This file is included before all install rules, and pto_record_installed() is called after them.

set(destinations ${CMAKE_INSTALL_BINDIR} ${CMAKE_INSTALL_LIBDIR}/cmake/pto ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    ${CMAKE_INSTALL_INCLUDEDIR}/pto ${CMAKE_INSTALL_DOCDIR} ${CMAKE_INSTALL_MANDIR}/man1 ${CMAKE_INSTALL_MANDIR}/man3
    ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
if(PTO_PYTHON)
    list(APPEND destinations pto)
endif()
install(CODE "set(destinations \"${destinations}\")
    set(record \"${PROJECT_BINARY_DIR}/installed.txt\")
    include(\"${CMAKE_CURRENT_LIST_DIR}/record_folders.cmake\")" ALL_COMPONENTS)
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR}
    -P ${CMAKE_CURRENT_LIST_DIR}/remove_files.cmake VERBATIM)

# pto_record_installed(): lets each installation add the names of its files to the list.
function(pto_record_installed)
    install(CODE "include(\"${PROJECT_SOURCE_DIR}/cmake/record_files.cmake\")" ALL_COMPONENTS)
endfunction()
