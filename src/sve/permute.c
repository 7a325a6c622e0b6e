/* SPDX-License-Identifier: MIT */
/* Permutation kernels of SVE, which gathers lanes from memory. Lanes of 8 and 16 bits are gathered into lanes of 32
 * bits. */
#include "sve/vector.h"

/* X(W, w, count, load, gather, store): lanes of W bits in vectors of `count` lanes of w bits */
#define EACH_WIDTH(X)                                                                                        \
    X(8, 32, svcntw, svld1ub_u32, svld1ub_gather_u32offset_u32, svst1b_u32)                                  \
    X(16, 32, svcntw, svld1uh_u32, svld1uh_gather_u32index_u32, svst1h_u32)                                  \
    X(32, 32, svcntw, svld1_u32, svld1_gather_u32index_u32, svst1_u32)                                       \
    X(64, 64, svcntd, svld1_u64, svld1_gather_u64index_u64, svst1_u64)

/* A group has one or more vectors of `step` lanes, or a vector has whole groups. */
#define GATHER(W, w, count, load, gather, store)                                                             \
    static bool gather_##W(size_t lanes, const u##W *src, const u##W *index, u##W *dst, size_t n) {          \
        const size_t step = lanes >= count() ? count() : count() - count() % lanes;                          \
        const size_t span = lanes >= count() ? lanes : step;                                                 \
        const bool masks = (lanes & (lanes - 1)) == 0;                                                       \
        const svbool_t all = svptrue_b##w();                                                                 \
        const svuint##w##_t number = svindex_u##w(0, 1);                                                     \
        svuint##w##_t first;                                                                                 \
        if (lanes > UINT32_MAX) return false;                                                                \
        first = svmul_x(all, svdiv_x(all, number, (u##w)lanes), (u##w)lanes);                                \
        for (size_t group = 0; group < n; group += span) {                                                   \
            const size_t end = min_size(group + span, n);                                                    \
            for (size_t at = group; at < end; at += step) {                                                  \
                const svbool_t pg = svwhilelt_b##w##_u64(at, min_size(at + step, end));                      \
                svuint##w##_t from = load(pg, index + at);                                                   \
                if (masks)                                                                                   \
                    from = svand_x(pg, from, (u##w)(lanes - 1));                                             \
                else                                                                                         \
                    from = svmls_x(pg, from, svdiv_x(pg, from, (u##w)lanes), (u##w)lanes);                   \
                if (lanes < count()) from = svadd_x(pg, from, first);                                        \
                store(pg, dst + at, gather(pg, src + group, from));                                          \
            }                                                                                                \
        }                                                                                                    \
        return true;                                                                                         \
    }
EACH_WIDTH(GATHER)
#undef GATHER
#undef EACH_WIDTH

#define PERMUTE_GATHERS
#define ISA sve
#include "loops/permute.h"
