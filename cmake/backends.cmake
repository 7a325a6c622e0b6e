# SPDX-License-Identifier: MIT
#
# Adds the scalar kernels and those of the backends that PTO_BACKENDS names to pto_objects. Each backend is a folder
# of src/, a macro PTO_BUILD_<NAME> that src/core/isas.h reads, and the compiler flags of its files. Afterwards
# pto_backends lists what is built, and PTO_BUILD_<NAME> is ON for each backend and each addition to one.

# The backends that the target can have, and those that AUTO selects: all that are useful to users. On x86-64, NEON is
# emulated and serves only libpto's own tests.
if(PTO_TARGET_X86_64)
    set(pto_legal_backends avx2 avx512 neon generic)
    set(pto_auto_backends avx2 avx512)
    if(PTO_TESTS)
        list(APPEND pto_auto_backends neon)
    endif()
elseif(PTO_TARGET_AARCH64)
    set(pto_legal_backends neon sve generic)
    set(pto_auto_backends neon sve)
elseif(PTO_TARGET_RISCV)
    set(pto_legal_backends rvv generic)
    set(pto_auto_backends rvv generic)
else()
    set(pto_legal_backends generic)
    set(pto_auto_backends generic)
endif()

# Names may be separated by commas instead of semicolons, because a shell takes a semicolon for the end of a command.
string(REPLACE "," ";" pto_backends "${PTO_BACKENDS}")
list(REMOVE_DUPLICATES pto_backends)
set(pto_backends_are_chosen ON)
if(pto_backends STREQUAL AUTO)
    set(pto_backends_are_chosen OFF)
    set(pto_backends ${pto_auto_backends})
endif()
list(LENGTH pto_backends count)
if(count EQUAL 0)
    message(FATAL_ERROR "PTO_BACKENDS is empty: 'scalar' builds only the scalar kernels, AUTO all that the target can use")
endif()
list(REMOVE_ITEM pto_backends scalar)
foreach(name IN LISTS pto_backends)
    if(NOT name IN_LIST pto_legal_backends)
        list(JOIN pto_legal_backends ", " legal)
        message(FATAL_ERROR "PTO_BACKENDS: this target has no backend '${name}'; legal are: ${legal}, scalar (always built), "
            "or AUTO instead of a list")
    endif()
endforeach()
foreach(option PTO_SIMDE_NEON PTO_SVE PTO_RVV PTO_GENERIC)
    if(DEFINED ${option})
        message(WARNING "${option} has no effect any more: PTO_BACKENDS lists the backends to build")
    endif()
endforeach()

# Leaves out a backend that cannot be built here; it is an error if the user named it.
macro(pto_no_backend name reason)
    if(pto_backends_are_chosen)
        message(FATAL_ERROR "PTO_BACKENDS names ${name}, but ${reason}")
    endif()
    message(STATUS "No backend ${name}: ${reason}")
    list(REMOVE_ITEM pto_backends ${name})
endmacro()

# pto_kernels(MACRO SOURCES FLAG...): adds files that are compiled with flags of their own, and defines the macro.
#
# Some kernels are plain loops for the compiler to vectorise, which gcc does at -O2 only if -ftree-vectorize is given.
# -fno-ipa-ra: if gcc 12 sees that a function does not use the vector registers, it does not clear their upper halves
# after a call of it, which makes the caller's SSE instructions hundreds of cycles slower. Kernels are not instrumented
# for fuzzing: it tests code that reads text and files, and with sanitizers in the kernels the build takes half an hour.
function(pto_kernels macro sources)
    target_sources(pto_objects PRIVATE ${sources})
    target_compile_definitions(pto_objects PRIVATE ${macro})
    set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS
        "${ARGN};${pto_vector_flags};$<$<C_COMPILER_ID:GNU>:-ftree-vectorize>;$<$<C_COMPILER_ID:GNU>:-fvect-cost-model=dynamic>;\
$<$<C_COMPILER_ID:GNU>:-fno-ipa-ra>;$<$<BOOL:${PTO_FUZZ}>:-fno-sanitize=all>;${pto_kernel_hardening_flags}")
    set(${macro} ON PARENT_SCOPE)
