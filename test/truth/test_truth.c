/* SPDX-License-Identifier: MIT */
/*
 * Compares a GPU's results with those of libpto on the active ISA. The files come from tools/ptx_truth.cu,
 * which documents their format.
 *
 * test_truth FILE STRIDE: compares a file. For long forms only every STRIDE-th sum of digests is compared, for other
 * forms all sums. For all forms every special result is compared.
 *
 * test_truth self FOLDER: writes files of libpto's own results into FOLDER and reads them back. Then it plants
 * a wrong digest and a wrong special result in the files, which must be noticed.
 */
#include "support/harness.h"
#include "support/text_line.h"
#include "ptx_statements.h"
#include "truth_inputs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16, LONG_BLOCK = 16, FAMILIES = TRUTH_FAMILIES, TEXT = 64, SHOWN = 8 };

static const char *const family_names[FAMILIES] = {"cvt", "setp", "set", "selp", "slct", "maxmin"};

/** The forms that tools/ptx_truth.cu covers. */
static const struct listed {
    const char *text, *third; /* third: "", ", c" or ", !c" */
} list[] = {
#define FORM(n, level, text, third, ...) {text, third},
#define PART(family, k)
#define END_PART(family, k)
#include "ptx_truth_forms.inc" /* made by tools/ptx_truth_forms.cmake */
};

enum { LISTED = sizeof list / sizeof list[0] };

/* ---- a form ---- */

struct form {
    char text[TEXT];
    struct truth_shape shape;
    pto_cvt_op cvt;
    pto_setp_op setp;
    pto_set_op set;
    pto_dtype selp;
    struct {
        pto_dtype type, ctype;
        bool ftz;
    } slct;
    struct {
        pto_dtype type;
        unsigned flags;
        bool is_max;
    } extreme;
};

/** Parses a form such as "slct.ftz.u32.f32". */
static bool parse_slct(struct form *f) {
    char copy[TEXT];
    char *type, *ctype;
    memcpy(copy, f->text, sizeof copy);
    ctype = strrchr(copy, '.');
    *ctype++ = 0;
    type = strrchr(copy, '.');
    *type++ = 0;
    f->slct.ftz = strstr(copy, ".ftz") != NULL;
    return pto_parse_dtype(type, &f->slct.type, NULL) == PTO_OK &&
           pto_parse_dtype(ctype, &f->slct.ctype, NULL) == PTO_OK;
}

/** Parses a form such as "max.ftz.NaN.xorsign.abs.f16". */
static bool parse_extreme(struct form *f) {
    f->extreme.is_max = strncmp(f->text, "max", 3) == 0;
    if (strstr(f->text, ".ftz") != NULL) f->extreme.flags |= PTO_FTZ;
    if (strstr(f->text, ".NaN") != NULL) f->extreme.flags |= PTO_PROPAGATE_NAN;
    if (strstr(f->text, ".xorsign.abs") != NULL) f->extreme.flags |= PTO_XORSIGN_ABS;
    return pto_parse_dtype(strrchr(f->text, '.') + 1, &f->extreme.type, NULL) == PTO_OK;
}

/** Parses the form `text`. `third` is "c", "!c" or "". Returns false if they are invalid. */
static bool form_of(const char *text, const char *third, struct form *f) {
    memset(f, 0, sizeof *f);
    if (strlen(text) >= sizeof f->text || !truth_shape_of(text, &f->shape)) return false;
    memcpy(f->text, text, strlen(text));
    switch (f->shape.family) {
    case TRUTH_CVT: return pto_parse_cvt(text, &f->cvt, NULL) == PTO_OK;
    case TRUTH_SLCT: return parse_slct(f);
    case TRUTH_SELP: return pto_parse_dtype(text + strlen("selp."), &f->selp, NULL) == PTO_OK;
    case TRUTH_MAXMIN: return parse_extreme(f);
    case TRUTH_SETP:
        if (pto_parse_setp(text, &f->setp, NULL) != PTO_OK) return false;
        f->setp.not_c = third[0] == '!';
        return (f->setp.boolop != PTO_BOOL_NONE) == (third[0] != 0);
    default:
        if (pto_parse_set(text, &f->set, NULL) != PTO_OK) return false;
        f->set.not_c = third[0] == '!';
        return (f->set.boolop != PTO_BOOL_NONE) == (third[0] != 0);
    }
}

