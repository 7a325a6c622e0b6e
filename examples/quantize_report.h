/* SPDX-License-Identifier: MIT */
/**
 * @file quantize_report.h
 * The report of the quantize example: tables and a picture.
 */
#ifndef QUANTIZE_REPORT_H
#define QUANTIZE_REPORT_H

#include "recipes.h"
#include "support.h"

/** The times of one backend in seconds, and whether its bits are those of scalar. */
typedef struct outcome {
    double quantize, dequantize;
    bool same;
} outcome;

/** The numbers of codes and scales in which a recipe differs from the first one of its format. */
typedef struct difference {
    size_t codes, scales;
} difference;

/** The types that the tensor is quantized from. */
enum { FROM_F32, FROM_BF16, SOURCES };

/** All results of one recipe. */
typedef struct result {
    const recipe *recipe;
    double bits;     /**< per element, including its share of the scales */
    double max, rms; /**< of the finite errors from f32, NaN if there are none */
    size_t lost;     /**< elements that are not finite before or after */
    size_t scales;   /**< number of scales */
    difference others[SOURCES];
    float *error;              /**< error of each element from f32; NULL if it is not drawn */
    outcome outcome[MAX_ISAS]; /**< of available backends: times from f32, same bits from both types */
} result;

/** Returns whether this is the first recipe of its format, which is timed and drawn. */
bool is_first(const result *results, size_t k);

/** Prints the table of errors. unit: the RMS of the tensor. */
void print_errors(const result *results, size_t count, size_t elements, double unit);

void print_speed(const result *results, size_t count, size_t elements);

/** Prints and returns whether each backend gave the same bits as scalar with every recipe. */
bool print_bits(const result *results, size_t count);

/** Draws FOLDER/quantize.svg. Returns false if it cannot be written. */
bool draw(const char *folder, const result *results, size_t count, size_t elements, double unit);

#endif
