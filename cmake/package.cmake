# SPDX-License-Identifier: MIT
#
# Packages by CPack: an archive of everything, and Debian packages of the components. ./run package makes them.

set(CPACK_PACKAGE_NAME libpto)
set(CPACK_PACKAGE_VENDOR libpto)
set(CPACK_PACKAGE_CONTACT "The libpto authors <libpto@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # CPack writes it before the summary of each Debian package
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR TGZ)
string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
set(CPACK_PACKAGE_FILE_NAME libpto-${PROJECT_VERSION}-${system}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)

# pto_debian_package(COMPONENT NAME SECTION SUMMARY TEXT): describes the Debian package of a component.
set(CPACK_COMPONENTS_ALL)
macro(pto_debian_package component name section summary text)
    string(TOUPPER ${component} upper)
    list(APPEND CPACK_COMPONENTS_ALL ${component})
    set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${text}")
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
    set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
endmacro()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY >=)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR};${PROJECT_BINARY_DIR}/program")
set(version "(= ${PROJECT_VERSION}-1)")
set(text "libpto runs the compare, select and convert instructions of NVIDIA GPUs (PTX)
and Huawei Ascend NPUs (PTO) on ordinary CPUs, and quantizes blocks as ML
stacks do. The results are the same bit for bit.
.")

# Packages with libraries let dpkg run ldconfig.
file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/triggers)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/triggers)

pto_debian_package(runtime libpto${pto_soversion} libs "instructions of GPUs and NPUs, bit for bit, on CPUs"
    "${text}\nThis package has the shared library.")
pto_debian_package(development libpto-dev libdevel "instructions of GPUs and NPUs, bit for bit - development files"
    "${text}\nThis package has the headers, the static libraries and the documentation.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libpto${pto_soversion} ${version}")
if(PTO_SLEEF)
    set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS libsleef-dev)
endif()
if(PTO_PROGRAM)
    pto_debian_package(program libpto-program${pto_soversion} libs "PTX and PTO programs in text, on CPUs"
        "${text}\nThis package has the shared library that runs programs and kernels in text.")
    set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "libpto${pto_soversion} ${version}")
    string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libpto-program${pto_soversion} ${version}")
endif()
if(PTO_COMMAND)
    pto_debian_package(command pto utils "run, explain and compare PTX and PTO instructions on CPUs"
        "${text}\nThis package has the command pto.")
    set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "libpto${pto_soversion} ${version}")
    if(PTO_PROGRAM)
        string(APPEND CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS ", libpto-program${pto_soversion} ${version}")
    endif()
endif()

# Debian's policy asks every package for a copyright file, a changelog and compressed man pages.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_files.cmake)
set(CPACK_PTO_SOURCE ${PROJECT_SOURCE_DIR})
include(CPack)
