/* SPDX-License-Identifier: MIT */
/**
 * No call needs more than a thread with a stack of 16 KiB has, on one ISA: test_stack ISA. Each group of calls is
 * the first use of the library in a process of its own, so that the choice of a backend, a warning of a wrong
 * PTO_ISA and lazy binding are counted. A guard page lies below the stack; the deepest byte written is reported.
 */
#include "model/model_cvt.h"
#include "support/harness.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Sanitizers' frames are larger. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#    define SANITIZED 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#        define SANITIZED 1
#    endif
#endif

enum { SMALL = 16384, PAINT = 0xa5, LANES = 1201, NOT_HERE = 9 };

static const _Alignas(8) unsigned char a[LANES * 8], b[LANES * 8], c[LANES * 8];
static _Alignas(8) unsigned char out[LANES * 8], other[LANES];
static unsigned successes;

/** The statuses do not matter, but some calls of each group must have computed. */
static void note(pto_status status) {
    successes += status == PTO_OK;
}

static const pto_mask_kind kinds[] = {PTO_MASK_PACKED, PTO_MASK_B8,  PTO_MASK_B16,
                                      PTO_MASK_B32,    PTO_MASK_B64, PTO_MASK_BYTE};
enum { ALL_KINDS = sizeof kinds / sizeof kinds[0] };

static void compare(void) {
    for (int type = PTO_B8; type <= PTO_F64; type++) {
        for (int op = PTO_EQ; op <= PTO_NAN; op++) {
            for (int k = 0; k < ALL_KINDS * ALL_KINDS; k++) {
                const pto_mask seed = k % 5 == 0 ? PTO_NO_MASK : pto_mask_in(c, kinds[k % ALL_KINDS]);
                const pto_mask dst = pto_mask_at(out, kinds[k / ALL_KINDS]);
                const unsigned flags = (unsigned)(k + op) % 4;
                note(pto_vcmp((pto_dtype)type, (pto_cmp)op, flags, a, b, seed, dst, LANES));
                note(pto_vcmps((pto_dtype)type, (pto_cmp)op, flags, a, b, seed, dst, LANES));
            }
        }
    }
}

static void compare_by_plan(void) {
    for (int type = PTO_B8; type <= PTO_F64; type++) {
        for (int k = 0; k < ALL_KINDS * ALL_KINDS; k++) {
            pto_plan plan;
            const pto_status status = pto_plan_vcmp(&plan, (pto_dtype)type, PTO_EQ, PTO_MERGE * (k % 2U),
                                                    kinds[k % ALL_KINDS], kinds[k / ALL_KINDS]);
            note(status);
            if (status == PTO_OK) pto_run(&plan, a, b, c, out, LANES);
        }
    }
}

static void select_lanes(void) {
    for (int type = PTO_B8; type <= PTO_F64; type++) {
        note(pto_vbr((pto_dtype)type, a, out, LANES));
        note(pto_slct((pto_dtype)type, PTO_F32, true, a, b, c, out, LANES));
        for (int k = 0; k < ALL_KINDS; k++) {
            note(pto_vsel((pto_dtype)type, a, b, pto_mask_in(c, kinds[k]), out, LANES));
            note(pto_vselr((pto_dtype)type, a, b, pto_mask_in(c, kinds[k]), out, LANES));
            note(pto_selp((pto_dtype)type, a, b, pto_mask_in(c, kinds[k]), out, LANES));
        }
    }
}

static void compare_and_select(void) {
    for (int type = PTO_B8; type <= PTO_F64; type++) {
        for (unsigned k = 0; k < 16; k++) {
            note(pto_vcmpsel(
                (pto_dtype)type, PTO_NE, k % 3 == 0 ? PTO_FTZ : 0, k & 1 ? pto_in_scalar(a) : pto_in_array(a),
                k & 2 ? pto_in_scalar(b) : pto_in_array(b), k & 4 ? pto_in_scalar(a) : pto_in_array(a),
                k & 8 ? pto_in_scalar(b) : pto_in_array(b), out, LANES));
        }
    }
}

