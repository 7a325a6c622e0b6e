/* SPDX-License-Identifier: MIT */
/**
 * @file preg.hpp  The calls of preg.h, on registers as values. preg.h documents each call under its C name. g is
 * 8, 16 or 32.
 */
#ifndef PTO_HPP_PREG_HPP
#define PTO_HPP_PREG_HPP

#include "mask.hpp"

namespace pto {

using preg = pto_preg;

/** The two registers that hold interleaved or deinterleaved lanes. */
struct preg_pair {
    preg lo, hi;
};

/** Returns a mask of the lanes of a register at granularity g. Throws PTO_ERR_MASK if g is not 8, 16 or 32. */
inline mask preg_mask(preg &p, unsigned g) {
    if (g != 8 && g != 16 && g != 32) [[unlikely]]
        detail::fail(PTO_ERR_MASK, "preg_mask", "g must be 8, 16 or 32");
    return mask(p.w, g == 8 ? PTO_MASK_B8 : g == 16 ? PTO_MASK_B16 : PTO_MASK_B32, 2048 / g);
}

inline const_mask preg_mask(const preg &p, unsigned g) {
    if (g != 8 && g != 16 && g != 32) [[unlikely]]
        detail::fail(PTO_ERR_MASK, "preg_mask", "g must be 8, 16 or 32");
    return const_mask(p.w, g == 8 ? PTO_MASK_B8 : g == 16 ? PTO_MASK_B16 : PTO_MASK_B32, 2048 / g);
}

inline preg pset(unsigned g, pto_pattern pattern) {
    preg p{};
    detail::check(pto_pset(g, pattern, &p), "pset");
    return p;
}

inline preg pge(unsigned g, pto_pattern pattern) {
    preg p{};
    detail::check(pto_pge(g, pattern, &p), "pge");
    return p;
}

/** Subtracts the number of lanes that are on from `remaining`. */
inline preg plt(unsigned g, std::uint32_t &remaining) {
    preg p{};
    detail::check(pto_plt(g, &remaining, &p), "plt");
    return p;
}

inline preg pand(const preg &a, const preg &b, const preg &governing) {
    preg p{};
    detail::check(pto_pand(a, b, governing, &p), "pand");
    return p;
}

inline preg por(const preg &a, const preg &b, const preg &governing) {
    preg p{};
    detail::check(pto_por(a, b, governing, &p), "por");
    return p;
}

inline preg pxor(const preg &a, const preg &b, const preg &governing) {
    preg p{};
    detail::check(pto_pxor(a, b, governing, &p), "pxor");
    return p;
}

inline preg pnot(const preg &a, const preg &governing) {
    preg p{};
    detail::check(pto_pnot(a, governing, &p), "pnot");
    return p;
}

inline preg psel(const preg &a, const preg &b, const preg &sel) {
    preg p{};
    detail::check(pto_psel(a, b, sel, &p), "psel");
    return p;
}

inline preg ppack(const preg &a, pto_half half) {
    preg p{};
    detail::check(pto_ppack(a, half, &p), "ppack");
    return p;
}

inline preg punpack(const preg &a, pto_half half) {
    preg p{};
    detail::check(pto_punpack(a, half, &p), "punpack");
    return p;
}

inline preg_pair pintlv(unsigned g, const preg &a, const preg &b) {
    preg_pair p{};
    detail::check(pto_pintlv(g, a, b, &p.lo, &p.hi), "pintlv");
    return p;
}

inline preg_pair pdintlv(unsigned g, const preg &a, const preg &b) {
    preg_pair p{};
    detail::check(pto_pdintlv(g, a, b, &p.lo, &p.hi), "pdintlv");
    return p;
}

} // namespace pto

#endif