/** The binary logarithms of the number of units in a block, and in the blocks of one sum of digests. */
struct sizes {
    unsigned block, sum;
};

static bool is_long(struct sizes sizes) {
    return sizes.sum > LONG_BLOCK;
}

/* ---- operands and results of up to CHUNK units ---- */

static struct work {
    unsigned char a[8 * CHUNK], b[8 * CHUNK], c[4 * CHUNK], out[8 * CHUNK];
    unsigned char scales[2 * CHUNK];
    uint32_t random[CHUNK];
    uint64_t predicates[CHUNK / 64], p[CHUNK / 64], q[CHUNK / 64];
} w;

/** Stores element i, little-endian like libpto's arrays. */
static inline void put(unsigned char *image, unsigned bits, size_t i, uint64_t value) {
    switch (bits) {
    case 8: image[i] = (unsigned char)value; break;
    case 16: memcpy(image + i * 2, &value, 2); break;
    case 32: memcpy(image + i * 4, &value, 4); break;
    default: memcpy(image + i * 8, &value, 8); break;
    }
}

static uint64_t get(const unsigned char *image, unsigned bits, size_t i) {
    uint64_t value = 0;
    memcpy(&value, image + i * (bits / 8), bits / 8);
    return value;
}

/** Stores n units, beginning with unit `first`. `shape` is passed by value, so that the compiler makes a
 * loop for each constant width. */
static inline void fill_units(struct truth_shape shape, unsigned bits, unsigned char *image, uint64_t first,
                              size_t n) {
    shape.unit_bits = bits;
    for (size_t i = 0; i < n; i++) {
        put(image, bits, i, truth_operand(&shape, first + i));
    }
}

static void fill_cvt(const struct form *f, uint64_t first, size_t n) {
    switch (f->shape.unit_bits) {
    case 8: fill_units(f->shape, 8, w.a, first, n); break;
    case 16: fill_units(f->shape, 16, w.a, first, n); break;
    case 32: fill_units(f->shape, 32, w.a, first, n); break;
    default: fill_units(f->shape, 64, w.a, first, n); break;
    }
}

static inline void fill_operands(struct truth_shape shape, unsigned bits, unsigned halves, uint64_t first,
                                 size_t n) {
    shape.unit_bits = bits;
    shape.halves = halves;
    for (size_t i = 0; i < n; i++) {
        const struct truth_pair pair = truth_operands(&shape, first + i);
        put(w.a, bits, i, pair.a);
        put(w.b, bits, i, pair.b);
    }
}

static void fill_pairs(const struct form *f, uint64_t first, size_t n) {
    if (f->shape.unit_bits == 16)
        fill_operands(f->shape, 16, 1, first, n);
    else if (f->shape.halves == 2)
        fill_operands(f->shape, 32, 2, first, n);
    else
        fill_operands(f->shape, f->shape.unit_bits, 1, first, n);
}

static void fill_slct(const struct form *f, uint64_t first, size_t n) {
    fill_units(f->shape, 32, w.c, first, n);
    for (size_t i = 0; i < n; i++) {
        const struct truth_pair pair = truth_choice(first + i);
        put(w.a, f->shape.result_bits, i, pair.a);
        put(w.b, f->shape.result_bits, i, pair.b);
    }
}

/** Fills the special operands. For slct only c is special. */
static void fill_specials(const struct form *f) {
    if (f->shape.family == TRUTH_SLCT) fill_slct(f, 0, TRUTH_SPECIALS);
    for (unsigned i = 0; i < TRUTH_SPECIALS; i++) {
        if (f->shape.family == TRUTH_CVT || f->shape.family == TRUTH_SLCT) {
            put(f->shape.family == TRUTH_CVT ? w.a : w.c, f->shape.unit_bits, i, truth_special(&f->shape, i));
        } else {
            const struct truth_pair pair = truth_special_pair(&f->shape, i);
            put(w.a, f->shape.unit_bits, i, pair.a);
            put(w.b, f->shape.unit_bits, i, pair.b);
        }
    }
}

