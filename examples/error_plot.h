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
    const char *name, *about; /**< what is drawn, and figures for its right side */
    const float *error;       /**< n values; what is not finite is left out */
    double rms;               /**< of the errors: a line on either side marks it; none if it is NaN */
} error_curve;

/**
 * Curves of n errors each, in units of unit (> 0), over a common axis. The texts go into the file as they
 * are: no &, no <. Returns 0, or -1 if it could not be written.
 */
int error_plot(FILE *f, const char *title, const error_curve *curves, size_t count, size_t n, double unit);

#endif
