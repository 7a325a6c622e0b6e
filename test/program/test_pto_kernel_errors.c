/* SPDX-License-Identifier: MIT */
/* Tests the errors of kernel programs: accesses out of bounds, refused operations, errors of options.strict,
 * and invalid texts. */
#include "support/cmocka_all.h"
#include "support/harness.h"

#include "program/pto_kernel_text.h"
#include "program/pto_running.h"

#include <stdio.h>
#include <string.h>

#define UB   "!pto.ptr<f32, ub>"
#define V32  "!pto.vreg<64xf32>"
#define B32  "!pto.mask<b32>"
#define LOAD "%x = pto.vlds %in_f32[%c0] : " UB " -> " V32 "\n"
#define FAR  "%far = arith.constant 262140 : i64\n%p = pto.castptr %far : i64 -> " UB "\n"

struct wrong {
    const char *body;
    size_t line, column;
    const char *word, *text;
};

/* Each kind of access out of bounds is reported with line and column of the operation, the name of the
 * pointer, and the access. */
static void out_of_bounds(void **state) {
    static const struct wrong cases[] = {
        {FAR "%x = pto.vlds %p[%c0] : " UB " -> " V32, 3, 6, "%p",
         "lane 1 reads 4 bytes at ub + 262144, past its end (262144 bytes)"},
        {FAR "%x = pto.vlds %p[%c64] : " UB " -> " V32, 3, 6, "%p",
         "lane 0 reads 4 bytes at ub + 262396, past its end (262144 bytes)"},
        {"%n = arith.constant -4 : index\n%x = pto.vlds %in_f32[%n] : " UB " -> " V32, 2, 6, "%in_f32",
         "lane 0 reads 4 bytes at ub - 16, before its start"},
        {FAR LOAD "pto.vsts %x, %p[%c0] : " V32 ", " UB, 4, 1, "%p",
         "lane 1 writes 4 bytes at ub + 262144, past its end (262144 bytes)"},
        {FAR LOAD "%m = pto.pset_b32 \"PAT_M3\" : " B32 "\npto.vsts %x, %p[%c0], %m : " V32 ", " UB ", " B32,
         5, 1, "%p", "lane 3 writes 4 bytes at ub + 262152, past its end (262144 bytes)"},
        {FAR "%a, %b = pto.vldsx2 %p[%c0], \"DINTLV_B32\" : " UB ", index -> " V32 ", " V32, 3, 10, "%p",
         "lane 1 reads 4 bytes at ub + 262144, past its end (262144 bytes)"},
        {FAR LOAD "pto.vstsx2 %x, %x, %p[%c0], \"INTLV_B32\" : " V32 ", " V32 ", " UB ", index", 4, 1, "%p",
         "lane 1 writes 4 bytes at ub + 262144, past its end (262144 bytes)"},
        {"%s = arith.constant 8192 : i16\n%t = arith.constant 0 : i16\n%x = pto.vsldb %in_f32, %s, %t : " UB
         ", i16, i16 -> " V32,
         3, 6, "%in_f32", "block 1 reads 32 bytes at ub + 262144, past its end (262144 bytes)"},
        {LOAD
         "%s = arith.constant 8192 : i16\n%t = arith.constant 0 : i16\npto.vsstb %x, %in_f32, %s, %t : " V32
         ", " UB ", i16, i16",
         4, 1, "%in_f32", "block 1 writes 32 bytes at ub + 262144, past its end (262144 bytes)"},
        {"%b = arith.constant 65536 : i32\n%i = pto.vbr %b : i32 -> !pto.vreg<64xi32>\n%m = pto.pset_b32 "
         "\"PAT_ALL\" : " B32 "\n%x = pto.vgather2 %in_f32, %i, %m : " UB ", !pto.vreg<64xi32>, " B32
         " -> " V32,
         4, 6, "%in_f32", "lane 0 reads 4 bytes at ub + 262144, past its end (262144 bytes)"},
        {"%b = arith.constant 32 : i32\n%i = pto.vci %b : i32 -> !pto.vreg<64xi32>\n%m = pto.pset_b32 "
         "\"PAT_ALL\" : " B32 "\n%x = pto.vgatherb %in_f32, %i, %m : " UB ", !pto.vreg<64xi32>, " B32
         " -> " V32,
         4, 6, "%in_f32", "offset 1 is 33, no multiple of 32"},
        {LOAD "%b = arith.constant -1 : i32\n%i = pto.vbr %b : i32 -> !pto.vreg<64xi32>\n"
              "pto.vscatter %x, %in_f32, %i : " V32 ", " UB ", !pto.vreg<64xi32>",
         4, 1, "%in_f32", "lane 0 writes 4 bytes at ub + 17179869180, past its end (262144 bytes)"},
        {FAR "%a = pto.vldas %p : " UB " -> !pto.align\n%x, %b = pto.vldus %p, %a : " UB
             ", !pto.align -> " V32 ", !pto.align",
         4, 10, "%p", "lane 1 reads 4 bytes at ub + 262144, past its end (262144 bytes)"},
        {FAR "%m = pto.plds %p[%c0], \"US\" : " UB ", index -> " B32, 3, 6, "%p",
         "lane 4 reads 1 bytes at ub + 262144, past its end (262144 bytes)"},
        {FAR "%v = pto.load_scalar %p[%c1] : " UB " -> f32", 3, 6, "%p",
         "the operation reads 4 bytes at ub + 262144, past its end (262144 bytes)"},
        {"%g = pto.castptr %in : !pto.ptr<ui8, gm> -> !pto.ptr<f32, gm>\n%v = arith.constant 1.0 : f32\n"
         "pto.store_scalar %v, %g[%c1024] : !pto.ptr<f32, gm>, f32",
         3, 1, "%g", "the operation writes 4 bytes at %in + 4096, past its end (4096 bytes)"},
        {"pto.mte_gm_ub %in, %in_ui8, %0, %2048 nburst(%3, %2048, %2048)", 1, 1, "%in",
         "row 2 of the copy reads 2048 bytes at %in + 4096, past its end (4096 bytes)"},
        {FAR "pto.mte_gm_ub %in, %p, %0, %4 nburst(%3, %0, %4)", 3, 1, "%p",
         "row 1 of the copy writes 4 bytes at ub + 262144, past its end (262144 bytes)"},
        {"%n = arith.constant -32 : i64\npto.mte_ub_gm %in_ui8, %out, %32 nburst(%2, %0, %n)", 2, 1, "%out",
         "row 1 of the copy writes 32 bytes at %out - 32, before its start"},
        {"%x = pto.vmi.vload %in_f32[%c0], %c8192 {group = 16} : " UB ", index -> !pto.vmi.vreg<64xf32>", 1,
         6, "%in_f32", "lane 32 reads 4 bytes at ub + 262144, past its end (262144 bytes)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        kernel_fails(cases[i].body, (pto_program_options){.strict = false}, cases[i].line, cases[i].column,
                     cases[i].word, cases[i].text);
}

/* Lanes that are off access no memory. */
static void off_lanes_are_free(void **state) {
    static const char body[] = FAR LOAD
        "%m = pto.pset_b32 \"PAT_VL1\" : " B32 "\npto.vsts %x, %p[%c0], %m : " V32 ", " UB ", " B32
        "\n%none = pto.pset_b32 \"PAT_ALLF\" : " B32 "\npto.vsts %x, %p[%c64], %none : " V32 ", " UB ", " B32;
    static const unsigned char in[KERNEL_IN];
    unsigned char out[KERNEL_OUT];
    (void)state;
    kernel_run(body, in, out);
}

static void other_failures(void **state) {
    static const struct wrong cases[] = {
        {"%z = arith.constant 0 : i32\n%o = arith.constant 1 : i32\n%q = arith.divsi %o, %z : i32", 3, 6,
         "arith.divsi", "division by zero"},
        {"%x = pto.vlds %in_i32[%c0] : !pto.ptr<i32, ub> -> !pto.vreg<64xi32>\n"
         "%q = pto.vdiv %x, %x : !pto.vreg<64xi32>, !pto.vreg<64xi32> -> !pto.vreg<64xi32>",
         2, 6, "pto.vdiv", "lane 0 divides by zero"},
        {"scf.for %i = %c0 to %c4 step %c0 {\n}", 1, 1, "scf.for", "the step of the loop is 0, not positive"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        kernel_fails(cases[i].body, (pto_program_options){.strict = false}, cases[i].line, cases[i].column,
                     cases[i].word, cases[i].text);
    kernel_fails("scf.for %i = %c0 to %c4096 step %c1 {\n}", (pto_program_options){.max_steps = 1000}, 1, 1,
                 "scf.for", "the run took more than 1000 operations");
    kernel_fails("scf.for %i = %c0 to %c4096 step %c1 {\n  %j = arith.addi %i, %i : index\n}",
                 (pto_program_options){.max_steps = 1000}, 2, 8, "arith.addi",
                 "the run took more than 1000 operations");
    kernel_fails(
        "%n = arith.constant 4611686018427387904 : i64\npto.mte_ub_gm %in_ui8, %out, %0 nburst(%n, %0, %0)",
        (pto_program_options){.max_steps = 1000}, 2, 1, "pto.mte_ub_gm",
        "the run took more than 1000 operations");
}

static void strict_runs(void **state) {
    static const struct wrong cases[] = {
        {"%p = pto.addptr %in_f32, %c1 : " UB " -> " UB "\n%x = pto.vlds %p[%c0] : " UB " -> " V32, 2, 6,
         "%p", "ub + 4 is not at a multiple of 32 bytes"},
        {LOAD "pto.vsts %x, %out_f32[%c1] : " V32 ", " UB, 2, 1, "%out_f32",
         "ub + 8196 is not at a multiple of 32 bytes"},
        {"%p = pto.addptr %in_ui8, %c16 : !pto.ptr<ui8, ub> -> !pto.ptr<ui8, ub>\n"
         "pto.mte_ub_gm %p, %out, %8 nburst(%1, %0, %0)",
         2, 1, "%p", "ub + 16 is not at a multiple of 32 bytes"},
        {"%x = pto.vlds %in_f32[%c1024] : " UB " -> " V32, 1, 6, "%in_f32",
         "lane 0 reads ub + 4096, which nothing has written"},
        {"pto.set_flag[\"PIPE_V\", \"PIPE_MTE3\", \"EVENT_ID0\"]\npto.wait_flag[\"PIPE_V\", \"PIPE_MTE3\", "
         "\"EVENT_ID1\"]",
         2, 1, "pto.wait_flag", "no set_flag of the same three names precedes it"},
    };
    static const char fine[] = "pto.set_flag[\"PIPE_V\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"
                               "pto.wait_flag[\"PIPE_V\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n" LOAD
                               "pto.vsts %x, %out_f32[%c8] : " V32 ", " UB;
    static const char twice[] = "%a = pto.init_align : !pto.align\n"
                                "%x, %b = pto.vldus %in_f32, %a : " UB ", !pto.align -> " V32 ", !pto.align\n"
                                "%y, %c = pto.vldus %in_f32, %a : " UB ", !pto.align -> " V32 ", !pto.align";
    static const unsigned char in[KERNEL_IN];
    unsigned char out[KERNEL_OUT];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kernel_run(cases[i].body, in, out);
        kernel_fails(cases[i].body, (pto_program_options){.strict = true}, cases[i].line, cases[i].column,
                     cases[i].word, cases[i].text);
    }
    kernel_run(twice, in, out);
    kernel_refused(twice, (pto_program_options){.strict = true}, 3, 29, "%a",
                   "this !pto.align was used before; each use makes a new one");
    pto_program_free(kernel_run_with(fine, (pto_program_options){.strict = true}, in, out));
}

static const char matrix[] = "matrix unit: this runner has the vector unit and its buffer only";
static const char simt[] = "SIMT function: not a vector program; write it as PTX or with vector operations";
static const char atomic[] =
    "atomic access: blocks run one after the other here, and adding in place is not modelled";
static const char cores[] = "cross-core synchronisation: one core runs here";
static const char control[] = "control registers: their bits change arithmetic in ways that are not public";
static const char sorting[] = "sorting instructions: not yet";

static void refusals(void **state) {
    static const struct wrong cases[] = {
        {"pto.mad %a, %b, %c", 1, 1, "pto.mad", matrix},
        {"pto.mad_mx_acc %a", 1, 1, "pto.mad_mx_acc", matrix},
        {"pto.mte_gm_l1 %in, %a", 1, 1, "pto.mte_gm_l1", matrix},
        {"pto.mte_l1_l0a %in, %a", 1, 1, "pto.mte_l1_l0a", matrix},
        {"pto.mte_l0c_ub %in, %a", 1, 1, "pto.mte_l0c_ub", matrix},
        {"pto.load_cbuf_to_ca %in", 1, 1, "pto.load_cbuf_to_ca", matrix},
        {"pto.copy_gm_to_cbuf %in", 1, 1, "pto.copy_gm_to_cbuf", matrix},
        {"pto.section.cube {\n}", 1, 1, "pto.section.cube", matrix},
        {"%a = pto.castptr %0 : i64 -> !pto.ptr<f16, l1>", 1, 44, "l1", matrix},
        {"pto.simt_launch @f<<<%0, %0, %0>>>() : () -> ()", 1, 1, "pto.simt_launch", simt},
        {"%a = pto.get_tid_x : i32", 1, 6, "pto.get_tid_x", simt},
        {"%a = pto.vote_all %b : i1 -> i1", 1, 6, "pto.vote_all", simt},
        {"%a = pto.load %in_f32[%c0] : " UB " -> f32", 1, 6, "pto.load", simt},
        {"%a = pto.exp %b : f32 -> f32", 1, 6, "pto.exp", simt},
        {"pto.keep %a {slot = 0 : i64} : i32", 1, 1, "pto.keep", simt},
        {"%a = pto.atomic_add %p, %v : " UB ", f32 -> f32", 1, 6, "pto.atomic_add", atomic},
        {"pto.set_atomic_add", 1, 1, "pto.set_atomic_add", atomic},
        {"pto.sync.set <PIPE_FIX>, 1", 1, 1, "pto.sync.set", cores},
        {"pto.wait_intra_block <PIPE_FIX>, 1", 1, 1, "pto.wait_intra_block", cores},
        {"%a = pto.get_ctrl : i64", 1, 6, "pto.get_ctrl", control},
        {"%a = pto.sbitset1 %0, %1 : i64, i64 -> i64", 1, 6, "pto.sbitset1", control},
        {"pto.vbitsort %a, %b, %c, %d", 1, 1, "pto.vbitsort", sorting},
        {"pto.vmrgsort4 %a", 1, 1, "pto.vmrgsort4", sorting},
        {"pto.set_mov_pad_val %0 : i64", 1, 1, "pto.set_mov_pad_val",
         "set_mov_pad_val: its meaning is not public"},
        {"func.call @missing(%c0) : (index) -> ()", 1, 12, "missing",
         "external function missing: its body is not in this text"},
        {"%x = pto.vlds %in_f32[%c0] {dist = \"SPLT4CHN\"} : " UB " -> " V32, 1, 36, "\"SPLT4CHN\"",
         "SPLT4CHN: its meaning is not public"},
        {LOAD "pto.vsts %x, %out_f32[%c0] {dist = \"MRG2CHN_B8\"} : " V32 ", " UB, 2, 36, "\"MRG2CHN_B8\"",
         "MRG2CHN: its meaning is not public"},
        {LOAD "%y = pto.vcvt %x {rnd = \"H\", part = \"P0\"} : " V32 " -> !pto.vreg<256xf8E4M3FN>", 2, 6,
         "pto.vcvt", "H: its meaning is not public"},
        {"%x = pto.vmi.vload %in_f32[%c0] : " UB " -> !pto.vmi.vreg<64xf32, #pto.layout<x>>", 1, 78, "#",
         "layout: its meaning is not public"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        kernel_refused(cases[i].body, (pto_program_options){.strict = false}, cases[i].line, cases[i].column,
                       cases[i].word, cases[i].text);
    kernel_refused("pto.set_atomic_none\n%x = pto.vfoo %x", (pto_program_options){.strict = false}, 2, 6,
                   "pto.vfoo", "unknown operation");
}

#define VMI "!pto.vmi.vreg<8xf32>"
#define LOAD_VMI                                                                                             \
    "%x = pto.vmi.vload %in_f32[%c0] : " UB " -> " VMI                                                       \
    "\n%m = pto.vmi.create_mask %c4 : index -> !pto.vmi.mask<8>\n"

static void wrong_texts(void **state) {
    static const struct wrong cases[] = {
        {LOAD "/* no end", 2, 1, "/*", "this comment has no end: expected '*/' further on"},
        {"%x = pto.vadds %y", 1, 16, "%y", "expected a value: nothing above gives it this name"},
        {"%x = pto.vld %in_f32[%c0]", 1, 6, "pto.vld", "unknown operation; perhaps pto.vlds is meant"},
        {"%x = pto.vmi.vlod %in_f32[%c0]", 1, 6, "pto.vmi.vlod",
         "unknown operation; perhaps pto.vmi.vload is meant"},
        {"%m = pto.pset_b64 \"PAT_ALL\"", 1, 6, "pto.pset_b64",
         "unknown operation; perhaps pto.pset_b8, _b16 or _b32 is meant"},
        {LOAD LOAD, 2, 1, "%x", "expected a new name: this one is made in line 62"},
        {LOAD "%y = pto.vadd %x : " V32 " -> " V32, 2, 6, "pto.vadd",
         "expected 2 to 3 operands; 1 stand here"},
        {LOAD "%m = pto.pset_b16 \"PAT_ALL\" : !pto.mask<b16>\n%y = pto.vadd %x, %x, %m : " V32 ", " V32
              ", !pto.mask<b16> -> " V32,
         3, 23, "%m", "expected !pto.mask<b32>; this is !pto.mask<b16>"},
        {LOAD "%y = pto.vadd %x, %x : " V32 ", !pto.vreg<64xi32> -> " V32, 2, 43, "!pto.vreg<64xi32>",
         "expected !pto.vreg<64xf32>; this is !pto.vreg<64xi32>"},
        {LOAD "%y = pto.vadd %x, %x : " V32 ", " V32 " -> !pto.vreg<64xi32>", 2, 64, "!pto.vreg<64xi32>",
         "expected !pto.vreg<64xf32>; this is !pto.vreg<64xi32>"},
        {LOAD "%y = pto.vshl %x, %x : " V32 ", " V32 " -> " V32, 2, 15, "%x",
         "pto.vshl does not take !pto.vreg<64xf32>"},
        {LOAD "%y = pto.vcvt %x {part = \"EVEN\"} : " V32 " -> !pto.vreg<64xui32>", 2, 6, "pto.vcvt",
         "expected another type: there is no vcvt from f32 to ui32 (pto_cast() converts all types)"},
        {LOAD "%y = pto.vneg %x {rnd = \"R\"} : " V32 " -> " V32, 2, 19, "rnd",
         "pto.vneg does not take this attribute"},
        {LOAD "%y = pto.vneg %x, \"R\" : " V32 " -> " V32, 2, 19, "\"R\"",
         "expected another word: pto.vneg does not take this one"},
        {"scf.for %i = %c0 to %1 step %c1 {\n}", 1, 21, "%1",
         "expected an integer of the type of the first bound"},
        {"%a = scf.for %i = %c0 to %c4 step %c1 iter_args(%k = %c0) -> (index) {\n}", 1, 6, "scf.for",
         "expected scf.yield of 1 values at the end of its region; it gives 0"},
        {"%a = scf.if %c0 -> (index) {\n  scf.yield %c0 : index\n}", 1, 13, "%c0",
         "expected a value of type i1"},
        {"%t = arith.constant true\n%a = scf.if %t -> (index) {\n  scf.yield %c0 : index\n}", 2, 6, "scf.if",
         "expected 'else', because it has results"},
        {"%v = affine.apply %c0", 1, 6, "affine.apply", "expected an operation of pto, arith, scf or func"},
        {"%p = pto.castptr %in : !pto.ptr<ui8, gm> -> i64", 1, 45, "i64",
         "arrays in gm have no address: only ub has"},
        {"pto.vsts %c0, %out_f32[%c0] : index, " UB, 1, 10, "%c0", "expected a vector of pto.vsts here"},
        {"%x = pto.vlds %in[%c0] : !pto.ptr<ui8, gm> -> " V32, 1, 15, "%in",
         "expected a pointer to ub; this is !pto.ptr<ui8, gm>"},
        {"pto.mte_gm_ub %in, %in_ui8, %0, %32", 1, 1, "pto.mte_gm_ub",
         "expected one nburst(n, source stride, destination stride)"},
        {"func.call @k(%in, %out) : (!pto.ptr<ui8, gm>, !pto.ptr<ui8, gm>) -> ()", 1, 1, "func.call",
         "expected no recursion: this function calls itself"},
        {"%y = pto.vmi.vand : -> " VMI, 1, 6, "pto.vmi.vand", "expected 2 operands, a mask, and a result"},
        {LOAD_VMI "%y = pto.vmi.vadd %x, %x, %m {pmode = \"merge\"} : " VMI ", " VMI
                  ", !pto.vmi.mask<8> -> " VMI,
         3, 6, "pto.vmi.vadd", "merge needs an old value, and vadd has no operand for it"},
        {LOAD_VMI "%y = pto.vmi.vcadd %x, %m : " VMI ", !pto.vmi.mask<8> -> !pto.vmi.vreg<1xf32>", 3, 6,
         "pto.vmi.vcadd", "expected the attribute reassoc: the order of a sum of floats is not defined"},
        {"%y = pto.vmi.vnot", 1, 6, "pto.vmi.vnot", "expected 1 operands, a mask, and a result"},
        {LOAD_VMI "%y = pto.vmi.vcvt %x : " VMI " -> !pto.vmi.vreg<8xf16>", 3, 6, "pto.vmi.vcvt",
         "expected saturate = \"SAT\" or \"NOSAT\" for f32 to f16"},
        {LOAD_VMI "%y = pto.vneg %x : " VMI " -> " VMI, 3, 15, "%x",
         "expected a vector of !pto.vreg: both kinds do not mix"},
        {"%x = pto.vmi.vload %in_f32[%c0] : " UB " -> !pto.vmi.vreg<4097xf32>", 1, 70, "4097xf32",
         "expected 1 to 4096 lanes"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        kernel_refused(cases[i].body, (pto_program_options){.strict = false}, cases[i].line, cases[i].column,
                       cases[i].word, cases[i].text);
}

/* Parsing must not crash if the text ends at any byte. */
static void cut_off(void **state) {
    static const char body[] = LOAD LOAD_VMI
        "scf.for %i = %c0 to %c4 step %c1 iter_args(%k = %c0) -> (index) {\n"
        "  pto.mte_ub_gm %in_ui8, %out, %32 nburst(%2, %0, %0) loop(%1, %2, %3)\n  scf.yield %i : index\n}";
    char text[KERNEL_TEXT];
    size_t length;
    (void)state;
    kernel_text(body, text);
    length = strlen(text);
    for (size_t i = length - 700; i < length; i++) {
        pto_program_error error;
        const char saved = text[i];
        text[i] = 0;
        pto_program_free(pto_program_new(text, (pto_program_options){.language = PTO_PROGRAM_PTO}, &error));
        text[i] = saved;
    }
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(out_of_bounds),  cmocka_unit_test(off_lanes_are_free),
        cmocka_unit_test(other_failures), cmocka_unit_test(strict_runs),
        cmocka_unit_test(refusals),       cmocka_unit_test(wrong_texts),
        cmocka_unit_test(cut_off),
    };
    return harness_end(cmocka_run_group_tests_name("pto_kernel_errors", tests, NULL, NULL));
}
