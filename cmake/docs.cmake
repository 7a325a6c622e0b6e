# SPDX-License-Identifier: MIT Builds the reference if PTO_DOCS is ON: a searchable site of the headers' comments and
# of docs/, and a man page for each call. `cmake --install` installs them. Warnings of Doxygen are errors, and so is
# markup that it did not render.

find_program(DOXYGEN_EXECUTABLE doxygen REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_path(PTO_DOXYGEN_THEME doxygen-awesome.css PATH_SUFFIXES share/doxygen-awesome-css doxygen-awesome-css REQUIRED)
mark_as_advanced(DOXYGEN_EXECUTABLE PTO_DOXYGEN_THEME)

set(PTO_DOCS_DIR ${CMAKE_CURRENT_BINARY_DIR}) # for html/, man/ and xml/
configure_file(docs/doxygen/Doxyfile.in ${PTO_DOCS_DIR}/Doxyfile @ONLY)
file(GLOB docs_sources CONFIGURE_DEPENDS include/pto/*.h docs/*.md docs/bench/* docs/doxygen/* NEWS.md)
# Doxygen resolves links between pages only if it runs in the source folder.
add_custom_command(OUTPUT ${PTO_DOCS_DIR}/docs-complete
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${PTO_DOCS_DIR}/html ${PTO_DOCS_DIR}/man ${PTO_DOCS_DIR}/xml
    COMMAND ${DOXYGEN_EXECUTABLE} ${PTO_DOCS_DIR}/Doxyfile
    COMMAND Python3::Interpreter docs/doxygen/man_pages.py ${PTO_DOCS_DIR}/xml ${PTO_DOCS_DIR}/man ${PROJECT_VERSION}
    COMMAND Python3::Interpreter docs/doxygen/check_markup.py --html ${PTO_DOCS_DIR}/html --man ${PTO_DOCS_DIR}/man
        --folder ${PROJECT_SOURCE_DIR} --folder ${PTO_DOCS_DIR}
    COMMAND ${CMAKE_COMMAND} -E touch ${PTO_DOCS_DIR}/docs-complete
    DEPENDS ${docs_sources} ${PTO_DOCS_DIR}/Doxyfile
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} COMMENT "The reference and the man pages" VERBATIM)
add_custom_target(pto_docs ALL DEPENDS ${PTO_DOCS_DIR}/docs-complete)

if(PTO_INSTALL)
    install(DIRECTORY ${PTO_DOCS_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR})
    install(DIRECTORY ${PTO_DOCS_DIR}/html DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
