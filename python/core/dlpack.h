/* SPDX-License-Identifier: MIT */
/* The structs that DLPack 1.3 defines: tensors in capsules, and the table of C functions that an array type exports. */
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
    DL_E3M4 = 7,
    DL_E4M3 = 8,
    DL_E4M3B11FNUZ = 9,
    DL_E4M3FN = 10,
    DL_E4M3FNUZ = 11,
    DL_E5M2 = 12,
    DL_E5M2FNUZ = 13,
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
    int64_t *shape, *strides; /* in elements; NULL strides mean row-major order without gaps */
    uint64_t byte_offset;
};

/* The content of a capsule named "dltensor". */
struct dl_managed {
    struct dl_tensor tensor;
    void *manager;
    void (*deleter)(struct dl_managed *self);
};

/* The content of a capsule named "dltensor_versioned". */
struct dl_versioned {
    uint32_t major, minor;
    void *manager;
    void (*deleter)(struct dl_versioned *self);
    uint64_t flags;
    struct dl_tensor tensor;
};

enum { DL_READ_ONLY = 1 };

/* The content of the capsule "dlpack_exchange_api", which is the attribute __dlpack_c_exchange_api__ of an array type.
 * Functions return 0, or -1 with a Python exception. */
struct dl_exchange {
    uint32_t major, minor;
    const struct dl_exchange *previous; /* a table of an older major version, or NULL */
    int (*allocate)(struct dl_tensor *like, struct dl_versioned **out, void *context,
                    void (*set_error)(void *context, const char *kind, const char *message));
    int (*managed_from_object)(void *object, struct dl_versioned **out);
    int (*object_from_managed)(struct dl_versioned *tensor, void **out); /* takes ownership of tensor */
    int (*borrow_from_object)(void *object, struct dl_tensor *out);      /* may be NULL */
    int (*current_stream)(int32_t device_type, int32_t device_id, void **out);
};

#endif
