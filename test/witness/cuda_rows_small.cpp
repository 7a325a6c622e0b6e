/* SPDX-License-Identifier: MIT */
/* The rows of cuda_fp8.h, cuda_fp6.h and cuda_fp4.h: the C functions, which take and return codes, and the
 * classes.
 *
 * Each struct maps one format to the names of its conversions in the header, so that all formats share the code
 * that makes rows. */
#include "witness/cuda_rows.h"

namespace {

/** The rounding and saturation of a form, as types of the headers. */
struct Mode {
    cudaRoundMode round;
    __nv_saturation_t saturation;
};

Mode mode_of(pto_round round, bool satfinite) {
    return {round == PTO_RZ   ? cudaRoundZero
            : round == PTO_RP ? cudaRoundPosInf
                              : cudaRoundNearest,
            satfinite ? __NV_SATFINITE : __NV_NOSAT};
}

#if CUDA_VERSION >= 13050
constexpr bool kNewHeaders = true;
#else
constexpr bool kNewHeaders = false;
#endif

/* ---- the formats; a code has one byte, or half a byte for e2m1 ---- */

using One = unsigned char;
using Two = unsigned short;

template <__nv_fp8_interpretation_t kind> struct Fp8 {
    static One narrow(float x, Mode m) { return __nv_cvt_float_to_fp8(x, m.saturation, kind); }
    static Two narrow(float2 x, Mode m) { return __nv_cvt_float2_to_fp8x2(x, m.saturation, kind); }
    static One narrow(__half_raw x, Mode m) { return __nv_cvt_halfraw_to_fp8(x, m.saturation, kind); }
    static Two narrow(__half2_raw x, Mode m) { return __nv_cvt_halfraw2_to_fp8x2(x, m.saturation, kind); }
    static One narrow(__nv_bfloat16_raw x, Mode m) {
        return __nv_cvt_bfloat16raw_to_fp8(x, m.saturation, kind);
    }
    static Two narrow(__nv_bfloat162_raw x, Mode m) {
        return __nv_cvt_bfloat16raw2_to_fp8x2(x, m.saturation, kind);
    }
    static __half_raw to_half(One x) { return __nv_cvt_fp8_to_halfraw(x, kind); }
    static __half2_raw to_half(Two x) { return __nv_cvt_fp8x2_to_halfraw2(x, kind); }
#if CUDA_VERSION >= 13050
    static __nv_bfloat16_raw to_bfloat16(One x) {
        return __nv_cvt_fp8_to_bf16raw(x, kind);
    }
    static __nv_bfloat162_raw to_bfloat16(Two x) {
        return __nv_cvt_fp8x2_to_bf162raw(x, kind);
    }
#endif
};

template <__nv_fp6_interpretation_t kind> struct Fp6 {
    static One narrow(float x, Mode m) { return __nv_cvt_float_to_fp6(x, kind, m.round); }
    static Two narrow(float2 x, Mode m) { return __nv_cvt_float2_to_fp6x2(x, kind, m.round); }
    static One narrow(__half_raw x, Mode m) { return __nv_cvt_halfraw_to_fp6(x, kind, m.round); }
    static Two narrow(__half2_raw x, Mode m) { return __nv_cvt_halfraw2_to_fp6x2(x, kind, m.round); }
    static One narrow(__nv_bfloat16_raw x, Mode m) { return __nv_cvt_bfloat16raw_to_fp6(x, kind, m.round); }
    static Two narrow(__nv_bfloat162_raw x, Mode m) {
        return __nv_cvt_bfloat16raw2_to_fp6x2(x, kind, m.round);
    }
    static __half_raw to_half(One x) { return __nv_cvt_fp6_to_halfraw(x, kind); }
    static __half2_raw to_half(Two x) { return __nv_cvt_fp6x2_to_halfraw2(x, kind); }
#if CUDA_VERSION >= 13050
    static __nv_bfloat16_raw to_bfloat16(One x) {
        return __nv_cvt_fp6_to_bf16raw(x, kind);
    }
    static __nv_bfloat162_raw to_bfloat16(Two x) {
        return __nv_cvt_fp6x2_to_bf162raw(x, kind);
    }
#endif
};

struct Fp4 {
    static constexpr __nv_fp4_interpretation_t kind = __NV_E2M1;
    static __nv_fp4_e2m1 nibble(One code) {
        __nv_fp4_e2m1 value;
        value.__x = code;
        return value;
    }
    static __nv_fp4_e2m1 narrow(float x, Mode m) { return nibble(__nv_cvt_float_to_fp4(x, kind, m.round)); }
    static One narrow(float2 x, Mode m) { return __nv_cvt_float2_to_fp4x2(x, kind, m.round); }
    static __nv_fp4_e2m1 narrow(__half_raw x, Mode m) {
        return nibble(__nv_cvt_halfraw_to_fp4(x, kind, m.round));
    }
    static One narrow(__half2_raw x, Mode m) { return __nv_cvt_halfraw2_to_fp4x2(x, kind, m.round); }
    static __nv_fp4_e2m1 narrow(__nv_bfloat16_raw x, Mode m) {
        return nibble(__nv_cvt_bfloat16raw_to_fp4(x, kind, m.round));
    }
    static One narrow(__nv_bfloat162_raw x, Mode m) {
        return __nv_cvt_bfloat16raw2_to_fp4x2(x, kind, m.round);
    }
    static __half_raw to_half(__nv_fp4_e2m1 x) { return __nv_cvt_fp4_to_halfraw(x.__x, kind); }
    static __half2_raw to_half(One x) { return __nv_cvt_fp4x2_to_halfraw2(x, kind); }
#if CUDA_VERSION >= 13050
    static __nv_bfloat16_raw to_bfloat16(__nv_fp4_e2m1 x) {
        return __nv_cvt_fp4_to_bf16raw(x.__x, kind);
    }
    static __nv_bfloat162_raw to_bfloat16(One x) {
        return __nv_cvt_fp4x2_to_bf162raw(x, kind);
    }
#endif
};

struct E8m0 {
    static One narrow(float x, Mode m) { return __nv_cvt_float_to_e8m0(x, m.saturation, m.round); }
    static Two narrow(float2 x, Mode m) { return __nv_cvt_float2_to_e8m0x2(x, m.saturation, m.round); }
    static One narrow(__nv_bfloat16_raw x, Mode m) {
        return __nv_cvt_bfloat16raw_to_e8m0(x, m.saturation, m.round);
    }
    static Two narrow(__nv_bfloat162_raw x, Mode m) {
        return __nv_cvt_bfloat162raw_to_e8m0x2(x, m.saturation, m.round);
    }
    static __nv_bfloat16_raw to_bfloat16(One x) { return __nv_cvt_e8m0_to_bf16raw(x); }
    static __nv_bfloat162_raw to_bfloat16(Two x) { return __nv_cvt_e8m0x2_to_bf162raw(x); }
};

#if CUDA_VERSION >= 13050
struct Ue5m3 {
    static One narrow(float x, Mode m) { return __nv_cvt_float_to_ue5m3(x, m.saturation, m.round); }
    static Two narrow(float2 x, Mode m) { return __nv_cvt_float2_to_ue5m3x2(x, m.saturation, m.round); }
    static One narrow(__half_raw x, Mode m) { return __nv_cvt_halfraw_to_ue5m3(x, m.saturation, m.round); }
    static Two narrow(__half2_raw x, Mode m) {
        return __nv_cvt_half2raw_to_ue5m3x2(x, m.saturation, m.round);
    }
    static One narrow(__nv_bfloat16_raw x, Mode m) {
        return __nv_cvt_bfloat16raw_to_ue5m3(x, m.saturation, m.round);
    }
    static Two narrow(__nv_bfloat162_raw x, Mode m) {
        return __nv_cvt_bfloat162raw_to_ue5m3x2(x, m.saturation, m.round);
    }
    static __half_raw to_half(One x) { return __nv_cvt_ue5m3_to_halfraw(x); }
    static __half2_raw to_half(Two x) { return __nv_cvt_ue5m3x2_to_halfraw2(x); }
    static __nv_bfloat16_raw to_bfloat16(One x) { return __nv_cvt_ue5m3_to_bf16raw(x); }
    static __nv_bfloat162_raw to_bfloat16(Two x) { return __nv_cvt_ue5m3x2_to_bf162raw(x); }
};
#endif

/* ---- rows of functions ---- */

/** Adds the C functions that narrow one element and two. */
template <class Format, class S, class S2> void add_narrow(Rows &rows, const pto_cvt_op &op, int isa) {
    const Mode mode = mode_of(op.round, op.satfinite);
    rows.push_back(row_of<S>(
        "function, narrowing", op, [mode](const S &x) { return Format::narrow(x, mode); }, isa));
    rows.push_back(row_of<S2>(
        "function, narrowing two", op, [mode](const S2 &x) { return Format::narrow(x, mode); }, isa));
}

template <class Format, class S, class S2> void add_to_half(Rows &rows, pto_dtype type, int isa) {
    const pto_cvt_op op = operation(PTO_F16, type, PTO_RN);
    rows.push_back(row_of<S>(
        "function, to half", op, [](const S &x) { return Format::to_half(x); }, isa));
    rows.push_back(row_of<S2>(
        "function, to half2", op, [](const S2 &x) { return Format::to_half(x); }, isa));
}

template <class Format, class S, class S2> void add_to_bfloat16(Rows &rows, pto_dtype type, int isa) {
    const pto_cvt_op op = operation(PTO_BF16, type, PTO_RN);
    rows.push_back(row_of<S>(
        "function, to bfloat16", op, [](const S &x) { return Format::to_bfloat16(x); }, isa));
    rows.push_back(row_of<S2>(
        "function, to bfloat162", op, [](const S2 &x) { return Format::to_bfloat16(x); }, isa));
}

template <class Format> void add_from_float(Rows &rows, const pto_cvt_op &op, int isa) {
    add_narrow<Format, float, float2>(rows, op, isa);
}

template <class Format> void add_from_half(Rows &rows, const pto_cvt_op &op, int isa) {
    add_narrow<Format, __half_raw, __half2_raw>(rows, op, isa);
}

template <class Format> void add_from_bfloat16(Rows &rows, const pto_cvt_op &op, int isa) {
    add_narrow<Format, __nv_bfloat16_raw, __nv_bfloat162_raw>(rows, op, isa);
}

/* ---- rows of classes ---- */

template <class S, class D> void add_cast(Rows &rows, const pto_cvt_op &op, int isa) {
    rows.push_back(row_of<S>(
        "cast", op, [](const S &x) { return static_cast<D>(x); }, isa));
}

/** Adds the constructors of one element and of two. They round like `op`, whose source type is replaced. */
template <class Single, class Pair> void add_constructors(Rows &rows, pto_cvt_op op, int isa) {
    op.src = PTO_F32;
    add_cast<float, Single>(rows, op, isa);
    add_cast<float2, Pair>(rows, op, isa);
    op.src = PTO_BF16;
    add_cast<__nv_bfloat16, Single>(rows, op, isa);
    add_cast<__nv_bfloat162, Pair>(rows, op, isa);
}

template <class Single, class Pair> void add_half_constructors(Rows &rows, const pto_cvt_op &op, int isa) {
    add_cast<__half, Single>(rows, op, isa);
    add_cast<__half2, Pair>(rows, op, isa);
}

/** Adds the conversion operators to half. */
template <class Single, class Pair> void add_half_operators(Rows &rows, pto_dtype type, int isa) {
    add_cast<Single, __half>(rows, operation(PTO_F16, type, PTO_RN), isa);
    add_cast<Pair, __half2>(rows, operation(PTO_F16, type, PTO_RN), isa);
}

template <class Single, class Pair> void add_float_operators(Rows &rows, pto_dtype type) {
    add_cast<Single, float>(rows, operation(PTO_F32, type, PTO_ROUND_NONE), 90);
    add_cast<Pair, float2>(rows, operation(PTO_F32, type, PTO_ROUND_NONE), 90);
}

/* ---- formats with a sign ---- */

/** Adds fp8, fp6 and fp4 to f16 and bf16. The headers of CUDA 13.0 have only f16. */
template <class Format, class S, class S2> void add_widening(Rows &rows, pto_dtype type) {
    add_to_half<Format, S, S2>(rows, type, 90);
    if constexpr (kNewHeaders) add_to_bfloat16<Format, S, S2>(rows, type, 92);
}

/** Adds the narrowing forms. PTX has f16 to e2m3 and e3m2 since 9.1, and .rz since 9.4. */
template <class Format>
void add_narrowing(Rows &rows, pto_dtype type, pto_round round, int isa, int isa_from_half) {
    add_from_float<Format>(rows, operation(type, PTO_F32, round, true), isa);
    add_from_half<Format>(rows, operation(type, PTO_F16, round, true), isa_from_half);
    add_from_bfloat16<Format>(rows, operation(type, PTO_BF16, round, true), isa);
}

template <class Single, class Pair> void add_class(Rows &rows, pto_dtype type, int isa_from_half) {
    const pto_cvt_op narrow = operation(type, PTO_F16, PTO_RN, true);
    add_constructors<Single, Pair>(rows, narrow, 90);
    add_half_constructors<Single, Pair>(rows, narrow, isa_from_half);
    add_half_operators<Single, Pair>(rows, type, 90);
    add_float_operators<Single, Pair>(rows, type);
    add_cast<Single, __nv_bfloat16>(rows, operation(PTO_BF16, type, PTO_ROUND_NONE), 90);
    if constexpr (kNewHeaders) add_cast<Pair, __nv_bfloat162>(rows, operation(PTO_BF16, type, PTO_RN), 92);
}

template <__nv_fp8_interpretation_t kind, class Single, class Pair> void add_fp8(Rows &rows, pto_dtype type) {
    add_narrowing<Fp8<kind>>(rows, type, PTO_RN, 90, 90);
    add_widening<Fp8<kind>, One, Two>(rows, type);
    add_class<Single, Pair>(rows, type, 90);
}

template <__nv_fp6_interpretation_t kind, class Single, class Pair> void add_fp6(Rows &rows, pto_dtype type) {
    add_narrowing<Fp6<kind>>(rows, type, PTO_RN, 90, 91);
    add_narrowing<Fp6<kind>>(rows, type, PTO_RZ, 94, 94);
    add_widening<Fp6<kind>, One, Two>(rows, type);
    add_class<Single, Pair>(rows, type, 91);
}

void add_fp4(Rows &rows) {
    add_narrowing<Fp4>(rows, PTO_E2M1, PTO_RN, 90, 90);
    add_narrowing<Fp4>(rows, PTO_E2M1, PTO_RZ, 94, 94);
    add_widening<Fp4, __nv_fp4_e2m1, One>(rows, PTO_E2M1);
    add_class<__nv_fp4_e2m1, __nv_fp4x2_e2m1>(rows, PTO_E2M1, 90);
}

/* ---- formats without a sign ---- */

void add_e8m0(Rows &rows) {
    for (const pto_round round : {PTO_RZ, PTO_RP}) {
        for (const bool satfinite : {false, true}) {
            add_from_float<E8m0>(rows, operation(PTO_UE8M0, PTO_F32, round, satfinite), 90);
            add_from_bfloat16<E8m0>(rows, operation(PTO_UE8M0, PTO_BF16, round, satfinite), 90);
        }
    }
    add_to_bfloat16<E8m0, One, Two>(rows, PTO_UE8M0, 90);
    add_constructors<__nv_fp8_e8m0, __nv_fp8x2_e8m0>(rows, operation(PTO_UE8M0, PTO_F32, PTO_RP, true), 90);
    add_float_operators<__nv_fp8_e8m0, __nv_fp8x2_e8m0>(rows, PTO_UE8M0);
    add_cast<__nv_fp8_e8m0, __nv_bfloat16>(rows, operation(PTO_BF16, PTO_UE8M0, PTO_RN), 90);
    add_cast<__nv_fp8x2_e8m0, __nv_bfloat162>(rows, operation(PTO_BF16, PTO_UE8M0, PTO_RN), 90);
}

#if CUDA_VERSION >= 13050
void add_ue5m3(Rows &rows) {
    const pto_cvt_op narrow = operation(PTO_UE5M3, PTO_F16, PTO_RN, true),
                     widen = operation(PTO_BF16, PTO_UE5M3, PTO_RN);
    for (const pto_round round : {PTO_RN, PTO_RZ, PTO_RP}) {
        for (const bool satfinite : {false, true}) {
            add_from_float<Ue5m3>(rows, operation(PTO_UE5M3, PTO_F32, round, satfinite), 94);
            add_from_half<Ue5m3>(rows, operation(PTO_UE5M3, PTO_F16, round, satfinite), 94);
            add_from_bfloat16<Ue5m3>(rows, operation(PTO_UE5M3, PTO_BF16, round, satfinite), 94);
        }
    }
    add_to_half<Ue5m3, One, Two>(rows, PTO_UE5M3, 94);
    add_to_bfloat16<Ue5m3, One, Two>(rows, PTO_UE5M3, 94);
    add_constructors<__nv_fp8_ue5m3, __nv_fp8x2_ue5m3>(rows, narrow, 94);
    add_half_constructors<__nv_fp8_ue5m3, __nv_fp8x2_ue5m3>(rows, narrow, 94);
    add_half_operators<__nv_fp8_ue5m3, __nv_fp8x2_ue5m3>(rows, PTO_UE5M3, 94);
    add_cast<__nv_fp8_ue5m3, __nv_bfloat16>(rows, widen, 94);
    add_cast<__nv_fp8x2_ue5m3, __nv_bfloat162>(rows, widen, 94);
}
#else
void add_ue5m3(Rows &rows) {
    (void)rows;
}
#endif

} /* namespace */

void add_small_rows(Rows &rows) {
    add_fp8<__NV_E4M3, __nv_fp8_e4m3, __nv_fp8x2_e4m3>(rows, PTO_E4M3);
    add_fp8<__NV_E5M2, __nv_fp8_e5m2, __nv_fp8x2_e5m2>(rows, PTO_E5M2);
    add_fp6<__NV_E2M3, __nv_fp6_e2m3, __nv_fp6x2_e2m3>(rows, PTO_E2M3);
    add_fp6<__NV_E3M2, __nv_fp6_e3m2, __nv_fp6x2_e3m2>(rows, PTO_E3M2);
    add_fp4(rows);
    add_e8m0(rows);
    add_ue5m3(rows);
}
