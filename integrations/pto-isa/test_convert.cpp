// SPDX-License-Identifier: MIT
// Compares TCVT with its definition: all pairs of types, roundings and saturations, in all layouts.
#include "tile_test.hpp"

namespace {

constexpr pto::RoundMode MODES[] = {pto::RoundMode::CAST_NONE,  pto::RoundMode::CAST_RINT,
                                    pto::RoundMode::CAST_ROUND, pto::RoundMode::CAST_FLOOR,
                                    pto::RoundMode::CAST_CEIL,  pto::RoundMode::CAST_TRUNC,
                                    pto::RoundMode::CAST_ODD};

enum class Saturation { ON, OFF, DEFAULT };

// Whether A5 saturates if the caller does not say so.
template <typename D, typename S> bool saturates(Saturation saturation) {
    if (saturation != Saturation::DEFAULT) return saturation == Saturation::ON;
    const std::string pair = name_of<S>() + " " + name_of<D>();
    for (const char *truncated : {"f16 u8", "f16 s8", "f32 s16", "f16 s16", "s64 s32", "s32 s16"}) {
        if (pair == truncated) return false;
    }
    return true;
}

template <typename TileD, typename TileS>
void call(TileD &dst, TileS &src, pto::RoundMode mode, Saturation saturation) {
    if (saturation == Saturation::DEFAULT) {
        pto::TCVT(dst, src, mode);
    } else {
        pto::TCVT(dst, src, mode,
                  saturation == Saturation::ON ? pto::SaturationMode::ON : pto::SaturationMode::OFF);
    }
}

#ifdef PTO_OVERLAY_TILES_HPP // the simulator does not have the forms with a temporary tile
// Converts with a temporary tile, which changes nothing.
void test_temporary(Counts &counts, std::mt19937_64 &random) {
    const std::vector<half> values = values_of<half>(random);
    Held<Plain<half>> src(64, 128);
    Held<Plain<std::int8_t>> dst(64, 128), tmp(1, 32);
    for (std::size_t i = 0; i < Plain<half>::Numel; ++i) src.elements()[i] = values[random() % values.size()];
    for (const bool saturate : {true, false}) {
        if (saturate) {
            pto::TCVT(dst.tile, src.tile, tmp.tile, pto::RoundMode::CAST_CEIL, pto::SaturationMode::ON);
        } else {
            pto::TCVT(dst.tile, src.tile, tmp.tile, pto::RoundMode::CAST_CEIL);
        }
        for (std::size_t i = 0; i < Plain<half>::Numel; ++i) {
            const auto expected =
                convert<std::int8_t>(src.elements()[i], pto::RoundMode::CAST_CEIL, saturate);
            counts.add("TCVT with a temporary tile", expected.is(dst.elements()[i]));
        }
    }
}
#endif

// Converts all values of S in tiles of 64 x 128.
template <typename D, typename S> void test_values(Counts &counts, std::mt19937_64 &random) {
    const std::vector<S> values = values_of<S>(random);
    const std::string name = "TCVT " + name_of<S>() + " to " + name_of<D>();
    constexpr std::size_t size = 64 * 128;
    Held<Plain<S>> src(64, 128);
    Held<Plain<D>> dst(64, 128);
    for (std::size_t first = 0; first < values.size(); first += size) {
        for (std::size_t i = 0; i < size; ++i) src.elements()[i] = values[(first + i) % values.size()];
        const std::size_t n = std::min(size, values.size() - first);
        for (const pto::RoundMode mode : MODES) {
            for (const Saturation saturation : {Saturation::ON, Saturation::OFF, Saturation::DEFAULT}) {
                call(dst.tile, src.tile, mode, saturation);
                for (std::size_t i = 0; i < n; ++i) {
                    const Expected expected =
                        convert<D, S>(src.elements()[i], mode, saturates<D, S>(saturation));
                    counts.add(name, expected.is(dst.elements()[i]));
                }
            }
        }
    }
}

// Converts regions of tiles of two layouts.
template <typename TileD, typename TileS> void test_layouts(Counts &counts, std::mt19937_64 &random) {
    using D = typename TileD::DType;
    using S = typename TileS::DType;
    const std::vector<S> values = values_of<S>(random);
    for (const Region region : REGIONS) {
        Held<TileS> src(region.rows, region.cols);
        Held<TileD> dst(region.rows, region.cols);
        for (unsigned row = 0; row < region.rows; ++row) {
            for (unsigned col = 0; col < region.cols; ++col)
                src.at(row, col) = values[random() % values.size()];
        }
        pto::TCVT(dst.tile, src.tile, pto::RoundMode::CAST_RINT, pto::SaturationMode::ON);
        for (unsigned row = 0; row < region.rows; ++row) {
            for (unsigned col = 0; col < region.cols; ++col) {
                const Expected expected = convert<D, S>(src.at(row, col), pto::RoundMode::CAST_RINT, true);
                counts.add("TCVT layouts", expected.is(dst.at(row, col)));
            }
        }
        counts.add("TCVT layouts", dst.bytes_written_outside(region.rows, region.cols) == 0);
    }
}

template <typename D, typename S> void test_all_layouts(Counts &counts, std::mt19937_64 &random) {
    test_layouts<Plain<D>, Plain<S>>(counts, random);
    test_layouts<Plain<D>, Wide<S>>(counts, random);
    test_layouts<Column<D>, Column<S>>(counts, random);
    test_layouts<Column<D>, Tall<S>>(counts, random);
    test_layouts<Column<D>, Plain<S>>(counts, random);
    test_layouts<Plain<D>, Column<S>>(counts, random);
    test_layouts<Nz<D>, Nz<S>>(counts, random);
    test_layouts<Zn<D>, Zn<S>>(counts, random);
    test_layouts<Zz<D>, Zz<S>>(counts, random);
    test_layouts<Nn<D>, Nn<S>>(counts, random);
    test_layouts<Nz16<D>, Nz16<S>>(counts, random);
    test_layouts<Plain<D>, Nz<S>>(counts, random);
    test_layouts<Zn<D>, Column<S>>(counts, random);
}

// Converts a tile to the memory that it has itself.
template <typename D, typename S> void test_in_place(Counts &counts, std::mt19937_64 &random) {
    const std::vector<S> values = values_of<S>(random);
    for (const Region region : {Region{64, 128}, Region{48, 128}}) {
        Held<Plain<S>> src(region.rows, region.cols);
        Plain<D> dst(region.rows, region.cols);
        dst.data() = reinterpret_cast<D *>(src.elements());
        std::vector<S> before;
        for (std::size_t i = 0; i < Plain<S>::Numel; ++i) {
            before.push_back(src.elements()[i] = values[random() % values.size()]);
        }
        pto::TCVT(dst, src.tile, pto::RoundMode::CAST_FLOOR, pto::SaturationMode::ON);
        for (std::size_t i = 0; i < region.rows * region.cols; ++i) {
            const Expected expected = convert<D, S>(before[i], pto::RoundMode::CAST_FLOOR, true);
            counts.add("TCVT in place", expected.is(dst.data()[i]));
        }
    }
}

template <typename S, typename... D> void test_pairs(Counts &counts, std::mt19937_64 &random) {
    (test_values<D, S>(counts, random), ...);
}

} // namespace