/** Fills the random bits of .rs and the scales, or the predicates c, of n units. */
static void fill_third(const struct form *f, uint64_t first, size_t n) {
    if (f->shape.family == TRUTH_CVT) {
        for (size_t i = 0; f->shape.random_mask && i < n / f->shape.units_in; i++) {
            w.random[i] = truth_random(&f->shape, first / f->shape.units_in + i);
        }
        for (size_t i = 0; f->shape.scales != 0 && i < n / f->shape.units_in; i++) {
            const uint32_t scales = truth_scales(&f->shape, first / f->shape.units_in + i);
            put(w.scales, 8 * f->shape.scales, i, scales);
        }
    } else {
        for (size_t i = 0; i < n; i += 64) {
            w.predicates[i / 64] = truth_predicates((first + i) / 64);
        }
    }
}

/** Returns whether setp writes q. PTX has no second predicate for a single f16 or bf16. */
static bool has_q(const struct form *f) {
    return f->setp.type != PTO_F16 && f->setp.type != PTO_BF16;
}

static const void *extra_of(const struct form *f) {
    return f->shape.scales != 0 ? (const void *)w.scales : f->shape.random_mask != 0 ? w.random : NULL;
}

static pto_status call(const struct form *f, size_t n) {
    const size_t per_unit =
        f->shape.family == TRUTH_CVT ? f->shape.unit_bits / pto_dtype_bits(f->cvt.src) : 1;
    const pto_mask none = PTO_NO_MASK, c = pto_packed(w.predicates);
    switch (f->shape.family) {
    case TRUTH_CVT: return pto_cvt(f->cvt, w.a, w.out, extra_of(f), n * per_unit);
    case TRUTH_SETP:
        memset(w.q, 0, (n + 63) / 64 * 8); /* stays 0 if there is no q */
        return pto_setp(f->setp, w.a, w.b, f->setp.boolop ? c : none, pto_packed(w.p),
                        has_q(f) ? pto_packed(w.q) : none, n);
    case TRUTH_SET: return pto_set(f->set, w.a, w.b, f->set.boolop ? c : none, w.out, n);
    case TRUTH_SELP: return pto_selp(f->selp, w.a, w.b, c, w.out, n);
    case TRUTH_MAXMIN:
        return (f->extreme.is_max ? pto_vmax : pto_vmin)(f->extreme.type, f->extreme.flags, pto_in_array(w.a),
                                                         pto_in_array(w.b), w.out, n);
    default: return pto_slct(f->slct.type, f->slct.ctype, f->slct.ftz, w.a, w.b, w.c, w.out, n);
    }
}

static void answer(const struct form *f, uint64_t first, size_t n, bool special) {
    pto_status status;
    fill_third(f, first, n);
    if (special)
        fill_specials(f);
    else if (f->shape.family == TRUTH_CVT)
        fill_cvt(f, first, n);
    else if (f->shape.family == TRUTH_SLCT)
        fill_slct(f, first, n);
    else
        fill_pairs(f, first, n);
    status = call(f, n);
    if (status != PTO_OK) {
        printf("%s: %s\n", f->text, status_name(status));
        exit(harness_end(1));
    }
}

static uint64_t digest_of(const struct form *f, uint64_t block, unsigned log2_block) {
    const uint64_t units = (uint64_t)1 << log2_block;
    const size_t chunk = units < CHUNK ? (size_t)units : CHUNK;
    uint64_t sum = 0, word = 0;
    for (uint64_t done = 0; done < units; done += chunk) {
        const size_t words = chunk / f->shape.units_in * f->shape.result_bits / 64;
        answer(f, block * units + done, chunk, false);
        for (size_t j = 0; j < words; j++) {
            if (f->shape.family == TRUTH_SETP) {
                sum += truth_term(w.p[j], word++);
                sum += truth_term(w.q[j], word++);
            } else {
                sum += truth_term(get(w.out, 64, j), word++);
            }
        }
    }
    return sum;
}

static uint64_t sum_of(const struct form *f, uint64_t number, struct sizes sizes) {
    const uint64_t blocks = (uint64_t)1 << (sizes.sum - sizes.block);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < blocks; i++) {
        sum += digest_of(f, number * blocks + i, sizes.block);
    }
    return sum;
}

static void specials_of(const struct form *f, uint64_t results[TRUTH_SPECIALS]) {
    answer(f, 0, TRUTH_SPECIALS, true);
    for (unsigned i = 0; i < truth_special_count(&f->shape); i++) {
        if (f->shape.family == TRUTH_SETP)
            results[i] = (w.p[0] >> i & 1) + 2 * (w.q[0] >> i & 1);
        else
            results[i] = get(w.out, f->shape.result_bits, i);
    }
}

