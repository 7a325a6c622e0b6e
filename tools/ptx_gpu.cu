/* SPDX-License-Identifier: MIT */
/* Runs instructions on a GPU for ptx_digest. Operands are copied to the GPU, and results are copied back. */
#include "ptx_chip.h"
#include "ptx_device.cuh"

/* ---- device ---- */

/* These are not inlined, because there are many kernels. */
static __device__ __noinline__ ptx_operands fetch(const truth_shape &shape, const ptx_batch &batch,
                                                  uint64_t i) {
    return ptx_fetch(&shape, &batch, i);
}

static __device__ __noinline__ void store(const truth_shape &shape, const ptx_batch &batch, uint64_t first,
                                          const uint64_t results[PTX_GROUP]) {
    ptx_store(&shape, &batch, first, results);
}

/** Each thread runs groups of PTX_GROUP consecutive instructions, and stores the results of a group together. */
template <class Part> __global__ void run_batch(unsigned number, truth_shape shape, ptx_batch batch) {
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x * PTX_GROUP;
    for (uint64_t first = ((uint64_t)blockIdx.x * blockDim.x + threadIdx.x) * PTX_GROUP;
         first < batch.instructions; first += step) {
        uint64_t results[PTX_GROUP] = {0};
#pragma unroll 1
        for (unsigned k = 0; k < PTX_GROUP && first + k < batch.instructions; k++) {
            results[k] = Part::run(number, fetch(shape, batch, first + k));
        }
        store(shape, batch, first, results);
    }
}

/* ---- host ---- */

typedef void launcher(unsigned number, const truth_shape &shape, const ptx_batch &batch);

template <class Part> static void launch(unsigned number, const truth_shape &shape, const ptx_batch &batch) {
    const unsigned threads = 64, groups = (unsigned)((batch.instructions + PTX_GROUP - 1) / PTX_GROUP);
    run_batch<Part><<<(groups + threads - 1) / threads, threads>>>(number, shape, batch);
}

#define FORM(...)
#define PART(family, k) launch<family##_##k>,
#define END_PART(family, k)
static launcher *const parts[] = {
#include "ptx_truth_forms.inc"
};

/** Arrays in GPU memory for the pointers of struct ptx_batch, in the same order. */
static unsigned char *arrays[4];

void ptx_chip_open(ptx_chip *chip) {
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0), "no GPU");
    chip->levels = levels_here();
    snprintf(chip->name, sizeof chip->name, "%s", target_of(properties).c_str());
    for (unsigned char *&array : arrays) check(cudaMalloc((void **)&array, PTX_MOST_BYTES), "memory");
}

static void copy_there(void *to, const void *from, size_t bytes) {
    if (bytes != 0) check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "operands");
}

void ptx_chip_run(const ptx_instruction *instruction, const truth_shape *shape, const ptx_batch *batch) {
    ptx_batch there = *batch;
    there.source = arrays[0];
    there.other = arrays[1];
    there.extra = arrays[2];
    there.result = arrays[3];
    copy_there(arrays[0], batch->source, batch->source_bytes);
    copy_there(arrays[1], batch->other, batch->other_bytes);
    copy_there(arrays[2], batch->extra, batch->extra_bytes);
    parts[instruction->part](instruction->number, *shape, there);
    check(cudaGetLastError(), instruction->text);
    check(cudaMemcpy(batch->result, arrays[3], batch->result_bytes, cudaMemcpyDeviceToHost),
          instruction->text);
}