int main() {
    using namespace std;
    Counts counts;
    mt19937_64 random(1);
    test_pairs<float, float, half, int8_t, uint8_t, int16_t, uint16_t, int32_t, int64_t, float8_e4m3_t,
               float8_e5m2_t, hifloat8_t>(counts, random);
    test_pairs<half, float, int8_t, uint8_t, int16_t, uint16_t, int32_t, hifloat8_t>(counts, random);
    test_pairs<int16_t, uint8_t, half, float, uint32_t, int32_t>(counts, random);
    test_pairs<int32_t, float, int16_t, uint16_t, int64_t, uint8_t>(counts, random);
    test_pairs<int64_t, float, int32_t>(counts, random);
    test_pairs<uint32_t, uint8_t, uint16_t, int16_t>(counts, random);
    test_pairs<uint16_t, float, int32_t, uint32_t>(counts, random);
    test_pairs<uint8_t, half, uint16_t, float, uint32_t, int16_t, int32_t>(counts, random);
    test_pairs<int8_t, half, int16_t, int32_t, float>(counts, random);
    test_pairs<float8_e4m3_t, float>(counts, random);
    test_pairs<float8_e5m2_t, float>(counts, random);
    test_pairs<hifloat8_t, float>(counts, random);
    test_all_layouts<half, float>(counts, random);
    test_all_layouts<int8_t, half>(counts, random);
    test_all_layouts<int64_t, int32_t>(counts, random);
    test_in_place<half, float>(counts, random);
    test_in_place<float8_e4m3_t, float>(counts, random);
    test_in_place<int32_t, float>(counts, random);
#ifdef PTO_OVERLAY_TILES_HPP
    test_temporary(counts, random);
#endif
    return counts.print() ? 0 : 1;
}