/* ---- comparing one form ---- */

struct verdict {
    size_t forms, wrong_forms, digests, wrong_digests, specials, wrong_specials;
    size_t of_family[FAMILIES];
    uint64_t first_sum; /* the index of the first wrong sum of the first wrong form */
    char first_form[TEXT];
    bool show_head, show_faults, malformed;
};

static void blame(struct verdict *v, const struct form *f, size_t before) {
    if (v->wrong_digests + v->wrong_specials != before) return; /* not the first mismatch of the form */
    if (v->wrong_forms++ == 0) memcpy(v->first_form, f->text, sizeof v->first_form);
}

/** Prints the units that a wrong sum of digests covers. */
static void show_sum(const struct form *f, uint64_t number, struct sizes sizes) {
    const uint64_t first = number << sizes.sum, last = first + ((uint64_t)1 << sizes.sum) - 1;
    printf("%s: digest %" PRIx64 " differs, units %" PRIx64 " to %" PRIx64, f->text, number, first, last);
    if (f->shape.family == TRUTH_CVT && f->shape.unit_bits < 64) printf(" (their numbers are the inputs)");
    if (f->shape.log2_units == 32 && f->shape.family != TRUTH_CVT && f->shape.family != TRUTH_SLCT)
        printf(" (b is the high half of the number, a the low one)");
    printf("\n");
}

static void show_special(const struct form *f, unsigned i, uint64_t theirs, uint64_t ours) {
    const int in = (int)f->shape.unit_bits / 4, out = (int)(f->shape.result_bits + 3) / 4;
    const struct truth_pair pair = truth_special_pair(&f->shape, i);
    printf("%s:", f->text);
    if (f->shape.family != TRUTH_CVT && f->shape.family != TRUTH_SLCT) {
        printf(" a %0*" PRIx64 " b %0*" PRIx64 " c %d", in, pair.a, in, pair.b,
               (int)(truth_predicates(0) >> i & 1));
    } else {
        for (unsigned k = 0; k < f->shape.units_in; k++) {
            printf(" %0*" PRIx64, in, truth_special(&f->shape, i * f->shape.units_in + k));
        }
    }
    printf(": the file %0*" PRIx64 ", libpto %0*" PRIx64 "\n", out, theirs, out, ours);
}

static void compare_sum(struct verdict *v, const struct form *f, uint64_t number, struct sizes sizes,
                        uint64_t theirs, size_t before) {
    v->digests++;
    if (sum_of(f, number, sizes) == theirs) return;
    if (v->wrong_forms == 0) v->first_sum = number;
    if (v->wrong_digests + v->wrong_specials == before && v->show_faults) show_sum(f, number, sizes);
    blame(v, f, before);
    v->wrong_digests++;
}

static void compare_special(struct verdict *v, const struct form *f, unsigned i, uint64_t theirs,
                            uint64_t ours, size_t before, size_t *shown) {
    v->specials++;
    if (theirs == ours) return;
    if (v->show_faults && (*shown)++ < SHOWN) show_special(f, i, theirs, ours);
    blame(v, f, before);
    v->wrong_specials++;
}

/* ---- reading ---- */

static bool malformed(struct verdict *v, const char *line) {
    printf("not a line of truth: %.60s\n", line);
    v->malformed = true;
    return false;
}

/** Reads the word `name` and the number that follows it. */
static bool read_size(const char *name, unsigned *size) {
    const char *word = strtok(NULL, " \n"), *number = strtok(NULL, " \n");
    if (!word || !number || strcmp(word, name) != 0) return false;
    *size = (unsigned)strtoul(number, NULL, 10);
    return true;
}

/** Reads sizes such as "units 32 block 24 sum 28". */
static bool read_sizes(const struct form *f, struct sizes *sizes) {
    unsigned units;
    return read_size("units", &units) && read_size("block", &sizes->block) && read_size("sum", &sizes->sum) &&
           units == f->shape.log2_units && sizes->block >= 8 && sizes->block <= sizes->sum &&
           sizes->sum <= units;
}

/** Compares the sums NUMBER:SUM up to the word "special". For long forms, only every `stride`-th sum of the file is
 * compared. */
