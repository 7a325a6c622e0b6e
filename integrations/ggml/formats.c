/* SPDX-License-Identifier: MIT */
#include "formats.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pto_ggml.h"

/* Stores the address of a function in *function. */
static void load(void *library, const char *name, void *function) {
    void *const symbol = dlsym(library, name);
    if (symbol == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(EXIT_FAILURE);
    }
    memcpy(function, &symbol, sizeof symbol);
}

void load_formats(const char *path, struct format formats[FORMATS]) {
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(EXIT_FAILURE);
    }
    formats[MXFP4] = (struct format){
        .name = "mxfp4",
        .elements = 32,
        .bytes = 17,
        .scales = 1,
        .ours = {pto_ggml_quantize_row_mxfp4, pto_ggml_dequantize_row_mxfp4, pto_ggml_quantize_mxfp4}};
    formats[NVFP4] = (struct format){
        .name = "nvfp4",
        .elements = 64,
        .bytes = 36,
        .scales = 4,
        .ours = {pto_ggml_quantize_row_nvfp4, pto_ggml_dequantize_row_nvfp4, pto_ggml_quantize_nvfp4}};
    load(library, "quantize_row_mxfp4_ref", &formats[MXFP4].theirs.quantize);
    load(library, "quantize_row_nvfp4_ref", &formats[NVFP4].theirs.quantize);
    load(library, "dequantize_row_mxfp4", &formats[MXFP4].theirs.dequantize);
    load(library, "dequantize_row_nvfp4", &formats[NVFP4].theirs.dequantize);
    load(library, "quantize_mxfp4", &formats[MXFP4].theirs.quantize_rows);
    load(library, "quantize_nvfp4", &formats[NVFP4].theirs.quantize_rows);
}

uint64_t random_bits(uint64_t *state) {
    uint64_t x = *state += 0x9e3779b97f4a7c15U; /* splitmix64 */
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
}

float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

void fill_normal(float *x, size_t n, uint64_t *state) {
    for (size_t i = 0; i < n; ++i) {
        const uint64_t bits = random_bits(state);
        const double u = ((double)(bits >> 32) + 1) * 0x1p-32, v = (double)(bits & 0xffffffffU) * 0x1p-32;
        x[i] = (float)(sqrt(-2 * log(u)) * cos(6.283185307179586 * v));
    }
}

void *allocate(size_t bytes) {
    void *const memory = malloc(bytes);
    if (memory == NULL) {
        fputs("no memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return memory;
}
