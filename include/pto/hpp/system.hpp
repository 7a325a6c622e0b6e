/* SPDX-License-Identifier: MIT */
/** @file system.hpp  The calls of isa.h and version.h, which document each call under its C name. */
#ifndef PTO_HPP_SYSTEM_HPP
#define PTO_HPP_SYSTEM_HPP

#include "array.hpp"

namespace pto {

inline const char *isa_name(pto_isa isa) noexcept {
    return pto_isa_name(isa);
}

inline bool isa_available(pto_isa isa) noexcept {
    return pto_isa_available(isa);
}

inline pto_variant isa_variant(std::size_t i) {
    pto_variant variant;
    detail::check(pto_isa_variant(i, &variant), "isa_variant");
    return variant;
}

inline pto_isa isa_active() noexcept {
    return pto_isa_active();
}

inline void isa_use(pto_isa isa) {
    detail::check(pto_isa_use(isa), "isa_use");
}

inline const char *version() noexcept {
    return pto_version();
}

} // namespace pto

#endif