static bool read_digests(struct verdict *v, const struct form *f, struct sizes sizes, size_t stride,
                         size_t before) {
    static size_t turn;
    for (const char *word = strtok(NULL, " \n"); word; word = strtok(NULL, " \n")) {
        char *end;
        const uint64_t number = strtoull(word, &end, 16);
        if (strcmp(word, "special") == 0) return true;
        if (*end != ':' || number >> (f->shape.log2_units - sizes.sum) != 0) return false;
        if (is_long(sizes) && (turn++ + harness_seed()) % stride != 0) continue;
        compare_sum(v, f, number, sizes, strtoull(end + 1, NULL, 16), before);
    }
    return false;
}

static bool read_specials(struct verdict *v, const struct form *f, size_t before) {
    uint64_t ours[TRUTH_SPECIALS];
    size_t shown = 0;
    specials_of(f, ours);
    for (unsigned i = 0; i < truth_special_count(&f->shape); i++) {
        const char *word = strtok(NULL, " \n");
        if (!word) return false;
        compare_special(v, f, i, strtoull(word, NULL, 16), ours[i], before, &shown);
    }
    return strtok(NULL, " \n") == NULL;
}

static bool read_line(struct verdict *v, char *line, size_t stride) {
    const size_t before = v->wrong_digests + v->wrong_specials;
    const char *third = strstr(line, " !c ") ? "!c" : strstr(line, " c ") ? "c" : "";
    const char *text = strtok(line, " \n");
    struct sizes sizes;
    struct form f;
    if (!text || !form_of(text, third, &f)) return malformed(v, line);
    if (third[0]) strtok(NULL, " \n");
    if (!read_sizes(&f, &sizes)) return malformed(v, f.text);
    v->forms++;
    v->of_family[f.shape.family]++;
    return (read_digests(v, &f, sizes, stride, before) && read_specials(v, &f, before)) ||
           malformed(v, f.text);
}

static bool read_file(const char *path, size_t stride, struct verdict *v) {
    FILE *file = fopen(path, "r");
    struct text_line buffer = {NULL, 0};
    bool known = false;
    if (!file) {
        perror(path);
        return false;
    }
    while (text_line_read(&buffer, file)) {
        char *const line = buffer.text;
        if (line[0] == '#') {
            known = known || strcmp(line, "# format " TRUTH_FORMAT "\n") == 0;
            if (v->show_head) printf("%s", line);
        } else if (!known || !read_line(v, line, stride)) {
            break;
        }
    }
    free(buffer.text);
    fclose(file);
    if (!known) printf("%s: not of the format \"%s\"\n", path, TRUTH_FORMAT);
    return known && !v->malformed && v->forms != 0;
}

static size_t listed_of(unsigned family) {
    size_t count = 0;
    for (size_t i = 0; i < LISTED; i++) {
        struct truth_shape shape;
        count += truth_shape_of(list[i].text, &shape) && shape.family == family;
    }
    return count;
}

static int compare_file(const char *path, size_t stride) {
    struct verdict v = {.show_head = true, .show_faults = true};
    const bool good = read_file(path, stride, &v);
    for (unsigned i = 0; i < FAMILIES; i++) {
        if (v.of_family[i]) printf("%zu of %zu forms of %s; ", v.of_family[i], listed_of(i), family_names[i]);
    }
    printf("%zu digests and %zu special results compared\n", v.digests, v.specials);
    printf("%zu forms differ: %zu digests, %zu special results\n", v.wrong_forms, v.wrong_digests,
           v.wrong_specials);
    return good && v.wrong_forms == 0 ? 0 : 1;
}

/* ---- writing libpto's own answers ---- */

/** Writes the line of a form. A sum covers at most 2^10 units, in two blocks if possible. The line has the
 * first sum, the last, and one between. */
static void write_form(FILE *file, const struct form *f, const char *third) {
    const struct sizes sizes =
        f->shape.log2_sum < 10 ? (struct sizes){f->shape.log2_sum, f->shape.log2_sum} : (struct sizes){9, 10};
    const uint64_t sums = (uint64_t)1 << (f->shape.log2_units - sizes.sum);
    const uint64_t chosen[] = {0, sums / 3, sums - 1};
    const int digits = (int)(f->shape.result_bits + 3) / 4;
    uint64_t results[TRUTH_SPECIALS];

    fprintf(file, "%s%s units %u block %u sum %u", f->text, third, f->shape.log2_units, sizes.block,
            sizes.sum);
    for (size_t i = 0; i < sizeof chosen / sizeof chosen[0]; i++) {
        if (i == 0 || chosen[i] != chosen[i - 1])
            fprintf(file, " %" PRIx64 ":%016" PRIx64, chosen[i], sum_of(f, chosen[i], sizes));
    }
    fputs(" special", file);
    specials_of(f, results);
    for (unsigned i = 0; i < truth_special_count(&f->shape); i++) {
        fprintf(file, " %0*" PRIx64, digits, results[i]);
    }
    fputc('\n', file);
}

