/* SPDX-License-Identifier: MIT */
/* Tests whole kernel programs of PTO: control flow, copies, blocks, several kernels, and VMI. */
#include "support/cmocka_all.h"
#include "support/harness.h"

#include "program/pto_kernel_text.h"
#include "program/pto_running.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define V32 "!pto.vreg<64xf32>"
#define B32 "!pto.mask<b32>"
#define UB  "!pto.ptr<f32, ub>"

/* ---- control flow ---- */

/* A loop may yield its arguments in another order, and may have no iterations. */
static void loops(void **state) {
    static const char body[] =
        "%x = pto.vlds %in_f32[%c0] : " UB " -> " V32 "\n%y = pto.vlds %in_f32[%c64] : " UB " -> " V32 "\n"
        "%a, %b, %n = scf.for %i = %c0 to %c7 step %c2 iter_args(%p = %x, %q = %y, %k = %c0) -> (" V32
        ", " V32 ", index) {\n"
        "  %s = arith.addi %k, %i : index\n"
        "  scf.yield %q, %p, %s : " V32 ", " V32 ", index\n}\n"
        "%c:2 = scf.for %i = %c7 to %c7 step %c1 iter_args(%p = %b, %q = %a) -> (" V32 ", " V32 ") {\n"
        "  %z = pto.vadd %p, %q : " V32 ", " V32 " -> " V32 "\n  scf.yield %z, %z : " V32 ", " V32 "\n}\n"
        "scf.for %i = %c0 to %c2 step %c1 {\n  scf.for %j = %c0 to %c3 step %c1 {\n"
        "    %k = arith.muli %i, %c3 : index\n    %l = arith.addi %k, %j : index\n"
        "    %m = arith.index_cast %l : index to i32\n    pto.store_scalar %m, %out_i32[%l] : !pto.ptr<i32, "
        "ub>, i32\n  }\n}\n"
        "%o = arith.index_cast %n : index to i32\npto.store_scalar %o, %out_i32[%c7] : !pto.ptr<i32, ub>, "
        "i32\n"
        "pto.vsts %a, %out_f32[%c64] : " V32 ", " UB "\npto.vsts %c#0, %out_f32[%c128] : " V32 ", " UB;
    uint32_t in[KERNEL_IN / 4], out[KERNEL_OUT / 4];
    (void)state;
    fill_bytes("kernel loops", in, sizeof in);
    kernel_run(body, in, out);
    assert_memory_equal(out + 64, in, 256); /* exchanged in each of four iterations */
    assert_memory_equal(out + 128, in + 64, 256);
    for (uint32_t i = 0; i < 6; i++) assert_int_equal(out[i], i);
    assert_int_equal(out[7], 0 + 2 + 4 + 6);
}

static void branches(void **state) {
    static const char body[] =
        "%v = pto.load_scalar %in_i32[%c0] : !pto.ptr<i32, ub> -> i32\n%z = arith.constant -5 : i32\n"
        "%less = arith.cmpi slt, %v, %z : i32\n%above = arith.cmpi ugt, %v, %z : i32\n"
        "%r, %s = scf.if %less -> (i32, i32) {\n  %a = arith.constant 1 : i32\n  scf.yield %a, %v : i32, "
        "i32\n} else {\n"
        "  %a = arith.constant 2 : i32\n  scf.yield %a, %z : i32, i32\n}\n"
        "scf.if %above {\n  pto.store_scalar %v, %out_i32[%c2] : !pto.ptr<i32, ub>, i32\n}\n"
        "%t = arith.select %less, %z, %v : i32\n"
        "pto.store_scalar %r, %out_i32[%c0] : !pto.ptr<i32, ub>, i32\n"
        "pto.store_scalar %s, %out_i32[%c1] : !pto.ptr<i32, ub>, i32\n"
        "pto.store_scalar %t, %out_i32[%c3] : !pto.ptr<i32, ub>, i32";
    static const int32_t cases[][5] = {{-9, 1, -9, 0, -5}, {-3, 2, -5, -3, -3}, {8, 2, -5, 0, 8}};
    int32_t in[KERNEL_IN / 4] = {0}, out[KERNEL_OUT / 4];
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        in[0] = cases[i][0];
        kernel_run(body, in, out);
        assert_memory_equal(out, cases[i] + 1, 16);
    }
}