static void select_scalars(void) {
    for (int type = PTO_B8; type <= PTO_F64; type++) {
        for (unsigned k = 0; k < 4 * ALL_KINDS; k++) {
            note(pto_vsels((pto_dtype)type, k & 1 ? pto_in_scalar(a) : pto_in_array(a),
                           k & 2 ? pto_in_scalar(b) : pto_in_array(b), pto_mask_in(c, kinds[k / 4]), out,
                           LANES));
        }
    }
}

static void extremes(void) {
    for (int type = PTO_U8; type <= PTO_F64; type++) {
        for (unsigned k = 0; k < 8 * 16; k++) {
            const pto_in x = k & 1 ? pto_in_scalar(a) : pto_in_array(a);
            const pto_in y = k & 2 ? pto_in_scalar(b) : pto_in_array(b);
            const pto_in z = k & 4 ? pto_in_scalar(c) : pto_in_array(c);
            note(pto_vmax((pto_dtype)type, k / 8, x, y, out, LANES));
            note(pto_vmin((pto_dtype)type, k / 8, x, y, out, LANES));
            note(pto_vclamp((pto_dtype)type, k / 8, x, y, z, out, LANES));
            note(pto_vrelu((pto_dtype)type, k / 8, a, out, LANES));
        }
    }
}

static void masks(void) {
    for (int k = 0; k < ALL_KINDS * ALL_KINDS; k++) {
        const pto_mask x = pto_mask_in(a, kinds[k % ALL_KINDS]), y = pto_mask_in(b, kinds[k / ALL_KINDS]);
        const pto_mask dst = pto_mask_at(out, kinds[k % 5]);
        size_t number;
        bool is;
        note(pto_mask_and(x, y, dst, LANES));
        note(pto_mask_xor(x, y, dst, LANES));
        note(pto_mask_or(x, y, dst, LANES));
        note(pto_mask_not(x, dst, LANES));
        note(pto_mask_mov(x, dst, LANES));
        note(pto_mask_sel(x, y, pto_mask_in(c, kinds[k % 4]), dst, LANES));
        note(pto_mask_count(x, LANES, &number));
        note(pto_mask_first(x, LANES, &number));
        note(pto_mask_any(x, LANES, &is));
        note(pto_mask_all(x, LANES, &is));
        note(pto_mask_none(x, LANES, &is));
    }
}

static void setp(void) {
    for (int type = 0; type < MODEL_DTYPES; type++) {
        for (int k = 0; k < 4 * ALL_KINDS; k++) {
            const pto_setp_op op = {(pto_dtype)type, PTO_NE, (pto_boolop)(k % 4), k % 3 == 0, k % 2 == 0};
            const pto_mask m = op.boolop == PTO_BOOL_NONE ? PTO_NO_MASK : pto_mask_in(c, kinds[k / 4]);
            note(pto_setp(op, a, b, m, pto_mask_at(out, kinds[k / 4]),
                          k % 2 ? pto_mask_at(other, PTO_MASK_BYTE) : PTO_NO_MASK, LANES));
        }
    }
}

static void set(void) {
    for (int dtype = 0; dtype < MODEL_DTYPES; dtype++) {
        for (int stype = 0; stype < MODEL_DTYPES; stype++) {
            for (int k = 0; k < 4; k++) {
                const pto_set_op op = {
                    (pto_dtype)dtype, (pto_dtype)stype, PTO_NE, (pto_boolop)k, false, false};
                note(pto_set(op, a, b, k == PTO_BOOL_NONE ? PTO_NO_MASK : pto_mask_in(c, PTO_MASK_BYTE), out,
                             LANES / 2));
            }
        }
    }
}

