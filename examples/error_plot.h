/* SPDX-License-Identifier: MIT */
/**
 * @file error_plot.h
 * Draws histograms of errors, one above the other, as SVG.
 */
#ifndef ERROR_PLOT_H
#define ERROR_PLOT_H

#include <stddef.h>
#include <stdio.h>

typedef struct error_curve {
    const char *name, *about; /**< title of the curve, and figures shown on its right side */
    const float *error;       /**< n values; values that are not finite are left out */
    double rms; /**< RMS of the errors, marked by a line on either side of 0; no lines if it is a NaN */
} error_curve;

/**
 * Draws curves of n errors each over a common axis, in units of `unit` (> 0). The texts are written to the file
 * unchanged, so they must not contain & or <. Returns 0, or -1 if the file cannot be written.
 */
int error_plot(FILE *f, const char *title, const error_curve *curves, size_t count, size_t n, double unit);

#endif