/* Integers wrap modulo 2^bits; floats are rounded to their own type. */
static void scalars(void **state) {
    static const struct {
        const char *operation;
        int64_t wanted; /* the result for 7 and -3 as i32 */
    } cases[] = {{"divsi", -2}, {"remsi", 1}, {"divui", 0},  {"remui", 7}, {"ceildivui", 1}, {"minsi", -3},
                 {"maxsi", 7},  {"minui", 7}, {"maxui", -3}, {"andi", 5},  {"ori", -1},      {"xori", -6},
                 {"shli", 0},   {"shrsi", 0}, {"shrui", 0},  {"subi", 10}, {"muli", -21}};
    unsigned char in[KERNEL_IN] = {0};
    int32_t out[KERNEL_OUT / 4];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char body[400];
        (void)snprintf(
            body, sizeof body,
            "%%a = arith.constant 7 : i32\n%%b = arith.constant -3 : i32\n%%r = arith.%s %%a, %%b : i32\n"
            "%%w = arith.extui %%r : i32 to i64\n%%t = arith.trunci %%w : i64 to i16\n%%u = arith.extsi %%t "
            ": i16 to i32\n"
            "pto.store_scalar %%r, %%out_i32[%%c0] : !pto.ptr<i32, ub>, i32\n"
            "pto.store_scalar %%u, %%out_i32[%%c1] : !pto.ptr<i32, ub>, i32",
            cases[i].operation);
        kernel_run(body, in, out);
        if (out[0] != cases[i].wanted || out[1] != cases[i].wanted)
            fail_msg("%s: %d", cases[i].operation, out[0]);
    }
    kernel_run("%a = arith.constant 1.0 : f32\n%b = arith.constant 3.0 : f32\n%q = arith.divf %a, %b : f32\n"
               "%less = arith.cmpf olt, %q, %a : f32\n%n = arith.constant 0x7FC00000 : f32\n%u = arith.cmpf "
               "ult, %n, %a : f32\n"
               "%l = arith.extui %less : i1 to i32\n%m = arith.extui %u : i1 to i32\n%i = llvm.bitcast %q : "
               "f32 to i32\n"
               "pto.store_scalar %i, %out_i32[%c0] : !pto.ptr<i32, ub>, i32\n"
               "pto.store_scalar %l, %out_i32[%c1] : !pto.ptr<i32, ub>, i32\n"
               "pto.store_scalar %m, %out_i32[%c2] : !pto.ptr<i32, ub>, i32",
               in, out);
    assert_int_equal(out[0], 0x3eaaaaab);
    assert_int_equal(out[1], 1);
    assert_int_equal(out[2], 1);
}

/* Vectors, masks and pointers are arguments and results; a function may be called before it is defined. */
static void calls(void **state) {
    static const char text[] =
        "module attributes {pto.target_arch = \"a5\"} {\nmodule {\n"
        "func.func @k(%in: !pto.ptr<f32, gm>, %n: i32) attributes {pto.aicore} {\n"
        "  %0 = arith.constant 0 : i64\n  %1 = arith.constant 1 : i64\n  %c0 = arith.constant 0 : index\n  "
        "%256 = arith.constant 256 : i64\n"
        "  %p = pto.castptr %0 : i64 -> <f32, ub>\n"
        "  pto.mte_gm_ub %in, %p, %0, %256 nburst(%1, %0, %0) : <f32, gm>, <f32, ub>, i64, i64, i64, i64, "
        "i64\n"
        "  %m, %left = pto.plt_b32 %n : i32 -> " B32 ", i32\n"
        "  %x = pto.vlds %p[%c0] : " UB " -> " V32 "\n"
        "  %a, %o = func.call @twice(%x, %m, %p) : (" V32 ", " B32 ", " UB ") -> (" V32 ", " B32 ")\n"
        "  %b, %q = func.call @twice(%a, %o, %p) : (" V32 ", " B32 ", " UB ") -> (" V32 ", " B32 ")\n"
        "  pto.vsts %b, %p[%c0] : " V32 ", " UB "\n"
        "  pto.mte_ub_gm %p, %in, %256 nburst(%1, %0, %0) : <f32, ub>, <f32, gm>, i64, i64, i64, i64\n  "
        "return\n}\n"
        "func.func private @twice(%x: " V32 ", %m: " B32 ", %p: " UB ") -> (" V32 ", " B32 ") {\n"
        "  %y = pto.vadd %x, %x, %m : " V32 ", " V32 ", " B32 " -> " V32 "\n"
        "  return %y, %m : " V32 ", " B32 "\n}\n}\n}\n";
    float x[64];
    const float *is;
    const int32_t n = 5;
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    pto_program_register r;
    (void)state;
    for (size_t i = 0; i < 64; i++) x[i] = (float)i + 1;
    bind_array(p, "%in", PTO_F32, x, 64);
    bind_array(p, "%n", PTO_S32, &n, 1);
    run_lanes(p, 1);
    is = value_of(p, "%in", PTO_F32, 64);
    for (size_t i = 0; i < 64; i++) assert_true(is[i] == (i < 5 ? 4 * x[i] : 0));
    assert_true(x[10] == 11); /* the caller's array has not changed */
    assert_status(pto_program_register_at(p, 0, &r), PTO_OK);
    assert_true(r.memory && r.input && r.result && strcmp(r.name, "%in") == 0);
    assert_status(pto_program_register_at(p, 1, &r), PTO_OK);
    assert_true(!r.memory && r.input && !r.result && strcmp(r.name, "%n") == 0);
    pto_program_free(p);
}