static void registers(void) {
    const pto_preg p = {{1, 2, 3, 4}}, q = {{5, 6, 7, 8}};
    pto_preg lo, hi;
    uint32_t remaining = 1000;
    for (unsigned g = 8; g <= 32; g *= 2) {
        note(pto_pset(g, PTO_PAT_M3, &lo));
        note(pto_pge(g, PTO_PAT_VL8, &lo));
        note(pto_plt(g, &remaining, &lo));
        note(pto_pintlv(g, p, q, &lo, &hi));
        note(pto_pdintlv(g, p, q, &lo, &hi));
        note(pto_pand(p, q, lo, &hi));
        note(pto_psel(p, q, lo, &hi));
        note(pto_ppack(p, PTO_HIGHER, &hi));
        note(pto_punpack(p, PTO_HIGHER, &hi));
    }
}

static void flags_and_setcc(void) {
    for (int type = PTO_B8; type <= PTO_F64; type++) {
        note(pto_flags_cmp((pto_dtype)type, a, b, (uint32_t *)(void *)out, LANES));
        note(pto_flags_test((pto_dtype)type, a, b, (uint32_t *)(void *)out, LANES));
        note(pto_flags_ucomi((pto_dtype)type, a, b, (uint32_t *)(void *)out, LANES));
        for (int cc = 0; cc < 16; cc++) {
            note(pto_cmp_setcc((pto_cc)cc, (pto_dtype)type, a, b, out, LANES));
            note(pto_setcc((pto_cc)cc, (const uint32_t *)(const void *)a, out, LANES));
        }
    }
}

/** Every pair of types, rounding and modifiers. */
static void convert(void) {
    for (int pair = 0; pair < MODEL_DTYPES * MODEL_DTYPES; pair++) {
        for (int round = PTO_ROUND_NONE; round <= PTO_RPI; round++) {
            for (unsigned k = 0; k < MODEL_FLAG_SETS; k++) {
                pto_cvt_op op = model_cvt_with(k);
                const void *extra = round == PTO_RS || op.scale != PTO_SCALE_NONE ? c : NULL;
                op.dst = (pto_dtype)(pair / MODEL_DTYPES);
                op.src = (pto_dtype)(pair % MODEL_DTYPES);
                op.round = (pto_round)round;
                note(pto_cvt(op, a, out, extra, 364));
                note(pto_cvt(op, a, out, extra, LANES));
            }
        }
    }
}

static void texts(void) {
    char line[64];
    pto_parse_error error;
    pto_setp_op setp_op;
    pto_set_op set_op;
    pto_cvt_op cvt_op;
    note(pto_parse_setp("setp.lt.and.ftz.f32", &setp_op, &error));
    note(pto_format_setp(setp_op, line, sizeof line));
    note(pto_parse_set("set.lt.u32.f32", &set_op, &error));
    note(pto_format_set(set_op, line, sizeof line));
    note(pto_parse_cvt("cvt.rn.satfinite.e4m3x2.f32", &cvt_op, &error));
    note(pto_format_cvt(cvt_op, line, sizeof line));
    note(pto_parse_cvt("cvt.rn.nonsense.e4m3x2.f32", &cvt_op, &error));
    (void)pto_isa_active();
}

#ifndef PTO_NO_VMATH
static void exponential(void) {
    for (int k = 0; k <= ALL_KINDS; k++) {
        const pto_mask m = k < ALL_KINDS ? pto_mask_in(c, kinds[k]) : PTO_NO_MASK;
        static const double top[] = {1, 709.7827115, 710, -745, 2, 3, 4, 5, 6};
        note(pto_vexp(PTO_F32, a, m, out, LANES));
        note(pto_vexp(PTO_F64, a, m, out, LANES));
        note(pto_vexp(PTO_F64, top, m, out, sizeof top / sizeof top[0]));
    }
}
#endif

static void isa(void) {
    for (int i = 0; i < harness_isas(); i++) {
        note(pto_isa_available((pto_isa)i) ? PTO_OK : PTO_ERR_ISA);
    }
    note(pto_isa_use(pto_isa_active()));
}

