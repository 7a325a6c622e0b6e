/* SPDX-License-Identifier: MIT */
/* What DLPack 1.1 lays down of the structs behind its capsules. */
#ifndef DLPACK_H
#define DLPACK_H

#include <stdint.h>

enum dl_device { DL_CPU = 1, DL_CUDA_HOST = 3, DL_ROCM_HOST = 11, DL_CUDA_MANAGED = 13 };

enum dl_code {
    DL_INT = 0,
    DL_UINT = 1,
    DL_FLOAT = 2,
    DL_BFLOAT = 4,
    DL_BOOL = 6,
    DL_E4M3FN = 10,
    DL_E5M2 = 12,
    DL_E8M0FNU = 14,
    DL_E2M1FN = 17
};

struct dl_type {
    uint8_t code;
    uint8_t bits;
    uint16_t lanes;
};

struct dl_tensor {
    void *data;
    int32_t device_type, device_id;
    int32_t ndim;
    struct dl_type dtype;
    int64_t *shape, *strides; /* in elements; without strides the elements lie end to end */
    uint64_t byte_offset;
};

/* Of a capsule "dltensor". */
struct dl_managed {
    struct dl_tensor tensor;
    void *manager;
    void (*deleter)(struct dl_managed *self);
};

/* Of a capsule "dltensor_versioned". */
struct dl_versioned {
    uint32_t major, minor;
    void *manager;
    void (*deleter)(struct dl_versioned *self);
    uint64_t flags;
    struct dl_tensor tensor;
};

enum { DL_READ_ONLY = 1 };

#endif