/* Operations may be in MLIR's generic form, and names may contain a minus sign. */
static void spellings(void **state) {
    static const char body[] =
        "%c-1_f32 = arith.constant -1.0 : f32\n"
        "%x = \"pto.vlds\"(%in_f32, %c0) {dist = \"BRC_B32\"} : (" UB ", index) -> " V32 "\n"
        "%y = pto.mi.vmuls %x, %c-1_f32 : " V32 ", f32 -> " V32 " loc(\"a.py\":1:2)\n"
        "\"pto.vsts\"(%y, %out_f32, %c0) : (" V32 ", " UB ", index) -> () // stored\n"
        "pto.vecscope {\n  pto.strict_vecscope(%y) {\n  ^bb0(%z: " V32 "):\n"
        "    pto.vsts %z, %out_f32[64] : " V32 ", " UB "\n  } : (" V32 ") -> ()\n}";
    float in[KERNEL_IN / 4] = {2.5F}, out[KERNEL_OUT / 4];
    (void)state;
    kernel_run(body, in, out);
    for (size_t i = 0; i < 128; i++) assert_true(out[i] == -2.5F);
}

/* ---- copies ---- */

/* The first loop() is the innermost loop around the rows. A stride is the distance between the starts of two
 * rows. */
static void nested_copies(void **state) {
    static const char body[] =
        "pto.mte_gm_ub %in, %out_ui8, %0, %16 nburst(%2, %32, %64) loop(%2, %512, %128) loop(%3, %1024, "
        "%1024) : !pto.ptr<ui8, gm>, "
        "!pto.ptr<ui8, ub>, i64, i64, i64, i64, i64, loop i64, i64, i64, loop i64, i64, i64";
    unsigned char in[KERNEL_IN], out[KERNEL_OUT], wanted[KERNEL_OUT] = {0};
    (void)state;
    fill_bytes("kernel copies", in, sizeof in);
    kernel_run(body, in, out);
    for (size_t k = 0; k < 3; k++)
        for (size_t j = 0; j < 2; j++)
            for (size_t i = 0; i < 2; i++)
                memcpy(wanted + 1024 * k + 128 * j + 64 * i, in + 1024 * k + 512 * j + 32 * i, 16);
    assert_memory_equal(out, wanted, sizeof out);
}

/* pad() adds elements before and after each row; without counts it fills the last block of 32 bytes of each
 * row. */
static void padded_copies(void **state) {
    static const char body[] = "%v = arith.constant 258 : i16\n"
                               "pto.mte_gm_ub %in, %out_ui8, %0, %8 nburst(%2, %16, %64) pad(%v, %2, %3)\n"
                               "%p = pto.addptr %out_ui8, %c512 : !pto.ptr<ui8, ub> -> !pto.ptr<ui8, ub>\n"
                               "pto.mte_gm_ub %in, %p, %0, %7 nburst(%2, %16, %64) pad(%v)";
    unsigned char in[KERNEL_IN], out[KERNEL_OUT], wanted[1024] = {0};
    (void)state;
    fill_bytes("kernel padding", in, sizeof in);
    kernel_run(body, in, out);
    for (size_t row = 0; row < 2; row++) {
        for (size_t i = 0; i < 18; i++) wanted[64 * row + i] = i % 2 ? 1 : 2;
        memcpy(wanted + 64 * row + 4, in + 16 * row, 8);
        for (size_t i = 7; i < 32; i++) wanted[512 + 64 * row + i] = i % 2 ? 2 : 1;
        memcpy(wanted + 512 + 64 * row, in + 16 * row, 7);
    }
    assert_memory_equal(out, wanted, sizeof wanted);
}