static const struct group {
    const char *name;
    void (*calls)(void);
} groups[] = {
    {"vcmp, vcmps", compare},
    {"plans of vcmp", compare_by_plan},
    {"vsel, selp, slct, vbr", select_lanes},
    {"vcmpsel", compare_and_select},
    {"vsels", select_scalars},
    {"vmax, vmin, vclamp, vrelu", extremes},
    {"masks", masks},
    {"setp", setp},
    {"set", set},
    {"registers", registers},
    {"flags and SETcc", flags_and_setcc},
    {"cvt", convert},
    {"text", texts},
#ifndef PTO_NO_VMATH
    {"vexp", exponential},
#endif
    {"isa", isa},
};
enum { GROUPS = sizeof groups / sizeof groups[0] };

/* ---- a process for each ---- */

static const struct group *group_of_thread;

static void *thread_main(void *unused) {
    (void)unused;
    group_of_thread->calls();
    return NULL;
}

/** Bytes of a small stack that the group writes, 0 if there is no such thread. */
static size_t depth(const struct group *group) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t least = (size_t)PTHREAD_STACK_MIN;
    const size_t size = ((least > SMALL ? least : SMALL) + page - 1) / page * page;
    unsigned char *room = mmap(NULL, size + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_t attributes;
    pthread_t thread;
    size_t deepest = 0;

    if (room == MAP_FAILED || mprotect(room + page, size, PROT_READ | PROT_WRITE) != 0) return 0;
    memset(room + page, PAINT, size);
    group_of_thread = group;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstack(&attributes, room + page, size) != 0) return 0;
    if (pthread_create(&thread, &attributes, thread_main, NULL) != 0) return 0;
    pthread_join(thread, NULL);
    while (deepest < size && room[page + deepest] == PAINT) {
        deepest++;
    }
    return size - deepest;
}

/** In a child: exits with 0 if the group's calls came through. */
static void child(const struct group *group, const char *isa_name) {
    size_t deepest;
    setenv("PTO_ISA", isa_name, 1);
    if (freopen("/dev/null", "w", stderr) == NULL) _exit(1);
    deepest = depth(group);
    printf("  %-22s %5zu bytes, PTO_ISA=%s\n", group->name, deepest, isa_name);
    fflush(stdout);
    _exit(deepest == 0 || deepest > SMALL || successes == 0);
}

static bool comes_through(const struct group *group, const char *isa_name) {
    const char *how = "too deep";
    int status = -1;
    pid_t pid;
    fflush(NULL);
    pid = fork();
    if (pid == 0) child(group, isa_name);
    if (pid < 0 || waitpid(pid, &status, 0) != pid) return false;
    if (status == 0) return true;
    if (WIFSIGNALED(status)) how = "killed by a signal";
    printf("  %-22s %s, PTO_ISA=%s\n", group->name, how, isa_name);
    return false;
}

/** In a child, so that this process does not use the library. */
static bool is_available(const char *name) {
    int status = -1;
    const pid_t pid = fork();
    if (pid == 0) {
        for (int i = 0; i < harness_isas(); i++) {
            if (strcmp(pto_isa_name((pto_isa)i), name) == 0) _exit(!pto_isa_available((pto_isa)i));
        }
        _exit(NOT_HERE);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

int main(int argc, char **argv) {
    int failures = 0;
#ifdef SANITIZED
    printf("skipped: sanitizers need a larger stack\n");
    return HARNESS_SKIPPED;
#endif
    if (argc < 2 || !is_available(argv[1])) {
        printf("skipped: no such ISA here\n");
        return HARNESS_SKIPPED;
    }
#ifndef __OPTIMIZE__
    /* Each vector of each inlined function then has a place of its own on the stack. */
    if (strcmp(argv[1], "scalar") != 0) {
        printf("skipped: vector kernels that are not optimised need a larger stack\n");
        return HARNESS_SKIPPED;
    }
#endif
    for (size_t i = 0; i < GROUPS; i++) {
        failures += !comes_through(&groups[i], argv[1]);
#ifdef __OPTIMIZE__
        failures += !comes_through(&groups[i], "nonsense"); /* the best one, then */
#endif
    }
    return failures != 0;
}
