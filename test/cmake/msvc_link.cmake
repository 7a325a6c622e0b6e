# SPDX-License-Identifier: MIT
# cmake -DCLANG=... -DDLLTOOL=<llvm-dlltool> -DLINK=<lld-link> -DSOURCE=... -DINCLUDES=<list> -DDLLS=<list>
#   -DDEFS=<list> -DIMPORTS=<list> -DOUT=... -DEMULATOR=<list> -P cmake/msvc_link.cmake
# Links a program as users of MSVC do: it is compiled for MSVC's ABI, and linked with import libraries made from .def
# files. Then it is linked directly with mingw-w64's import libraries. The program uses no C library, because MSVC's is
# not free. Both programs must exit with 42.

function(run)
    execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
    if(result)
        message(FATAL_ERROR "${ARGN}: ${result}\n${output}")
    endif()
endfunction()

# link(NAME LIBRARY...): links the program and runs it.
function(link name)
    run(${LINK} /nodefaultlib /subsystem:console /entry:start /machine:x64 /out:${OUT}/${name}.exe
        ${OUT}/user.obj ${ARGN})
    execute_process(COMMAND ${EMULATOR} ${OUT}/${name}.exe RESULT_VARIABLE result)
    if(NOT result EQUAL 42)
        message(FATAL_ERROR "the program linked with ${ARGN} ends with ${result}, not 42")
    endif()
endfunction()

file(MAKE_DIRECTORY ${OUT})
list(TRANSFORM INCLUDES PREPEND -isystem)
run(${CLANG} --target=x86_64-pc-windows-msvc -O1 -Wall -Wextra -Werror ${INCLUDES} -c ${SOURCE} -o ${OUT}/user.obj)
set(libraries)
foreach(dll def IN ZIP_LISTS DLLS DEFS)
    get_filename_component(dll_name ${dll} NAME)
    get_filename_component(name ${def} NAME_WE)
    run(${DLLTOOL} -m i386:x86-64 -d ${def} -D ${dll_name} -l ${OUT}/${name}.lib) # as lib /def of MSVC
    list(APPEND libraries ${OUT}/${name}.lib)
    configure_file(${dll} ${OUT}/${dll_name} COPYONLY)
endforeach()
link(by_def ${libraries})
link(by_import ${IMPORTS})