/* The operands of mte_ub_ub count blocks, and gaps between rows. copy_gm_to_ubuf repeats its rows in two
 * loops, which other operations set. */
static void other_copies(void **state) {
    static const char body[] =
        "%false = arith.constant false\n"
        "pto.mte_ub_ub %in_ui8, %out_ui8, %1 nburst(%3, %2, %1)\n"
        "pto.set_loop_size_outtoub %2, %3 : i64, i64\n"
        "pto.set_loop1_stride_outtoub %128, %64 : i64, i64\n"
        "pto.set_loop2_stride_outtoub %512, %256 : i64, i64\n"
        "%p = pto.addptr %out_ui8, %c1024 : !pto.ptr<ui8, ub> -> !pto.ptr<ui8, ub>\n"
        "pto.copy_gm_to_ubuf %in, %p, %0, %2, %8, %7, %7, %false, %0, %32, %16\n"
        "  : !pto.ptr<ui8, gm>, !pto.ptr<ui8, ub>, i64, i64, i64, i64, i64, i1, i64, i64, i64";
    unsigned char in[KERNEL_IN], out[KERNEL_OUT], wanted[1024] = {0};
    (void)state;
    fill_bytes("kernel others", in, sizeof in);
    kernel_run(body, in, out);
    for (size_t i = 0; i < 3; i++) assert_memory_equal(out + 64 * i, in + 96 * i, 32);
    for (size_t k = 0; k < 3; k++)
        for (size_t j = 0; j < 2; j++)
            for (size_t i = 0; i < 2; i++)
                memcpy(wanted + 256 * k + 64 * j + 16 * i, in + 512 * k + 128 * j + 32 * i, 8);
    assert_memory_equal(out + 1024, wanted, sizeof wanted);
}

/* ---- blocks and kernels ---- */

/* A block loads what earlier blocks stored in global memory, and its unified buffer is zero at first. */
static void blocks(void **state) {
    static const char text[] =
        "func.func @k(%sum: !pto.ptr<i64, gm>) {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 "
        ": index\n"
        "  %0 = arith.constant 0 : i64\n  %b = pto.get_block_idx\n  %n = pto.get_block_num : i64\n  %s = "
        "pto.get_subblock_num\n"
        "  %p = pto.castptr %0 : i64 -> !pto.ptr<i64, ub>\n  %u = pto.load_scalar %p[%c0] : !pto.ptr<i64, "
        "ub> -> i64\n"
        "  pto.store_scalar %n, %p[%c0] : !pto.ptr<i64, ub>, i64\n"
        "  %v = pto.load_scalar %sum[%c0] : !pto.ptr<i64, gm> -> i64\n  %w = arith.muli %v, %n : i64\n"
        "  %x = arith.addi %w, %b : i64\n  %y = arith.addi %x, %u : i64\n  %z = arith.addi %y, %s : i64\n"
        "  pto.store_scalar %z, %sum[%c0] : !pto.ptr<i64, gm>, i64\n  return\n}\n";
    const int64_t sum[2] = {1, 77}, wanted[2] = {((1 * 3 + 1) * 3 + 1 + 1) * 3 + 2 + 1, 77};
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    (void)state;
    bind_array(p, "%sum", PTO_S64, sum, 2);
    assert_status(pto_program_run(p, 0), PTO_ERR_SIZE);
    for (size_t k = 0; k < 2; k++) { /* each run starts from the bound array */
        run_lanes(p, 3);
        check_value(p, "%sum", PTO_S64, wanted, 2);
    }
    pto_program_free(p);
}

