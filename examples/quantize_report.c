/* SPDX-License-Identifier: MIT */
/* Prints the tables of the quantize example and draws its picture. */
#include "quantize_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "error_plot.h"

bool is_first(const result *results, size_t k) {
    return k == 0 || strcmp(results[k].recipe->format, results[k - 1].recipe->format) != 0;
}

static double decibels(double signal, double noise) {
    return 20.0 * log10(signal / noise);
}

/* ---- errors ---- */

static void print_difference(const char *of, size_t codes, size_t scales) {
    printf("%4s%7zu%3s%6zu", of, codes, of, scales);
}

/* Prints how many codes and scales differ from those of the format's first recipe. The row of that recipe has the total
 * numbers of codes and scales instead. */
static void print_others(const result *results, size_t k, size_t elements) {
    const result *r = &results[k];
    for (int source = 0; source < SOURCES; ++source)
        if (is_first(results, k))
            print_difference("of", elements, r->scales);
        else
            print_difference("", r->others[source].codes, r->others[source].scales);
    puts("");
}

void print_errors(const result *results, size_t count, size_t elements, double unit) {
    puts("\nErrors against the tensor's RMS; and how many codes and scales are not those of the format's "
         "first "
         "rule,\nfrom f32 and from bf16\n");
    printf("%-12s %-13s%9s%11s%10s%9s%11s%9s%11s%9s\n", "format", "rule", "bits/elem", "max / RMS",
           "RMS / RMS", "SNR", "f32 codes", "scales", "bf16 codes", "scales");
    for (size_t k = 0; k < count; ++k) {
        const result *r = &results[k];
        char label[RULE_LABEL];
        printf("%-12s %-13s%9.3f%10.1f%%%9.3f%%%6.1f dB", is_first(results, k) ? r->recipe->format : "",
               recipe_rule(r->recipe, label), r->bits, 100.0 * r->max / unit, 100.0 * r->rms / unit,
               decibels(unit, r->rms));
        print_others(results, k, elements);
        if (r->lost != 0)
            printf("%26zu elements are not finite, in the tensor or after the way back\n", r->lost);
    }
}

/* ---- backends ---- */

static void print_isas(void) {
    for (int isa = 0; isa < isas(); ++isa)
        if (pto_isa_available((pto_isa)isa)) printf("%11s%8s", pto_isa_name((pto_isa)isa), "back");
    puts("");
}

void print_speed(const result *results, size_t count, size_t elements) {
    printf("\nGigaelements per second, the best of some runs: to the format and back to f32\n\n%-12s %-14s",
           "", "");
    print_isas();
    for (size_t k = 0; k < count; ++k) {
        char label[RULE_LABEL];
        if (!is_first(results, k)) continue;
        printf("%-12s %-14s", results[k].recipe->format, recipe_rule(results[k].recipe, label));
        for (int isa = 0; isa < isas(); ++isa) {
            const outcome *o = &results[k].outcome[isa];
            if (pto_isa_available((pto_isa)isa))
                printf("%11.3f%8.3f", (double)elements / o->quantize * 1e-9,
                       (double)elements / o->dequantize * 1e-9);
        }
        puts("");
    }
}

bool print_bits(const result *results, size_t count) {
    bool all = true;
    printf("\nSame bits as scalar, in codes, scales and on the way back, with all %zu recipes, from f32 and "
           "from "
           "bf16\n\n",
           count);
    for (int isa = 0; isa < isas(); ++isa) {
        size_t same = 0;
        printf("%-12s ", pto_isa_name((pto_isa)isa));
        if (!pto_isa_available((pto_isa)isa)) {
            puts("skipped: not on this machine or not in this build");
            continue;
        }
        for (size_t k = 0; k < count; ++k) same += results[k].outcome[isa].same;
        printf("%s\n", same == count ? "yes" : "NO");
        all = all && same == count;
    }
    return all;
}

/* ---- the picture ---- */

/* More panels than this are hard to read; later formats are left out. */
enum { CURVES = 6, NAME = 64, ABOUT = 128 };

static size_t make_curves(const result *results, size_t count, double unit, error_curve curves[CURVES],
                          char names[CURVES][NAME], char about[CURVES][ABOUT]) {
    size_t n = 0;
    for (size_t k = 0; k < count && n < CURVES; ++k) {
        const result *r = &results[k];
        char label[RULE_LABEL];
        if (r->error == NULL) continue;
        snprintf(names[n], NAME, "%s, %s", r->recipe->format, recipe_rule(r->recipe, label));
        snprintf(about[n], ABOUT, "%.2f bits per element: RMS %.1f %%, max %.0f %%, SNR %.1f dB", r->bits,
                 100.0 * r->rms / unit, 100.0 * r->max / unit, decibels(unit, r->rms));
        curves[n] = (error_curve){names[n], about[n], r->error, r->rms};
        ++n;
    }
    return n;
}

bool draw(const char *folder, const result *results, size_t count, size_t elements, double unit) {
    char path[4096], title[128], names[CURVES][NAME], about[CURVES][ABOUT];
    error_curve curves[CURVES];
    const size_t n = make_curves(results, count, unit, curves, names, about);
    FILE *f;
    bool drawn;

    snprintf(title, sizeof title, "Error of block-scaled formats: %zu values", elements);
    if (snprintf(path, sizeof path, "%s/quantize.svg", folder) >= (int)sizeof path) return false;
    f = fopen(path, "w");
    if (f == NULL) return false;
    drawn = error_plot(f, title, curves, n, elements, unit) == 0;
    drawn = fclose(f) == 0 && drawn;
    if (drawn) printf("\npicture   %s\n", path);
    return drawn;
}
