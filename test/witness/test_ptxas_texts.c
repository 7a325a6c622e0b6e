/* SPDX-License-Identifier: MIT */
/* test_ptxas_texts PTXAS: compares which declarations, directives and statements kernels take with ptxas, NVIDIA's
 * assembler. Each text stands in a kernel of its own. */
#include "support/cmocka_all.h"
#include "support/harness.h"
#include "witness/ptxas.h"

#include <pto/module.h>

#include <stdio.h>

static struct ptxas ptxas;

static const char *const texts[] = {
    /* declarations */
    ".reg .b32 %r<5>; mov.b32 %r4, 1;",
    ".reg .b32 %r<5>; mov.b32 %r5, 1;",
    ".reg .b32 %r<5>; mov.b32 %r7, 1;",
    ".reg .b32 %r<5>; .reg .b32 %r7; mov.b32 %r7, 1;",
    ".reg .b32 %r<5>; .reg .b32 %r<3>;",
    ".reg .b32 z<5>; .reg .b32 z3;",
    ".reg .b32 z3; .reg .b32 z<5>;",
    ".reg .b32 z<5>; { .reg .b32 z3; mov.b32 z3, 1; }",
    ".reg .b32 z<0>;",
    ".reg .b32 z<07>; mov.b32 z6, 1;",
    ".reg .b32 z<0x5>; mov.b32 z4, 1;",
    ".reg .b32 z<2+3>;",
    ".reg .b32 z<-1>;",
    ".reg .b32 z < 5 >, y<2>, v;",
    ".reg .b32 z[5];",
    ".reg.b32 z; mov.b32 z, 1;",
    ".reg .align 4 .b32 z;",
    ".reg .align 16 .b32 z; mov.b32 z, 1;",
    ".reg .align 3 .b32 z;",
    ".reg .align 4 .pred z;",
    ".reg .align 8 .v2 .f32 z;",
    ".reg .b32 .align 4 z;",
    ".reg .v2 .align 8 .f32 z;",
    /* vectors */
    ".reg .v2 .b32 z;",
    ".reg .v2 .b64 z;",
    ".reg .v4 .b64 z;",
    ".reg .v4 .b8 z;",
    ".reg .v2 .f16x2 z;",
    ".reg .v3 .f32 z;",
    ".reg .v8 .b32 z;",
    ".reg .v2 .pred z;",
    ".reg .v2 .f32 z; .reg .f32 z;",
    ".reg .v2 .f32 z; mov.f32 z.x, f1; mov.f32 f2, z.y;",
    ".reg .v4 .f32 z; mov.f32 z.r, f1; mov.f32 f2, z.a;",
    ".reg .v2 .f32 z<4>; mov.f32 z1.x, f1;",
    ".reg .v2 .f32 z<2>; mov.f32 z0.x, z1.y; mov.v2.f32 z0, z1;",
    ".reg .v2 .f32 z; mov.b64 z, d1;",
    ".reg .v2 .f32 z; mov.f32 z, f1;",
    ".reg .v2 .f32 z; add.f32 f1, z, f2;",
    ".reg .v2 .f32 z; mov.v2.f32 z, {f1, f2}; mov.v2.f32 {f1, _}, z;",
    ".reg .v2 .f32 z; mov.v4.f32 {f1, f2, f3, f4}, z;",
    ".reg .v4 .f32 z; ld.global.v4.f32 z, [at]; st.global.v4.f32 [at], z;",
    "mov.v2.f32 {f1, f2}, {f2, f1};",
    "mov.v2.b32 {w1, w2}, {1, 2};",
    "mov.v2.b32 {w1, w2}, {%tid.x, w1};",
    "mov.v2.b16 {h1, h2}, {h2, h1};",
    "mov.v2.f64 {d1, d2}, {d2, d1};",
    "mov.v4.b64 {d1, d2, d3, d4}, {d1, d2, d3, d4};",
    "mov.v2.f16 {h1, h2}, {h2, h1};",
    "mov.v2.u8 {h1, h2}, {h2, h1};",
    "mov.v2.pred {p, q}, {q, p};",
    "@p mov.v2.b32 {w1, w2}, {w2, w1};",
    /* directives */
    ".pragma \"nounroll\";",
    ".pragma \"a\", \"b\";",
    ".pragma \"a\" \"b\";",
    ".pragma nounroll;",
    ".pragma;",
    ".pragma \"nounroll\"",
    ".loc 1 2 3",
    ".loc 1 2 3 mov.b32 w1, w2;",
    ".loc 1 2 3 nothing w1, w2;",
    ".loc 1 2 3;",
    ".loc 1 2",
    ".file 1 \"a.cu\"",
    /* statements */
    ";",
    "mov.b32 w1, w2;;",
    "{ ; }",
    "{ }",
    "l1: ;",
    "@p ;",
    "@p { }",
    "@p .loc 1 2 3",
    "mov.b32 w1 w2;",
    "mov.b32 w6, 1;",
    "setp.lt.s32 p|_, w1, w2;",
    "setp.lt.s32 _|p, w1, w2;",
    "setp.lt.s32 _, w1, w2;",
    "setp.lt.s32 _|_, w1, w2;",
    "setp.lt.and.s32 p|q, w1, w2, p;",
};

static bool assembler_takes(const char *text) {
    struct listing l;
    bool takes;
    listing_open(&l, &ptxas);
    fprintf(l.file, "%s\n", text);
    takes = listing_judge(&l);
    listing_close(&l);
    return takes;
}

static bool module_takes(const char *text, pto_program_error *error) {
    char module[2048];
    pto_module *m;
    snprintf(module, sizeof module,
             ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 a) {\n%s"
             " .reg .u64 at; ld.param.u64 at, [a];\n%s\nret; }\n",
             LISTING_REGISTERS, text);
    m = pto_module_new(module, (pto_program_options){0}, error);
    pto_module_free(m);
    return m != NULL;
}

static void kernel_texts(void **state) {
    size_t taken = 0;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        pto_program_error error;
        const bool expected = assembler_takes(texts[i]);
        taken += expected;
        if (module_takes(texts[i], &error) != expected)
            fail_msg("ptxas %s %s: %s", expected ? "takes" : "refuses", texts[i], error.text);
    }
    assert_true(taken >= 30 && taken <= sizeof texts / sizeof texts[0] - 30);
}

/* PTX does not say which of two results stays. So this text is refused, although ptxas takes it. */
static void same_predicate_twice(void **state) {
    static const char text[] = "setp.lt.s32 p|p, w1, w2;";
    pto_program_error error;
    (void)state;
    assert_true(assembler_takes(text));
    assert_false(module_takes(text, &error));
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernel_texts),
                                       cmocka_unit_test(same_predicate_twice)};
    int status;
    if (argc < 2) return 1;
    if (!ptxas_start(&ptxas, argv[1])) return HARNESS_SKIPPED;
    status = cmocka_run_group_tests_name("ptxas texts", tests, NULL, NULL);
    ptxas_stop(&ptxas);
    return harness_end(status);
}