static void two_kernels(void **state) {
    static const char text[] =
        "func.func @one(%a: !pto.ptr<i32, gm>) attributes {pto.kernel} {\n  %c0 = arith.constant 0 : index\n"
        "  %v = arith.constant 1 : i32\n  pto.store_scalar %v, %a[%c0] : !pto.ptr<i32, gm>, i32\n  "
        "return\n}\n"
        "func.func @two(%a: !pto.ptr<i32, gm>) attributes {pto.kernel} {\n  %c0 = arith.constant 0 : index\n"
        "  %v = arith.constant 2 : i32\n  pto.store_scalar %v, %a[%c0] : !pto.ptr<i32, gm>, i32\n  "
        "return\n}\n";
    const int32_t zero = 0, one = 1, two = 2;
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    (void)state;
    assert_int_equal(pto_program_register_count(p), 0);
    assert_status(pto_program_run(p, 1), PTO_ERR_PARSE);
    assert_string_equal(pto_program_problem(p)->text,
                        "the text has several kernels, and none was chosen: one, two");
    assert_status(pto_program_kernel(p, "three"), PTO_ERR_PARSE);
    assert_status(pto_program_kernel(NULL, "one"), PTO_ERR_NULL);
    assert_status(pto_program_kernel(p, "two"), PTO_OK);
    bind_array(p, "%a", PTO_S32, &zero, 1);
    run_lanes(p, 1);
    check_value(p, "%a", PTO_S32, &two, 1);
    assert_status(pto_program_kernel(p, "one"), PTO_OK);
    assert_status(pto_program_run(p, 1), PTO_ERR_PARSE); /* each kernel has its own arguments */
    assert_string_equal(pto_program_problem(p)->text, "%a is an argument, and nothing is bound to it");
    bind_array(p, "%a", PTO_S32, &zero, 1);
    run_lanes(p, 1);
    check_value(p, "%a", PTO_S32, &one, 1);
    pto_program_free(p);
}

static void binding(void **state) {
    char text[KERNEL_TEXT];
    static const unsigned char bytes[KERNEL_IN];
    pto_program *p;
    kernel_text("", text);
    p = program_of(text, PTO_PROFILE_PTX);
    (void)state;
    assert_status(pto_program_bind(p, "%in", PTO_F16, bytes, 1), PTO_ERR_TYPE);
    assert_status(pto_program_bind(p, "%x", PTO_U8, bytes, 1), PTO_ERR_PARSE);
    assert_status(pto_program_bind(p, "%in", PTO_E4M3, bytes, KERNEL_IN),
                  PTO_OK); /* every type of this width is allowed */
    bind_array(p, "%out", PTO_S8, bytes, KERNEL_OUT);
    run_lanes(p, 1);
    (void)value_of(p, "%in", PTO_E4M3, KERNEL_IN);
    (void)value_of(p, "%out", PTO_S8, KERNEL_OUT);
    pto_program_free(p);
}

static void trace_line(void *user, const pto_program_step *step) {
    char *text = user;
    (void)snprintf(text + strlen(text), 200 - strlen(text), "%s %zu;", step->name, step->lanes);
}

static bool stop_at_once(void *user) {
    ++*(int *)user;
    return true;
}

static void callbacks(void **state) {
    static const unsigned char in[KERNEL_IN];
    unsigned char out[KERNEL_OUT];
    char said[200] = "", text[KERNEL_TEXT];
    int asked = 0;
    pto_program *p = kernel_run_with("%m = pto.pset_b16 \"PAT_ALL\" : !pto.mask<b16>\n"
                                     "%x = pto.vlds %in_f32[%c0] : " UB " -> " V32,
                                     (pto_program_options){.trace = trace_line, .user = said}, in, out);
    (void)state;
    assert_string_equal(said, "%m 128;%x 64;");
    pto_program_free(p);
    kernel_text("", text);
    p = pto_program_new(text, (pto_program_options){.stop = stop_at_once, .user = &asked}, NULL);
    assert_non_null(p);
    bind_array(p, "%in", PTO_U8, in, KERNEL_IN);
    bind_array(p, "%out", PTO_U8, in, KERNEL_OUT);
    run_lanes(p, 1); /* options.stop is not called before the first block */
    assert_int_equal(asked, 0);
    assert_status(pto_program_run(p, 3), PTO_ERR_STOPPED);
    assert_int_equal(asked, 1);
    pto_program_free(p);
}

/* ---- VMI ---- */

