/* SPDX-License-Identifier: MIT */
/**
 * @file quantize_report.h
 * What the quantizer tells: tables, and a picture.
 */
#ifndef QUANTIZE_REPORT_H
#define QUANTIZE_REPORT_H

#include "recipes.h"
#include "support.h"

/** Seconds of one backend, and whether its bits are those of scalar. */
typedef struct outcome {
    double quantize, dequantize;
    bool same;
} outcome;

/** In how many codes and scales a recipe differs from the first one of its format. */
typedef struct difference {
    size_t codes, scales;
} difference;

/** The types that the tensor is quantised from. */
enum { FROM_F32, FROM_BF16, SOURCES };

/** All that is known of a recipe. */
typedef struct result {
    const recipe *recipe;
    double bits;     /**< per element, with its share of the scales */
    double max, rms; /**< of the errors from f32 that are finite, NaN if none is */
    size_t lost;     /**< elements that are not finite before or after */
    size_t scales;   /**< how many there are */
    difference others[SOURCES];
    float *error;              /**< of each element from f32; NULL if it is not drawn */
    outcome outcome[MAX_ISAS]; /**< of those that are available: times from f32, same bits from both */
} result;

/** Whether this is the first recipe of its format, which is timed and drawn. */
bool is_first(const result *results, size_t k);

/** unit: the RMS of the tensor. */
void print_errors(const result *results, size_t count, size_t elements, double unit);

void print_speed(const result *results, size_t count, size_t elements);

/** Whether each backend gave the same bits as scalar with every recipe. */
bool print_bits(const result *results, size_t count);

/** Draws FOLDER/quantize.svg; false if it cannot be written. */
bool draw(const char *folder, const result *results, size_t count, size_t elements, double unit);

#endif
