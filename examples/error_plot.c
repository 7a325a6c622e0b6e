/* SPDX-License-Identifier: MIT */
/* Writes histograms of errors as an SVG file. */
#include "error_plot.h"

#include <math.h>
#include <string.h>

/* Sizes in pixels, except BINS and DECADES. BINS is odd, so that one bin is centred on 0. DECADES is the height of the
 * vertical axis, from 100 % down. */
enum { WIDTH = 776, LEFT = 96, RIGHT = 30, TOP = 92, PANEL = 130, GAP = 40, BINS = 121, DECADES = 6 };
enum { PLOT = WIDTH - LEFT - RIGHT };

static const char *const colours[] = {"#0072b2", "#d55e00", "#007a5a"};
enum { COLOURS = sizeof colours / sizeof colours[0] };

/* The horizontal axis: from -range to range, with a tick at every step. */
struct axis {
    double range, step;
};

/* Returns an axis with the smallest step of 1, 2 or 5 times a power of ten that reaches the largest error with at most
 * four ticks. */
static struct axis choose_axis(double largest) {
    struct axis a;
    double step = pow(10.0, floor(log10(largest / 4.0)));
    if (4.0 * step < largest) step *= 2.0;
    if (4.0 * step < largest) step *= 2.5;
    if (4.0 * step < largest) step *= 2.0;
    a.step = step;
    a.range = step * ceil(largest / step);
    return a;
}

static double largest_error(const error_curve *curves, size_t count, size_t n) {
    double largest = 0.0;
    for (size_t c = 0; c < count; ++c)
        for (size_t i = 0; i < n; ++i) {
            double e = fabs((double)curves[c].error[i]);
            if (isfinite(e) && e > largest) largest = e;
        }
    return largest;
}

/* Counts the finite errors in each bin. unit_range: the range of the axis, in the unit of the errors. */
static void count_errors(const float *error, size_t n, double unit_range, size_t counts[BINS]) {
    memset(counts, 0, BINS * sizeof *counts);
    for (size_t i = 0; i < n; ++i)
        if (isfinite(error[i])) {
            int bin = (int)floor(((double)error[i] / unit_range + 1.0) / 2.0 * BINS);
            if (bin >= BINS) bin = BINS - 1; /* the upper end of the range belongs to the last bin */
            ++counts[bin < 0 ? 0 : bin];
        }
}

static double at_x(struct axis a, double value) {
    return LEFT + PLOT * (value / a.range + 1.0) / 2.0;
}

static double at_y(double top, double share) {
    double below = share > 0.0 ? -log10(share) : DECADES;
    return top + PANEL * (below < DECADES ? below : DECADES) / DECADES;
}

static void put_head(FILE *f, const char *title, int height) {
    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
            "font-family=\"Helvetica, Arial, DejaVu Sans, sans-serif\" font-size=\"12\" fill=\"#222\">\n",
            WIDTH, height, WIDTH, height);
    fputs("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n", f);
    fprintf(f,
            "<text x=\"%d\" y=\"28\" font-size=\"16\" font-weight=\"bold\">%s</text>\n"
            "<path d=\"M%d 48h22\" stroke=\"#222\" stroke-dasharray=\"4 3\"/>"
            "<text x=\"%d\" y=\"52\">RMS error, either side of 0</text>\n",
            LEFT, title, LEFT, LEFT + 28);
}

/* Draws the lines and labels of a panel whose top is at `top`. The curve is drawn over them. */
static void put_grid(FILE *f, struct axis a, int top) {
    const int ticks = (int)lround(a.range / a.step);
    for (int d = 0; d <= DECADES; d += 2) {
        const double share = pow(10.0, -d);
        const double y = at_y(top, share);
        fprintf(f,
                "<path d=\"M%d %.1fh%d\" stroke=\"#ddd\"/>"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g %%</text>\n",
                LEFT, y, PLOT, LEFT - 8, y + 4.0, 100.0 * share);
    }
    for (int t = -ticks; t <= ticks; ++t)
        fprintf(f, "<path d=\"M%.1f %dv%d\" stroke=\"#ddd\"/>\n", at_x(a, t * a.step), top, PANEL);
}

static void put_curve(FILE *f, const size_t counts[BINS], size_t n, int top, const char *colour) {
    fprintf(f, "<path fill=\"%s\" fill-opacity=\".35\" stroke=\"%s\" d=\"M%d %d", colour, colour, LEFT,
            top + PANEL);
    for (int b = 0; b < BINS; ++b)
        fprintf(f, "V%.1fH%.1f", at_y(top, (double)counts[b] / (double)n), LEFT + PLOT * (b + 1.0) / BINS);
    fprintf(f, "V%dz\"/>\n", top + PANEL);
}

static void put_rms(FILE *f, struct axis a, double rms, int top) {
    fprintf(f, "<path d=\"M%.1f %dv%dM%.1f %dv%d\" stroke=\"#222\" stroke-dasharray=\"4 3\"/>\n",
            at_x(a, -rms), top, PANEL, at_x(a, rms), top, PANEL);
}

static void put_labels(FILE *f, const error_curve *c, int top, const char *colour) {
    fprintf(
        f,
        "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\" fill-opacity=\".35\" stroke=\"%s\"/>"
        "<text x=\"%d\" y=\"%d\" font-size=\"14\" font-weight=\"bold\">%s</text>"
        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n",
        LEFT, top - 19, colour, colour, LEFT + 19, top - 8, c->name, LEFT + PLOT, top - 8, c->about);
}

static void put_axis(FILE *f, struct axis a, int bottom, size_t count) {
    const int ticks = (int)lround(a.range / a.step), middle = (TOP + GAP / 2 + bottom) / 2;
    for (int t = -ticks; t <= ticks; ++t)
        fprintf(f, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g %%</text>\n", at_x(a, t * a.step),
                bottom + 18, 100.0 * t * a.step);
    fprintf(
        f,
        "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">error, as a percentage of the tensor's RMS</text>\n",
        LEFT + PLOT / 2, bottom + 40);
    if (count > 0)
        fprintf(f,
                "<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">"
                "share of the elements, per bin of %.3g %%</text>\n",
                middle, 200.0 * a.range / BINS);
}

int error_plot(FILE *f, const char *title, const error_curve *curves, size_t count, size_t n, double unit) {
    const double largest = largest_error(curves, count, n) / unit;
    const struct axis a = choose_axis(largest > 0.0 ? largest : 1.0);
    const int bottom = TOP + (int)count * (PANEL + GAP) - GAP;

    put_head(f, title, bottom + 56);
    for (size_t c = 0; c < count; ++c) {
        const int top = TOP + (int)c * (PANEL + GAP);
        const char *colour = colours[c % COLOURS];
        size_t counts[BINS];
        count_errors(curves[c].error, n, a.range * unit, counts);
        put_grid(f, a, top);
        put_curve(f, counts, n, top, colour);
        if (isfinite(curves[c].rms)) put_rms(f, a, curves[c].rms / unit, top);
        put_labels(f, &curves[c], top, colour);
    }
    put_axis(f, a, bottom, count);
    fputs("</svg>\n", f);
    return ferror(f) == 0 ? 0 : -1;
}