#define W    "!pto.vmi.vreg<96xf32>"
#define WI   "!pto.vmi.vreg<96xi32>"
#define MASK "!pto.vmi.mask<96xpred>"

static void vmi_lanes(void **state) {
    static const char body[] =
        "%n = arith.constant 70 : index\n%m = pto.vmi.create_mask %n : index -> " MASK "\n"
        "%g = pto.vmi.create_group_mask %c3 {num_groups = 12, group_size = 8} : index -> " MASK "\n"
        "%x = pto.vmi.vload %in_f32[%c1] : " UB " -> " W "\n"
        "%y = pto.vmi.vload %in_f32[%c0], %c16 {group = 12} : " UB ", index -> " W "\n"
        "%s = pto.vmi.vadd %x, %y, %m {pmode = \"zero\"} : " W ", " W ", " MASK " -> " W "\n"
        "pto.vmi.vstore %s, %out_f32[%c0] : " W ", " UB "\n"
        "%r = pto.vmi.vsel %m, %x, %y {pmode = \"merge\"} : " MASK ", " W ", " W " -> " W "\n"
        "pto.vmi.vstore %r, %out_f32[%c128], %g : " W ", " UB ", " MASK "\n"
        "%a = pto.vmi.vcadd %x, %g {group = 12, reassoc} : " W ", " MASK " -> !pto.vmi.vreg<12xf32>\n"
        "%b = pto.vmi.vbrc %a {group = 12} : !pto.vmi.vreg<12xf32> -> " W "\n"
        "pto.vmi.vstore %b, %out_f32[%c256] : " W ", " UB "\n"
        "%i = pto.vmi.vinterpret_cast %x : " W " -> " WI "\n"
        "%z = arith.constant 0 : i32\n%zs = pto.vmi.vbrc %z : i32 -> " WI "\n"
        "%l = pto.vmi.vcmp %i, %zs, %m {cmp = \"lt\"} : " WI ", " WI ", " MASK " -> " MASK "\n"
        "%o = arith.constant 1 : i32\n%os = pto.vmi.vbrc %o : i32 -> " WI "\n"
        "%gt = pto.vmi.vcmp %i, %os, %m {cmp = \"gt\"} : " WI ", " WI ", " MASK " -> " MASK "\n"
        "%e = pto.vmi.vsel %gt, %os, %zs : " MASK ", " WI ", " WI " -> " WI "\n"
        "pto.vmi.vstore %e, %out_i32[%c512] : " WI ", !pto.ptr<i32, ub>\n"
        "%f = pto.vmi.vsel %l, %os, %zs : " MASK ", " WI ", " WI " -> " WI "\n"
        "%c640 = arith.constant 640 : index\n"
        "pto.vmi.vstore %f, %out_i32[%c640] : " WI ", !pto.ptr<i32, ub>";
    float in[KERNEL_IN / 4], out[KERNEL_OUT / 4];
    int32_t flags[KERNEL_OUT / 4];
    (void)state;
    for (size_t i = 0; i < KERNEL_IN / 4; i++) in[i] = (float)((int)(i * 37 % 101) - 50) * 0.25F;
    kernel_run(body, in, out);
    memcpy(flags, out, sizeof flags);
    for (size_t i = 0; i < 96; i++) {
        const float x = in[1 + i], y = in[i / 8 * 16 + i % 8];
        const size_t first = 1 + i / 8 * 8;
        assert_true(out[i] == (i < 70 ? x + y : 0));
        assert_true(out[128 + i] == (i % 8 >= 3 ? 0 : i < 70 ? x : y));
        assert_true(out[256 + i] == in[first] + in[first + 1] + in[first + 2]);
        assert_int_equal(flags[512 + i],
                         i < 70 && x != 0 ? 1
                                          : 0); /* iN is compared as unsigned, so a negative value is large */
        assert_int_equal(flags[640 + i], 0);
    }
}

