// SPDX-License-Identifier: MIT
// read_gguf FILE.gguf OUT: opens a GGUF file with ggml's own reader, validates each tensor, and dequantizes it with
// ggml's own functions. Prints the name, the type and the sizes of each tensor, and writes all values to OUT as f32.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "ggml.h"
#include "gguf.h"

static int fail(const char *what, const char *name) {
    std::fprintf(stderr, "read_gguf: %s: %s\n", what, name);
    return EXIT_FAILURE;
}

static bool write_values(const ggml_tensor *tensor, std::FILE *out) {
    const int64_t count = ggml_nelements(tensor);
    std::vector<float> values((size_t)count);
    const float *from = values.data();
    if (tensor->type == GGML_TYPE_F32)
        from = (const float *)tensor->data;
    else
        ggml_get_type_traits(tensor->type)->to_float(tensor->data, values.data(), count);
    return std::fwrite(from, sizeof *from, (size_t)count, out) == (size_t)count;
}

int main(int count, char **arguments) {
    ggml_context *tensors = nullptr;
    if (count != 3) return fail("usage", "read_gguf FILE.gguf OUT");
    gguf_context *file = gguf_init_from_file(arguments[1], {/*.no_alloc =*/false, /*.ctx =*/&tensors});
    if (file == nullptr) return fail("ggml cannot read", arguments[1]);
    std::FILE *out = std::fopen(arguments[2], "wb");
    if (out == nullptr) return fail("cannot write", arguments[2]);
    for (int64_t i = 0; i < gguf_get_n_tensors(file); ++i) {
        const char *name = gguf_get_tensor_name(file, i);
        const ggml_tensor *tensor = ggml_get_tensor(tensors, name);
        if (!ggml_validate_row_data(tensor->type, tensor->data, ggml_nbytes(tensor)))
            return fail("not valid", name);
        if (!write_values(tensor, out)) return fail("cannot write", arguments[2]);
        std::printf("%s %s %lld %lld\n", name, ggml_type_name(tensor->type), (long long)tensor->ne[1],
                    (long long)tensor->ne[0]);
    }
    if (std::fclose(out) != 0) return fail("cannot write", arguments[2]);
    gguf_free(file);
    ggml_free(tensors);
    return EXIT_SUCCESS;
}
