/* SPDX-License-Identifier: MIT */
/** Checks a caller that is compiled with -ffast-math, whose start-up code sets FTZ and DAZ. The header's inline
 * functions and the library must give the same bits as in other callers. This test uses neither cmocka nor the
 * model, because both rely on standard floating-point behaviour. The expected bits are constants. */
#include <pto/pto.h>

#include <stdio.h>
#include <string.h>

enum { SKIPPED = 77 };

/** The operands a and b, and the results of lt, eq, ne, neu, nan, and lt with FTZ. */
struct row {
    uint32_t a, b;
    unsigned char lt, eq, ne, neu, nan, lt_ftz;
};

static const struct row rows[] = {
    {0x3f800000, 0x40000000, 1, 0, 1, 1, 0, 1}, /* 1, 2 */
    {0x00000000, 0x80000000, 0, 1, 0, 0, 0, 0}, /* +0, -0 */
    {0x00000000, 0x00000001, 1, 0, 1, 1, 0, 0}, /* subnormals */
    {0x80000001, 0x00000001, 1, 0, 1, 1, 0, 0}, /* */
    {0x007fffff, 0x00800000, 1, 0, 1, 1, 0, 1}, /* */
    {0x7fc00000, 0x7fc00000, 0, 0, 0, 1, 1, 0}, /* quiet NaNs */
    {0x7f800001, 0x3f800000, 0, 0, 0, 1, 1, 0}, /* a signalling NaN */
    {0x3f800000, 0xffffffff, 0, 0, 0, 1, 1, 0}, /* */
    {0x7f800000, 0x7f800000, 0, 1, 0, 0, 0, 0}, /* infinities */
    {0xff800000, 0x7f800000, 1, 0, 1, 1, 0, 1}, /* */
};
enum { ROWS = sizeof rows / sizeof rows[0], LANES = 7 * ROWS };

static int failures;

static void expect(const char *what, pto_cmp op, unsigned flags, const float *a, const float *b,
                   size_t answer_at) {
    unsigned char got[LANES], planned[LANES];
    pto_plan plan;
    const pto_status status = pto_vcmp(PTO_F32, op, flags, a, b, PTO_NO_MASK, pto_bytes(got), LANES);

    if (status != PTO_OK ||
        pto_plan_vcmp(&plan, PTO_F32, op, flags, PTO_MASK_PACKED, PTO_MASK_BYTE) != PTO_OK) {
        printf("%s: %s\n", what, pto_strerror(status));
        failures++;
        return;
    }
    pto_run(&plan, a, b, NULL, planned, LANES);
    for (size_t i = 0; i < LANES; i++) {
        const unsigned char expected = ((const unsigned char *)&rows[i % ROWS])[answer_at];
        if (got[i] == expected && planned[i] == expected) continue;
        printf("%s of %08x, %08x: expected %d, got %d and %d\n", what, (unsigned)rows[i % ROWS].a,
               (unsigned)rows[i % ROWS].b, expected, got[i], planned[i]);
        failures++;
    }
}

/** Checks vsel. It copies bits, so subnormals and signalling NaNs must stay unchanged. */
static void expect_select(const float *a, const float *b) {
    float chosen[LANES];
    unsigned char mask[LANES];
    for (size_t i = 0; i < LANES; i++) {
        mask[i] = i % 3 == 0;
    }
    if (pto_vsel(PTO_F32, a, b, pto_bytes(mask), chosen, LANES) != PTO_OK) failures++;
    for (size_t i = 0; i < LANES; i++) {
        const uint32_t expected = mask[i] ? rows[i % ROWS].a : rows[i % ROWS].b;
        uint32_t got;
        memcpy(&got, &chosen[i], sizeof got);
        if (got != expected) {
            printf("vsel, lane %zu: not the bits %08x\n", i, (unsigned)expected);
            failures++;
        }
    }
}

static int use_isa(const char *name) {
    for (int i = 0; strcmp(pto_isa_name((pto_isa)i), "?") != 0; i++) {
        if (strcmp(name, pto_isa_name((pto_isa)i)) != 0) continue;
        if (pto_isa_use((pto_isa)i) == PTO_OK) return 0;
        printf("skipped: no %s\n", name);
        return SKIPPED;
    }
    return 1;
}

int main(int argc, char **argv) {
    static float a[LANES], b[LANES];
    const int status = argc > 1 ? use_isa(argv[1]) : 0;

    if (status != 0) return status;
    for (size_t i = 0; i < LANES; i++) {
        memcpy(&a[i], &rows[i % ROWS].a, sizeof a[i]);
        memcpy(&b[i], &rows[i % ROWS].b, sizeof b[i]);
    }
    expect("lt", PTO_LT, 0, a, b, offsetof(struct row, lt));
    expect("eq", PTO_EQ, 0, a, b, offsetof(struct row, eq));
    expect("ne", PTO_NE, 0, a, b, offsetof(struct row, ne));
    expect("neu", PTO_NEU, 0, a, b, offsetof(struct row, neu));
    expect("nan", PTO_NAN, 0, a, b, offsetof(struct row, nan));
    expect("lt.ftz", PTO_LT, PTO_FTZ, a, b, offsetof(struct row, lt_ftz));
    expect_select(a, b);
    printf("a -ffast-math caller: %d lanes, %d failures\n", 7 * LANES, failures);
    return failures != 0;
}