/* Tests VMI's modes of loads and stores, conversions, extrema and histograms. */
static void vmi_others(void **state) {
    static const char body[] =
        "%x = pto.vmi.vload %in_ui8[%c0] {dist_mode = \"unpack\"} : !pto.ptr<ui8, ub> -> "
        "!pto.vmi.vreg<40xui16>\n"
        "pto.vmi.vstore %x, %out_ui16[%c0] : !pto.vmi.vreg<40xui16>, !pto.ptr<ui16, ub>\n"
        "%y = pto.vmi.vload %in_f32[%c3] {dist_mode = \"brc\"} : " UB " -> !pto.vmi.vreg<6xf32>\n"
        "pto.vmi.vstore %y, %out_f32[%c32] : !pto.vmi.vreg<6xf32>, " UB "\n"
        "%s = arith.constant 3 : i16\n"
        "%z = pto.vmi.vload %in_f32[%c0], %s : " UB ", i16 -> !pto.vmi.vreg<16xf32>\n"
        "pto.vmi.vstore %z, %out_f32[%c64] : !pto.vmi.vreg<16xf32>, " UB "\n"
        "%h = pto.vmi.vcvt %z {saturate = \"NOSAT\"} : !pto.vmi.vreg<16xf32> -> !pto.vmi.vreg<16xf16>\n"
        "pto.vmi.vstore %h, %out_f16[%c256] : !pto.vmi.vreg<16xf16>, !pto.ptr<f16, ub>\n"
        "%a = pto.vmi.create_mask %c16 : index -> !pto.vmi.mask<16>\n"
        "%m = pto.vmi.vcmax %z, %a {group = 2} : !pto.vmi.vreg<16xf32>, !pto.vmi.mask<16> -> "
        "!pto.vmi.vreg<2xf32>\n"
        "pto.vmi.vstore %m, %out_f32[%c256] : !pto.vmi.vreg<2xf32>, " UB "\n"
        "%b = pto.vmi.vload %in_ui8[%c0] : !pto.ptr<ui8, ub> -> !pto.vmi.vreg<300xui8>\n"
        "%c280 = arith.constant 280 : index\n%p = pto.vmi.create_mask %c280 : index -> "
        "!pto.vmi.mask<300xpred>\n"
        "%zero = arith.constant 0 : i16\n%acc = pto.vmi.vbrc %zero : i16 -> !pto.vmi.vreg<256xui16>\n"
        "%d = pto.vmi.vdhist %acc, %b, %p : !pto.vmi.vreg<256xui16>, !pto.vmi.vreg<300xui8>, "
        "!pto.vmi.mask<300xpred> -> !pto.vmi.vreg<256xui16>\n"
        "%e = pto.vmi.vchist %d, %b, %p : !pto.vmi.vreg<256xui16>, !pto.vmi.vreg<300xui8>, "
        "!pto.vmi.mask<300xpred> -> !pto.vmi.vreg<256xui16>\n"
        "pto.vmi.vstore %d, %out_ui16[%c1024] : !pto.vmi.vreg<256xui16>, !pto.ptr<ui16, ub>\n"
        "%c1280 = arith.constant 1280 : index\n"
        "pto.vmi.vstore %e, %out_ui16[%c1280] : !pto.vmi.vreg<256xui16>, !pto.ptr<ui16, ub>";
    unsigned char in[KERNEL_IN], out[KERNEL_OUT];
    uint16_t words[KERNEL_OUT / 2];
    float floats[1024], largest[2] = {-INFINITY, -INFINITY};
    (void)state;
    fill_bytes("kernel vmi", in, sizeof in);
    for (size_t i = 0; i < 64; i++) {
        floats[i] = (float)i - 20;
        memcpy(in + 4 * i, &floats[i], 4);
    }
    kernel_run(body, in, out);
    memcpy(words, out, sizeof words);
    memcpy(floats, out, sizeof out);
    for (size_t i = 0; i < 40; i++) assert_int_equal(words[i], in[i]);
    for (size_t i = 0; i < 6; i++) assert_true(floats[32 + i] == -17);
    for (size_t i = 0; i < 16; i++) {
        const float x = (float)(int)(i / 8 * 24 + i % 8) - 20;
        assert_true(floats[64 + i] == x);
        if (x > largest[i / 8]) largest[i / 8] = x;
    }
    assert_int_equal(words[256], 0xcd00); /* -20 */
    assert_memory_equal(floats + 256, largest, sizeof largest);
    for (size_t b = 0; b < 256; b++) {
        uint16_t equal = 0, most = 0;
        for (size_t i = 0; i < 280; i++) {
            equal += in[i] == b;
            most += in[i] <= b;
        }
        assert_int_equal(words[1024 + b], equal);
        assert_int_equal(words[1280 + b], equal + most);
    }
}

