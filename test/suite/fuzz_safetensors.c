/* SPDX-License-Identifier: MIT */
/* Fuzz target for libFuzzer: a safetensors file is read, or refused with a reason, and a tensor has as many
 * elements as its shape says. An input that begins with a brace is a header up to the first line feed, followed by
 * the elements. Any other input is a whole file. */
#include "safetensors.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void check(const struct tensor *t, FILE *f) {
    const unsigned char *const bytes = t->data;
    size_t n = 1;
    unsigned sum = 0;
    if (t->dims > TENSOR_MAX_DIMS) abort();
    for (size_t i = 0; i < t->dims; ++i) n *= t->shape[i];
    if (n != t->n || tensor_bytes(t) > (size_t)ftell(f)) abort();
    for (size_t i = 0; i < tensor_bytes(t); ++i) sum += bytes[i]; /* reads every byte */
    if (sum == UINT32_MAX) abort();
}

static void read_as(unsigned char *file, size_t size, const char *name) {
    FILE *const f = fmemopen(file, size, "rb");
    char wrong[TENSOR_ERROR_SIZE] = "";
    struct tensor t;
    if (f == NULL) return;
    if (safetensors_read_stream(f, name, &t, wrong))
        check(&t, f);
    else if (wrong[0] == '\0' || t.data != NULL)
        abort();
    free(t.data);
    fclose(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    const uint8_t *const feed = size != 0 && input[0] == '{' ? memchr(input, '\n', size) : NULL;
    const uint64_t header = feed == NULL ? 0 : (uint64_t)(feed - input);
    unsigned char *const file = malloc(size + sizeof header);
    size_t length = size;
    if (file == NULL || size == 0) {
        free(file);
        return 0;
    }
    if (feed == NULL) {
        memcpy(file, input, size);
    } else {
        length = size - 1 + sizeof header;
        memcpy(file, &header, sizeof header); /* little-endian, like every CPU that libpto supports */
        memcpy(file + sizeof header, input, header);
        memcpy(file + sizeof header + header, feed + 1, size - header - 1);
    }
    read_as(file, length, NULL);
    read_as(file, length, "a");
    free(file);
    return 0;
}