static bool write_file(const char *path, unsigned family) {
    FILE *file = fopen(path, "w");
    bool good = file != NULL;
    if (!file) {
        perror(path);
        return false;
    }
    fprintf(file, "# format %s\n# family %s\n# chip none: libpto's own answers\n", TRUTH_FORMAT,
            family_names[family]);
    for (size_t i = 0; i < LISTED && good; i++) {
        struct form f;
        const char *third = list[i].third[0] ? list[i].third + 1 : ""; /* " c" */
        if (!form_of(list[i].text, third[0] ? third + 1 : "", &f)) {
            printf("no form: %s%s\n", list[i].text, third);
            good = false;
        } else if (f.shape.family == family) {
            write_form(file, &f, third);
        }
    }
    return fclose(file) == 0 && good;
}

/* ---- the reader must notice ---- */

/** Copies a file and changes the last digit of the word that follows `before` in the middle line. Copies the
 * name of that line's form to `form`. */
static bool plant(const char *from, const char *to, const char *before, size_t lines, char *form) {
    FILE *in = fopen(from, "r"), *out = fopen(to, "w");
    struct text_line buffer = {NULL, 0};
    size_t number = 0;
    bool planted = false;
    while (in && out && text_line_read(&buffer, in)) {
        char *const line = buffer.text;
        if (line[0] != '#' && number++ == lines / 2) {
            char *word = strstr(line, before);
            word = word ? strchr(word + strlen(before) + 1, ' ') : NULL;
            if (word) word[-1] = word[-1] == '1' ? '0' : '1';
            planted = word != NULL;
            memset(form, 0, TEXT);
            memcpy(form, line, strcspn(line, " "));
        }
        fputs(line, out);
    }
    free(buffer.text);
    if (in) fclose(in);
    if (out) fclose(out);
    return planted;
}

/** Returns whether exactly the planted fault is found, in its form. */
static bool noticed(const char *path, const char *planted, const char *before, size_t lines) {
    struct verdict v = {.show_faults = true};
    char form[TEXT];
    const bool digest = strcmp(before, " special") != 0;
    if (!plant(path, planted, before, lines, form) || !read_file(planted, 1, &v)) return false;
    return v.wrong_forms == 1 && v.wrong_digests == digest && v.wrong_specials == !digest &&
           v.first_sum == 0 && strcmp(v.first_form, form) == 0;
}

static bool self(const char *folder, unsigned family) {
    char path[1024], planted[1024];
    struct verdict v = {.show_faults = true};
    snprintf(path, sizeof path, "%s/truth-%s.txt", folder, family_names[family]);
    snprintf(planted, sizeof planted, "%s/truth-%s-planted.txt", folder, family_names[family]);
    if (!write_file(path, family) || !read_file(path, 1, &v) || v.forms != listed_of(family)) return false;
    printf("%s: %zu forms, %zu digests and %zu special results written and read back, %zu forms differ\n",
           family_names[family], v.forms, v.digests, v.specials, v.wrong_forms);
    if (v.wrong_forms != 0) return false;
    printf("and with one wrong digest, then one wrong special result:\n");
    return noticed(path, planted, " 0:", v.forms) && noticed(path, planted, " special", v.forms);
}

static int self_all(const char *folder) {
    bool good = true;
    for (unsigned family = 0; family < FAMILIES; family++) {
        const bool fine = self(folder, family);
        if (!fine) printf("%s: the reader does not do its work\n", family_names[family]);
        good = good && fine;
    }
    return good ? 0 : 1;
}

int main(int argc, char **argv) {
    const int status = harness_start(1, argv);
    const size_t stride = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
    if (status != 0) return status;
    if (argc == 3 && strcmp(argv[1], "self") == 0) return harness_end(self_all(argv[2]));
    if (stride != 0) return harness_end(compare_file(argv[1], stride));
    fputs("usage: test_truth FILE STRIDE | test_truth self FOLDER\n", stderr);
    return 1;
}