/* A shift of iN to the right copies the sign bit, except in VMI. */
static void shifts_of_signless(void **state) {
    static const char body[] =
        "%n = arith.constant 4 : i32\n"
        "%x = pto.vlds %in_i32[%c0] : !pto.ptr<i32, ub> -> !pto.vreg<64xi32>\n"
        "%a = pto.vshrs %x, %n : !pto.vreg<64xi32>, i32 -> !pto.vreg<64xi32>\n"
        "pto.vsts %a, %out_i32[%c0] : !pto.vreg<64xi32>, !pto.ptr<i32, ub>\n"
        "%y = pto.vmi.vload %in_i32[%c0] : !pto.ptr<i32, ub> -> !pto.vmi.vreg<64xi32>\n"
        "%b = pto.vmi.vshrs %y, %n : !pto.vmi.vreg<64xi32>, i32 -> !pto.vmi.vreg<64xi32>\n"
        "pto.vmi.vstore %b, %out_i32[%c64] : !pto.vmi.vreg<64xi32>, !pto.ptr<i32, ub>";
    uint32_t in[KERNEL_IN / 4], out[KERNEL_OUT / 4];
    (void)state;
    fill_bytes("kernel signless", in, sizeof in);
    in[0] = 0x80000000;
    kernel_run(body, in, out);
    for (size_t i = 0; i < 64; i++) {
        assert_int_equal(out[i], in[i] >> 4 | (in[i] >> 31 ? 0xf0000000 : 0));
        assert_int_equal(out[64 + i], in[i] >> 4);
    }
}

/* If an operand is a NaN, relations such as eq give the results of the chip or those of VMI's page. */
static void vmi_unordered(void **state) {
    static const char *const modes[] = {"eq", "ne", "lt", "one", "oge"};
    static const bool chip[] = {false, true, false, true, false}, page[] = {true, true, true, false, false};
    float in[KERNEL_IN / 4] = {NAN}, out[KERNEL_OUT / 4];
    (void)state;
    for (size_t k = 0; k < 5; k++)
        for (int as_page = 0; as_page < 2; as_page++) {
            char body[800];
            (void)snprintf(body, sizeof body,
                           "%%m = pto.vmi.pset \"PAT_ALL\" : !pto.vmi.mask<1>\n"
                           "%%x = pto.vmi.vload %%in_f32[%%c0] : " UB " -> !pto.vmi.vreg<1xf32>\n"
                           "%%y = pto.vmi.vload %%in_f32[%%c1] : " UB " -> !pto.vmi.vreg<1xf32>\n"
                           "%%p = pto.vmi.vcmp %%x, %%y, %%m {cmp = \"%s\"} : !pto.vmi.vreg<1xf32>, "
                           "!pto.vmi.vreg<1xf32>, "
                           "!pto.vmi.mask<1> -> !pto.vmi.mask<1>\n"
                           "pto.vmi.vstore %%y, %%out_f32[%%c0], %%p : !pto.vmi.vreg<1xf32>, " UB
                           ", !pto.vmi.mask<1>",
                           modes[k]);
            in[1] = 3;
            pto_program_free(kernel_run_with(
                body,
                (pto_program_options){.profile = PTO_PROFILE_A5,
                                      .vmi_compare = as_page ? PTO_VMI_COMPARE_PAGE : PTO_VMI_COMPARE_CHIP},
                in, out));
            if ((out[0] == 3) != (as_page ? page[k] : chip[k])) fail_msg("%s, page %d", modes[k], as_page);
        }
}

int main(int argc, char **argv) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops),         cmocka_unit_test(branches),
        cmocka_unit_test(scalars),       cmocka_unit_test(calls),
        cmocka_unit_test(spellings),     cmocka_unit_test(nested_copies),
        cmocka_unit_test(blocks),        cmocka_unit_test(padded_copies),
        cmocka_unit_test(other_copies),  cmocka_unit_test(binding),
        cmocka_unit_test(two_kernels),   cmocka_unit_test(callbacks),
        cmocka_unit_test(vmi_lanes),     cmocka_unit_test(vmi_others),
        cmocka_unit_test(vmi_unordered), cmocka_unit_test(shifts_of_signless),
    };
    const int status = harness_start(argc, argv);
    if (status) return status;
    return harness_end(cmocka_run_group_tests_name("pto_kernel_programs", tests, NULL, NULL));
}
