# SPDX-License-Identifier: MIT
#
# Tests of pto::program. Included by CMakeLists.txt.

file(GLOB program_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/program/*.c)
list(FILTER program_tests EXCLUDE REGEX "/(test_)?pto_[a-z_]*\\.c$") # program/pto.cmake has these
pto_test_executable(test_program ${program_tests})
target_link_libraries(test_program PRIVATE pto::program)
set_source_files_properties(program/example.c PROPERTIES COMPILE_DEFINITIONS "PTO_TEST_CORPUS=\"${CMAKE_CURRENT_SOURCE_DIR}/program/corpus\"")
# The models of the arithmetic take most of the time.
set_source_files_properties(program/exact.c program/exact_bits.c PROPERTIES COMPILE_OPTIONS -O2)
pto_test_per_isa(program test_program)

# ---- results from a GPU ----

file(GLOB pto_arithmetic_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/truth/arithmetic-*.txt)
pto_test_executable(test_arithmetic truth/test_arithmetic.c)
target_link_libraries(test_arithmetic PRIVATE pto::program m)
foreach(file IN LISTS pto_arithmetic_files)
    get_filename_component(name ${file} NAME_WE)
    pto_test(truth.${name} test_arithmetic ${file})
    pto_test(truth.${name}.planted test_arithmetic ${file} planted)
    set_tests_properties(truth.${name} truth.${name}.planted PROPERTIES LABELS truth)
endforeach()

if(PTXAS AND NOT CMAKE_CROSSCOMPILING)
    pto_test_executable(test_ptxas_program witness/test_ptxas_program.c witness/ptxas.c witness/fold.c
        program/example.c)
    target_link_libraries(test_ptxas_program PRIVATE pto::program)
    pto_test(witness.ptxas_program test_ptxas_program ${PTXAS})
    pto_test_executable(test_ptxas_integers witness/test_ptxas_integers.c witness/legality.c witness/ptxas.c)
    target_link_libraries(test_ptxas_integers PRIVATE pto::program)
    pto_test(witness.ptxas_integers test_ptxas_integers ${PTXAS})
    pto_test_executable(test_ptxas_memory witness/test_ptxas_memory.c witness/legality.c witness/ptxas.c)
    target_link_libraries(test_ptxas_memory PRIVATE pto::program)
    pto_test(witness.ptxas_memory test_ptxas_memory ${PTXAS})
    pto_test_executable(test_ptxas_texts witness/test_ptxas_texts.c witness/ptxas.c)
    target_link_libraries(test_ptxas_texts PRIVATE pto::program)
    pto_test(witness.ptxas_texts test_ptxas_texts ${PTXAS})
    pto_test_executable(test_ptxas_bits witness/test_ptxas_bits.c witness/ptxas.c witness/fold.c
        program/bits_values.c program/exact_bits.c program/example.c)
    target_link_libraries(test_ptxas_bits PRIVATE pto::program)
    pto_test(witness.ptxas_bits test_ptxas_bits ${PTXAS})
else()
    pto_test_missing(witness.ptxas_program "no ptxas to ask")
    pto_test_missing(witness.ptxas_bits "no ptxas to ask")
    pto_test_missing(witness.ptxas_integers "no ptxas to ask")
    pto_test_missing(witness.ptxas_memory "no ptxas to ask")
    pto_test_missing(witness.ptxas_texts "no ptxas to ask")
endif()

# ---- fuzzing, as in cmake/ptx.cmake; the preset also compiles libpto with the sanitizers ----

if(PTO_FUZZ)
    get_target_property(program_sources pto_program_objects SOURCES)
    list(FILTER program_sources EXCLUDE REGEX "^(floats|integers)_avx") # these need flags of their own; the base loops do the same
    list(TRANSFORM program_sources PREPEND ${PROJECT_SOURCE_DIR}/program/)
    add_library(fuzz_program_objects OBJECT suite/fuzz_text.c suite/fuzz_mutate.c ${program_sources})
    add_executable(fuzz_program suite/fuzz_program.c)
    add_executable(fuzz_module suite/fuzz_module.c)
    foreach(target fuzz_program_objects fuzz_program fuzz_module)
        target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/program ${CMAKE_CURRENT_SOURCE_DIR})
        target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
        target_compile_options(${target} PRIVATE ${pto_test_warnings} ${pto_exact_flags} -g -O1
            -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all
            -fno-sanitize-coverage=trace-cmp) # the mutator knows the words, and tracing comparisons takes half of the time
        target_link_libraries(${target} PRIVATE pto::vmath_static m)
        set_target_properties(${target} PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF)
    endforeach()
    foreach(target fuzz_program fuzz_module)
        target_link_options(${target} PRIVATE -fsanitize=fuzzer,address,undefined)
        target_link_libraries(${target} PRIVATE fuzz_program_objects)
    endforeach()

    # The command's reader of safetensors files, if the command has it.
    if(PTO_COMMAND AND PTO_JANSSON)
        set(cli ${PROJECT_SOURCE_DIR}/cli)
        pto_find_header(JANSSON jansson.h)
        add_executable(fuzz_safetensors suite/fuzz_safetensors.c ${cli}/safetensors.c ${cli}/tensor.c ${cli}/command.c
            ${cli}/safe_text.c ${PROJECT_SOURCE_DIR}/examples/npy.c)
        target_include_directories(fuzz_safetensors PRIVATE ${cli} ${PROJECT_SOURCE_DIR}/examples)
        target_compile_definitions(fuzz_safetensors PRIVATE _POSIX_C_SOURCE=200809L)
        target_compile_options(fuzz_safetensors PRIVATE ${pto_test_warnings} ${JANSSON_FLAGS} -g -O1
            -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all)
        target_link_options(fuzz_safetensors PRIVATE -fsanitize=fuzzer,address,undefined)
        target_link_libraries(fuzz_safetensors PRIVATE pto::static ${JANSSON_LIBRARY})
        set_target_properties(fuzz_safetensors PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF)
    else()
        add_custom_target(fuzz_safetensors COMMAND ${CMAKE_COMMAND} -E echo "skipped: pto run was made without jansson")
    endif()
endif()