endfunction()

# pto_backend(NAME FLAG...): adds the files that every folder of kernels has.
macro(pto_backend name)
    string(TOUPPER ${name} upper)
    set(sources src/${name}/kernels.c src/${name}/maxmin.c src/${name}/permute.c src/${name}/convert.c
        src/${name}/cast.c src/${name}/scaling.c src/${name}/codes.c src/${name}/random.c)
    if(EXISTS ${PROJECT_SOURCE_DIR}/src/${name}/move.c) # the other backends use the scalar kernels
        list(APPEND sources src/${name}/move.c)
    endif()
    if(PTO_SLEEF)
        list(APPEND sources src/${name}/exp.c)
    endif()
    pto_kernels(PTO_BUILD_${upper} "${sources}" ${ARGN})
endmacro()

# pto_compiles(VARIABLE CODE FLAG...): sets the variable to whether the compiler accepts the code with these flags.
function(pto_compiles variable code)
    string(JOIN " " CMAKE_REQUIRED_FLAGS ${ARGN})
    check_c_source_compiles("${code}
        int main(void) { return 0; }" ${variable})
endfunction()

# SLEEF has functions for scalable vectors only if its compiler supported them. Without them, exp_fallback.c is used.
function(pto_scalable_exp isa kernels code)
    if(NOT PTO_SLEEF)
        return()
    endif()
    string(TOUPPER ${isa} name)
    set(CMAKE_REQUIRED_LIBRARIES ${SLEEF_LIBRARY})
    pto_compiles(PTO_SLEEF_${name} "#include <sleef.h>
        ${code}" ${ARGN} ${SLEEF_FLAGS})
    if(PTO_SLEEF_${name})
        set(${kernels} ${${kernels}} src/${isa}/exp.c PARENT_SCOPE)
    else()
        target_sources(pto_objects PRIVATE src/${isa}/exp_fallback.c)
    endif()
endfunction()

# pto_arm_kernels(NAME SOURCE EXTENSION CONDITION FLAGS CODE): adds a file for an extension of Armv8.2, if the compiler
# supports it. CONDITION is true if the user's flags already enable the extension.
macro(pto_arm_kernels name source extension condition flags code)
    set(extension_flags ${flags})
    pto_target(PTO_TARGET_${name} "${condition}")
    if(NOT PTO_TARGET_${name})
        list(APPEND extension_flags -march=armv8.2-a+${extension})
    endif()
    pto_compiles(PTO_HAS_${name} "${code}" ${extension_flags})
    if(PTO_HAS_${name})
        pto_kernels(PTO_BUILD_${name} ${source} ${extension_flags})
    endif()
endmacro()

# ---- x86-64 ----

if("avx512" IN_LIST pto_backends)
    set(avx512_flags -mprefer-vector-width=512 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx2 -mbmi2)
    pto_backend(avx512 ${avx512_flags})
    # The compiler and its assembler must support AVX512-FP16.
    pto_compiles(PTO_AVX512_FP16 "#include <immintrin.h>
        __mmask32 equal(__m512h x, __m512h y) { return _mm512_cmp_ph_mask(x, y, _CMP_EQ_OQ); }" -mavx512fp16)
    if(PTO_AVX512_FP16)
        pto_kernels(PTO_BUILD_AVX512_FP16 src/avx512/fp16.c ${avx512_flags} -mavx512fp16)
    endif()
    # Look-ups in tables of 64 and 128 bytes, and shifts and rearrangements of bits within bytes.
    set(vbmi_flags -mavx512vbmi -mavx512vbmi2 -mgfni)
    pto_compiles(PTO_AVX512_VBMI "#include <immintrin.h>
        __m512i rotated(__m512i x, __m512i y) {
            return _mm512_shrdi_epi16(_mm512_permutexvar_epi8(x, y), _mm512_gf2p8affine_epi64_epi8(x, y, 0), 1);
        }" -mavx512bw ${vbmi_flags})
    if(PTO_AVX512_VBMI)
        pto_kernels(PTO_BUILD_AVX512_VBMI src/avx512/vbmi.c ${avx512_flags} ${vbmi_flags})
    endif()
endif()

if("avx2" IN_LIST pto_backends)
    # -mno-avx512f: a user's -march=native may enable AVX-512, with which gcc 12 miscompiles blends on a comparison.
    pto_backend(avx2 -mno-avx512f -mavx2 -mbmi2 -mf16c)
endif()

if(PTO_TARGET_X86_64 AND "neon" IN_LIST pto_backends)
    pto_find_header(SIMDE simde/arm/neon.h)
    if(SIMDE_FOUND)
        # With the address sanitizer's scope checks, SIMDe's many short-lived variables take minutes to compile. clang
        # warns that it does not vectorise loops that SIMDe marks for that.
        pto_backend(neon ${SIMDE_FLAGS}
            $<$<C_COMPILER_ID:GNU>:-fno-sanitize-address-use-after-scope>
            $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed>)
    else()
        pto_no_backend(neon "SIMDe (Debian: libsimde-dev), which emulates it on x86-64, is not found")
    endif()
endif()

# ---- 64-bit Arm ----

if(PTO_TARGET_AARCH64 AND "neon" IN_LIST pto_backends)
    # clang 22 warns of loops that it unrolls only after inlining.
    pto_backend(neon $<$<C_COMPILER_ID:Clang,AppleClang>:-Wno-pass-failed>)
    # Extensions that a CPU may have. Each is compiled separately, regardless of the user's flags.
    pto_arm_kernels(NEON_FP16 src/neon/fp16.c fp16 "defined __ARM_FEATURE_FP16_VECTOR_ARITHMETIC" ""
        "#include <arm_neon.h>
        uint16x8_t less(float16x8_t x, float16x8_t y) { return vcltq_f16(x, y); }")
    pto_arm_kernels(NEON_BF16 src/neon/bf16.c bf16 "defined __ARM_FEATURE_BF16_VECTOR_ARITHMETIC" ""
        "#include <arm_neon.h>
        bfloat16x8_t rounded(float32x4_t x, float32x4_t y) { return vcvtq_high_bf16_f32(vcvtq_low_bf16_f32(x), y); }")
endif()

# Only on Linux can the library detect whether the CPU has scalable vectors (SVE, RVV).
if(CMAKE_SYSTEM_NAME MATCHES "^(Linux|Android)$")
    set(pto_is_linux ON)
else()
    set(pto_is_linux OFF)
endif()

if("sve" IN_LIST pto_backends)
    # The user's flags may already enable SVE for vectors of one length; the kernels must run with any length.
    pto_target(PTO_TARGET_SVE "defined __ARM_FEATURE_SVE")
    set(sve_flags -msve-vector-bits=scalable)
    if(NOT PTO_TARGET_SVE)
        list(PREPEND sve_flags -march=armv8-a+sve)
    endif()
    if(CMAKE_C_COMPILER_ID MATCHES Clang AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 22
        AND CMAKE_C_COMPILER_VERSION VERSION_LESS 24)
        # Its optimizer stops with "Cannot implicitly convert a scalable size" in the pass vector-combine, for a load of
        # a whole vector that is only used as a vector of another type. LLVM's pull request 220482 corrects it.
        list(APPEND sve_flags -mllvm -disable-vector-combine)
    endif()
    pto_compiles(PTO_HAS_SVE "#include <arm_sve.h>
        void put(svbool_t *to, svuint8_t x, svuint8_t y) { *to = svcmpeq_u8(svptrue_b8(), x, y); }" ${sve_flags})
    if(NOT pto_is_linux AND NOT pto_backends_are_chosen)
        pto_no_backend(sve "only Linux says whether the CPU has SVE")
    elseif(NOT PTO_HAS_SVE)
        pto_no_backend(sve "the compiler does not know SVE")
    else()
        set(sve_kernels src/sve/kernels.c src/sve/maxmin.c src/sve/permute.c src/sve/convert.c src/sve/vcvt.c src/sve/cast.c
            src/sve/scaling.c src/sve/codes.c src/sve/move.c src/sve/random.c)
        pto_scalable_exp(sve sve_kernels "svfloat32_t exp_of(svfloat32_t x) { return Sleef_cinz_expfx_u10svenofma(x); }"
            ${sve_flags})
        pto_kernels(PTO_BUILD_SVE "${sve_kernels}" ${sve_flags})
        pto_arm_kernels(SVE_BF16 src/sve/bf16.c sve+bf16
            "defined __ARM_FEATURE_SVE && defined __ARM_FEATURE_BF16_VECTOR_ARITHMETIC" -msve-vector-bits=scalable
            "#include <arm_sve.h>
            svbfloat16_t rounded(svfloat32_t x) { return svcvt_bf16_f32_x(svptrue_b32(), x); }")
    endif()
endif()

# ---- 64-bit RISC-V ----

if("rvv" IN_LIST pto_backends)
    # The user's flags may already enable V, with further extensions and for one vector length. The kernels must run
    # with any length.
    pto_target(PTO_TARGET_RVV "defined __riscv_v")
    pto_target(PTO_TARGET_RVV_FIXED "defined __riscv_v_fixed_vlen")
    set(rvv_flags)
    if(NOT PTO_TARGET_RVV)
        list(APPEND rvv_flags -march=rv64gcv)
    endif()
    if(PTO_TARGET_RVV_FIXED)
        list(APPEND rvv_flags -mrvv-vector-bits=scalable)
    endif()
    pto_compiles(PTO_HAS_RVV "#include <riscv_vector.h>
        #if __riscv_xlen != 64 || __riscv_v < 1000000
        #error
        #endif
        vuint16m8_t put(vbool2_t on, vuint16m8_t x, size_t vl) { return __riscv_vadd_vx_u16m8_mu(on, x, x, 1, vl); }"
        ${rvv_flags})
    if(NOT pto_is_linux AND NOT pto_backends_are_chosen)
        pto_no_backend(rvv "only Linux says whether the CPU has V")
    elseif(NOT PTO_HAS_RVV)
        pto_no_backend(rvv "the compiler has no intrinsics of RVV 1.0 (clang 16 and gcc 14 have)")
    else()
        set(rvv_kernels src/rvv/kernels.c src/rvv/maxmin.c src/rvv/permute.c src/rvv/convert.c src/rvv/cast.c
            src/rvv/scaling.c src/rvv/codes.c src/rvv/move.c src/rvv/random.c)
        pto_scalable_exp(rvv rvv_kernels
            "vfloat32m2_t exp_of(vfloat32m2_t x) { return Sleef_cinz_expfx_u10rvvm2nofma(x); }" ${rvv_flags})
        pto_kernels(PTO_BUILD_RVV "${rvv_kernels}" ${rvv_flags})
        pto_target(PTO_TARGET_RVV_FP16 "defined __riscv_zvfh")
        set(rvv_fp16_flags ${rvv_flags})
        if(NOT PTO_TARGET_RVV_FP16)
            list(REMOVE_ITEM rvv_fp16_flags -march=rv64gcv)
            list(APPEND rvv_fp16_flags -march=rv64gcv_zvfh)
        endif()
        pto_compiles(PTO_HAS_RVV_FP16 "#include <riscv_vector.h>
            vfloat16m4_t rounded(vfloat32m8_t x, size_t vl) { return __riscv_vfncvt_f_f_w_f16m4(x, vl); }"
            ${rvv_fp16_flags})
        if(PTO_HAS_RVV_FP16)
            pto_kernels(PTO_BUILD_RVV_FP16 src/rvv/fp16.c ${rvv_fp16_flags})
        endif()
    endif()
endif()

# ---- every processor ----

if("generic" IN_LIST pto_backends)
    # Loops over vectors that the processor lacks become too long for clang to unroll, which it warns about.
    pto_backend(generic $<$<C_COMPILER_ID:Clang,AppleClang>:-Wno-pass-failed>)
endif()

list(JOIN pto_backends " " names)
message(STATUS "libpto backends: scalar ${names}")
