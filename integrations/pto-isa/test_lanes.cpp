// SPDX-License-Identifier: MIT
// Compares TCMP, TCMPS, TSEL, TSELS, TMAX, TMIN, TMAXS, TMINS and TQUANT with their definitions, in all layouts.
#include "tile_test.hpp"

namespace {

constexpr pto::CmpMode MODES[] = {pto::CmpMode::EQ, pto::CmpMode::NE, pto::CmpMode::LT,
                                  pto::CmpMode::LE, pto::CmpMode::GT, pto::CmpMode::GE};

template <typename T>
using Mask = pto::Tile<pto::TileType::Vec, T, 64, 256 / sizeof(T), pto::BLayout::RowMajor, -1, -1>;

template <typename T> class Values {
  public:
    explicit Values(std::mt19937_64 &random) : random_(random), values_(values_of<T>(random)) {}

    T next() { return values_[random_() % values_.size()]; }

    template <typename Tile> void fill(Held<Tile> &held, Region region) {
        for (unsigned row = 0; row < region.rows; ++row) {
            for (unsigned col = 0; col < region.cols; ++col) held.at(row, col) = next();
        }
    }

  private:
    std::mt19937_64 &random_;
    std::vector<T> values_;
};

// Returns bit i of a row of a mask.
template <typename T> bool mask_bit(Held<Mask<T>> &mask, std::size_t row, std::size_t i) {
    return (mask.at(row, i / (8 * sizeof(T))) >> (i % (8 * sizeof(T))) & 1) != 0;
}

// Counts the results of a comparison whose row r is row r of the mask. All other bits of the mask must be 0.
template <typename W, typename Expect>
void count_mask(Counts &counts, const std::string &name, Held<Mask<W>> &mask, Region region, Expect expect) {
    const auto *bytes = reinterpret_cast<const std::uint8_t *>(mask.elements());
    bool is_rest_off = mask.bytes_written_outside(0, 0, true) == 0;
    for (unsigned row = 0; row < 64; ++row) {
        for (unsigned byte = 0; byte < 256; ++byte) {
            const unsigned bits = bytes[row * 256 + byte];
            const unsigned first = 8 * byte;
            const unsigned n =
                row < region.rows && first < region.cols ? std::min(8U, region.cols - first) : 0;
            for (unsigned i = 0; i < n; ++i) counts.add(name, (bits >> i & 1) == expect(row, first + i));
            is_rest_off = is_rest_off && bits >> n == 0;
        }
    }
    counts.add(name, is_rest_off);
}

// Returns values that are compared with all others: a random one, one of the tile, an infinity and a NaN.
template <typename T> std::vector<T> scalars_of(T random, T element) {
    if constexpr (is_float<T>)
        return {random, element, static_cast<T>(INFINITY), static_cast<T>(NAN), T(-0.0f)};
    return {random, element};
}

template <typename W, typename Tile0, typename Tile1 = Tile0>
void test_compare(Counts &counts, std::mt19937_64 &random) {
    using T = typename Tile0::DType;
    Values<T> values(random);
    for (const Region region : REGIONS) {
        Held<Tile0> a(region.rows, region.cols);
        Held<Tile1> b(region.rows, region.cols);
        values.fill(a, region);
        values.fill(b, region);
        // A part of the pairs is equal.
        for (unsigned col = 0; col < region.cols; col += 3) b.at(0, col) = a.at(0, col);
        // Infinities are equal to themselves.
        if (is_float<T> && region.cols > 1) a.at(0, 1) = static_cast<T>(INFINITY);
        const std::vector<T> scalars = scalars_of(values.next(), a.at(0, 0));
        const std::string of = " " + name_of<T>() + ", words of " + std::to_string(8 * sizeof(W));
        const unsigned words = (region.cols + 8 * sizeof(W) - 1) / (8 * sizeof(W));
        for (const pto::CmpMode mode : MODES) {
            Held<Mask<W>> mask(region.rows, words);
            pto::TCMP(mask.tile, a.tile, b.tile, mode);
            count_mask<W>(counts, "TCMP" + of, mask, region, [&](unsigned row, unsigned col) {
                return compare(a.at(row, col), b.at(row, col), mode);
            });
            // With 1-byte words, the result of TCMPS has Cols / 8 of them in a row.
            const unsigned scalar_words = sizeof(W) == 1 ? Tile0::Cols / 8 : words;
            for (const T scalar : scalars) {
                Held<Mask<W>> scalar_mask(region.rows, scalar_words);
                pto::TCMPS(scalar_mask.tile, a.tile, scalar, mode);
                count_mask<W>(counts, "TCMPS" + of, scalar_mask, region, [&](unsigned row, unsigned col) {
                    return compare(a.at(row, col), scalar, mode);
                });
            }
#ifdef PTO_OVERLAY_TILES_HPP // the simulator does not compile this form
            Held<Mask<W>> tile_mask(region.rows, scalar_words);
            pto::TCMPS(tile_mask.tile, a.tile, b.tile, mode);
            count_mask<W>(counts, "TCMPS with a tile", tile_mask, region, [&](unsigned row, unsigned col) {
                return compare(a.at(row, col), b.at(0, 0), mode);
            });
#endif
        }
    }
}

// TCMPS with a destination whose rows are not those of the source: the masks of all rows follow each other.
void test_compare_stream(Counts &counts, std::mt19937_64 &random) {
    Values<float> values(random);
    for (const unsigned width : {24U, 256U, 7U}) {
        Held<Plain<float>> a(48, 128);
        values.fill(a, {48, 128});
        Held<Mask<std::uint8_t>> mask(48, width);
        pto::TCMPS(mask.tile, a.tile, 1.0f, pto::CmpMode::LT);
        for (unsigned place = 0; place < 48 * 16 && place < 48 * width; ++place) {
            for (unsigned bit = 0; bit < 8; ++bit) {
                const bool is_on = (mask.at(place / width, place % width) >> bit & 1) != 0;
                counts.add("TCMPS stream", is_on == (a.at(place / 16, place % 16 * 8 + bit) < 1.0f));
            }
        }
    }
}

template <typename W, typename Tile> void test_select(Counts &counts, std::mt19937_64 &random) {
    using T = typename Tile::DType;
    using Code = std::conditional_t<
        sizeof(T) == 1, std::uint8_t,
        std::conditional_t<sizeof(T) == 2, std::uint16_t,
                           std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
    const auto is_same = [](T x, T y) { return std::bit_cast<Code>(x) == std::bit_cast<Code>(y); };
    Values<T> values(random);
    for (const Region region : REGIONS) {
        constexpr unsigned word = 8 * sizeof(W);
        for (const unsigned words :
             {(region.cols + word - 1) / word, 256U / static_cast<unsigned>(sizeof(W))}) {
            Held<Mask<W>> mask(region.rows, words);
            for (std::size_t i = 0; i < Mask<W>::Numel; ++i) mask.elements()[i] = static_cast<W>(random());
            Held<Tile> a(region.rows, region.cols);
            Held<Tile> b(region.rows, region.cols);
            Held<Tile> dst(region.rows, region.cols);
            Held<Tile> scalar_dst(region.rows, region.cols);
            Held<Plain<std::uint8_t>> tmp(1, 32);
            values.fill(a, region);
            values.fill(b, region);
            const T scalar = values.next();
            pto::TSEL(dst.tile, mask.tile, a.tile, b.tile, tmp.tile);
            pto::TSELS(scalar_dst.tile, mask.tile, a.tile, tmp.tile, scalar);
            for (unsigned row = 0; row < region.rows; ++row) {
                for (unsigned col = 0; col < region.cols; ++col) {
                    // TSEL reads the bits of the valid words one after the other.
                    const std::size_t bit = row * region.cols + col;
                    const std::size_t row_bits = words * word;
                    const bool is_on = mask_bit<W>(mask, bit / row_bits, bit % row_bits);
                    const std::string kind =
                        std::to_string(8 * sizeof(T)) + " bits, words of " + std::to_string(word);
                    counts.add("TSEL of " + kind,
                               is_same(dst.at(row, col), is_on ? a.at(row, col) : b.at(row, col)));
                    const T selected = mask_bit<W>(mask, row, col) ? a.at(row, col) : scalar;
                    counts.add("TSELS of " + kind, is_same(scalar_dst.at(row, col), selected));
                }
            }
            counts.add("TSEL outside", dst.bytes_written_outside(region.rows, region.cols) == 0);
            counts.add("TSELS outside", scalar_dst.bytes_written_outside(region.rows, region.cols) == 0);
        }
    }
}

template <typename Tile, typename Tile0 = Tile, typename Tile1 = Tile>
void test_maxmin(Counts &counts, std::mt19937_64 &random) {
    using T = typename Tile::DType;
    Values<T> values(random);
    for (const Region region : REGIONS) {
        Held<Tile0> a(region.rows, region.cols);
        Held<Tile1> b(region.rows, region.cols);
        Held<Tile> dst(region.rows, region.cols);
        values.fill(a, region);
        values.fill(b, region);
        const std::vector<T> scalars = scalars_of(values.next(), a.at(0, 0));
        const auto count = [&](const std::string &name, bool least, auto second) {
            for (unsigned row = 0; row < region.rows; ++row) {
                for (unsigned col = 0; col < region.cols; ++col) {
                    const Expected expected = extreme<T>(a.at(row, col), second(row, col), least);
                    counts.add(name + name_of<T>(), expected.is(dst.at(row, col)));
                }
            }
            counts.add(name + name_of<T>(), dst.bytes_written_outside(region.rows, region.cols) == 0);
        };
        const auto tile_second = [&](unsigned row, unsigned col) { return b.at(row, col); };
        pto::TMAX(dst.tile, a.tile, b.tile);
        count("TMAX ", false, tile_second);
        if constexpr (std::is_same_v<Tile, Tile0> && std::is_same_v<Tile, Tile1>) {
            pto::TMIN(dst.tile, a.tile, b.tile);
            count("TMIN ", true, tile_second);
            for (const T scalar : scalars) {
                const auto scalar_second = [&](unsigned, unsigned) { return scalar; };
                pto::TMINS(dst.tile, a.tile, scalar);
                count("TMINS ", true, scalar_second);
                if constexpr (Tile::isRowMajor) {
                    pto::TMAXS(dst.tile, a.tile, scalar);
                    count("TMAXS ", false, scalar_second);
                }
            }
        }
    }
}

template <typename T> void test_type(Counts &counts, std::mt19937_64 &random) {
    test_compare<std::uint32_t, Plain<T>>(counts, random);
    test_maxmin<Plain<T>>(counts, random);
    test_select<std::uint8_t, Plain<T>>(counts, random);
}

void test_layouts(Counts &counts, std::mt19937_64 &random) {
    test_compare<std::uint8_t, Plain<float>, Wide<float>>(counts, random);
    test_compare<std::uint8_t, Wide<half>>(counts, random);
    test_compare<std::uint8_t, Plain<std::int32_t>>(counts, random);
    test_compare<std::uint32_t, Column<float>, Tall<float>>(counts, random);
    test_compare<std::uint32_t, Nz<half>, Plain<half>>(counts, random);
    test_maxmin<Plain<float>, Wide<float>, Plain<float>>(counts, random);
    test_maxmin<Plain<float>, Column<float>, Nz<float>>(counts, random);
    test_maxmin<Column<float>, Tall<float>, Plain<float>>(counts, random);
    test_maxmin<Wide<half>>(counts, random);
    test_maxmin<Column<half>>(counts, random);
    test_maxmin<Nz<half>>(counts, random);
    test_maxmin<Zn<half>>(counts, random);
    test_maxmin<Zz<std::int32_t>>(counts, random);
    test_maxmin<Nn<float>>(counts, random);
    test_select<std::uint32_t, Plain<float>>(counts, random);
    test_select<std::uint32_t, Wide<half>>(counts, random);
    test_select<std::uint8_t, Column<half>>(counts, random);
    test_select<std::uint8_t, Nz<float>>(counts, random);
}

// Returns round(x * factor + offset), clamped.
template <typename D> Exact quantized(float x, float factor, float offset) {
    // The products and sums of the simulator are f32 operations.
    volatile float product = x * factor;
    volatile float sum = product + offset;
    const Exact value = sum;
    if (std::isnan(value)) return 0;
    return std::isinf(value) ? clamp_to<D>(value)
                             : clamp_to<D>(round_to_integer(value, Rounding::NEAREST_EVEN));
}

void test_quantize_integers(Counts &counts, std::mt19937_64 &random) {
    using Row = pto::Tile<pto::TileType::Vec, float, 64, 8, pto::BLayout::RowMajor, -1, -1>;
    Values<float> values(random);
    for (const Region region : REGIONS) {
        Held<Plain<float>> src(region.rows, region.cols);
        Held<Row> factor(region.rows, 1);
        Held<Row> offset(region.rows, 1);
        Held<Plain<std::int8_t>> of_signed(region.rows, region.cols);
        Held<Wide<std::uint8_t>> of_unsigned(region.rows, region.cols);
        values.fill(src, region);
        for (unsigned row = 0; row < region.rows; ++row) {
            factor.at(row, 0) = static_cast<float>(random() % 512) / 64;
            offset.at(row, 0) = static_cast<float>(random() % 512) / 2;
            for (unsigned col = 0; col < region.cols; col += 2) {
                src.at(row, col) = static_cast<float>(static_cast<int>(random() % 1024) - 512) / 4;
            }
        }
        pto::TQUANT<pto::QuantType::INT8_SYM>(of_signed.tile, src.tile, factor.tile);
        pto::TQUANT<pto::QuantType::INT8_ASYM>(of_unsigned.tile, src.tile, factor.tile, &offset.tile);
        for (unsigned row = 0; row < region.rows; ++row) {
            for (unsigned col = 0; col < region.cols; ++col) {
                const float x = src.at(row, col);
                counts.add("TQUANT s8",
                           of_signed.at(row, col) == quantized<std::int8_t>(x, factor.at(row, 0), -0.0f));
                counts.add("TQUANT u8", of_unsigned.at(row, col) ==
                                            quantized<std::uint8_t>(x, factor.at(row, 0), offset.at(row, 0)));
            }
        }
        counts.add("TQUANT s8", of_signed.bytes_written_outside(region.rows, region.cols) == 0);
        counts.add("TQUANT u8", of_unsigned.bytes_written_outside(region.rows, region.cols) == 0);
    }
}

// Returns the code of the e2m1 or e4m3 value that is nearest to x, ties to the even code, with the sign of x. NaNs have
// the code of the largest value in e2m1.
std::uint8_t nearest_code(float x, bool is_fp8) {
    if (std::isnan(x)) return is_fp8 ? 0x7f : 7;
    const int largest = is_fp8 ? 0x7e : 7;
    const auto value = [&](int code) {
        const int fraction_bits = is_fp8 ? 3 : 1;
        const int exponent = code >> fraction_bits;
        const int fraction = code & ((1 << fraction_bits) - 1);
        const int significand = exponent == 0 ? fraction : fraction | (1 << fraction_bits);
        return std::ldexp(Exact(significand), std::max(exponent, 1) - (is_fp8 ? 7 : 1) - fraction_bits);
    };
    const Exact magnitude = std::min(std::fabs(Exact(x)), value(largest));
    int best = 0;
    for (int code = 1; code <= largest; ++code) {
        const Exact distance = std::fabs(value(code) - magnitude);
        const Exact least = std::fabs(value(best) - magnitude);
        if (distance < least || (distance == least && code % 2 == 0)) best = code;
    }
    return static_cast<std::uint8_t>(best | (std::signbit(x) ? (is_fp8 ? 0x80 : 8) : 0));
}

// Groups of 32 columns or rows. The largest magnitude is exact, or 0 or a NaN, so that the exponent is that of the
// simulator's function, which the overlay calls too.
template <int axis, pto::MxQuantAlg algorithm, typename S>
void test_quantize_groups(Counts &counts, std::mt19937_64 &random) {
    constexpr bool is_fp8 =
        algorithm == pto::MxQuantAlg::OcpMxFp8E4M3 || algorithm == pto::MxQuantAlg::NvMxFp8E4M3;
    constexpr bool is_ocp =
        algorithm == pto::MxQuantAlg::OcpMxFp8E4M3 || algorithm == pto::MxQuantAlg::OcpMxFp4E2M1;
    constexpr auto type = is_fp8 ? pto::QuantType::MXFP8 : pto::QuantType::MXFP4_E2M1;
    constexpr auto rule = is_ocp ? pto::QuantScaleAlg::OCP : pto::QuantScaleAlg::NV;
    using Out = std::conditional_t<is_fp8, std::int8_t, float4_e2m1x2_t>;
    using Small = pto::Tile<pto::TileType::Vec, S, 64, 128, pto::BLayout::RowMajor, -1, -1>;
    Values<S> values(random);
    const Region region = axis == 1 ? Region{48, 128} : Region{64, 96};
    const unsigned groups = axis == 1 ? region.rows * 4 : 2 * region.cols;
    for (int round = 0; round < 4; ++round) {
        Held<Plain<S>> src(region.rows, region.cols);
        Held<Plain<Out>> dst(region.rows, region.cols);
        Held<Plain<std::uint8_t>> exponents(region.rows, region.cols);
        Held<Small> maxima(region.rows, region.cols);
        Held<Small> factors(region.rows, region.cols);
        for (unsigned row = 0; row < region.rows; ++row) {
            for (unsigned col = 0; col < region.cols; ++col) {
                const int exponent = static_cast<int>(random() % 8);
                src.at(row, col) = static_cast<S>(
                    std::ldexp(static_cast<float>(static_cast<int>(random() % 4096) - 2048), exponent - 12));
                if (round > 1 && random() % 64 == 0) src.at(row, col) = values.next();
            }
        }
        pto::TQUANT<axis, algorithm>(dst.tile, src.tile, &exponents.tile, &maxima.tile, &factors.tile);
        for (unsigned group = 0; group < groups; ++group) {
            const unsigned line = axis == 1 ? group / 4 : group % region.cols;
            const unsigned first = (axis == 1 ? group % 4 : group / region.cols) * 32;
            float maximum = 0;
            bool has_nan = false;
            for (unsigned i = 0; i < 32; ++i) {
                const float x = axis == 1 ? src.at(line, first + i) : src.at(first + i, line);
                float magnitude = std::fabs(x);
                if (!is_fp8 && is_ocp) {
                    magnitude = std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) & 0xffff0000U);
                }
                has_nan = has_nan || (!is_fp8 && std::isnan(magnitude));
                if (!std::isnan(magnitude)) maximum = std::max(maximum, magnitude);
            }
            if (has_nan) maximum = NAN;
            const std::uint8_t exponent = pto::cpu_quant::ComputeMxSharedExponent<type, rule>(maximum);
            const float factor = pto::cpu_quant::ComputeMxGroupScaling<type, rule>(maximum, exponent);
            const std::string name =
                std::string("TQUANT ") + (is_fp8 ? "mxfp8" : "mxfp4") + (is_ocp ? " OCP" : " NV");
            const auto stored = axis == 1 ? exponents.at(line, first / 32) : exponents.at(first / 32, line);
            counts.add(name, stored == exponent);
            counts.add(name, Expected{value_of(static_cast<S>(maximum))}.is(maxima.elements()[group]));
            counts.add(name, Expected{value_of(static_cast<S>(factor))}.is(factors.elements()[group]));
            for (unsigned i = 0; i < 32; ++i) {
                const unsigned row = axis == 1 ? line : first + i;
                const unsigned col = axis == 1 ? first + i : line;
                const float x = src.at(row, col);
                const float scaled = std::isfinite(factor) ? x * factor : factor;
                const std::size_t place = row * 128 + col;
                const std::uint8_t byte =
                    reinterpret_cast<std::uint8_t *>(dst.elements())[is_fp8 ? place : place / 2];
                const int code = is_fp8 ? byte : byte >> (place % 2 * 4) & 15;
                counts.add(name, code == nearest_code(scaled, is_fp8));
            }
        }
    }
}

template <typename S> void test_quantize(Counts &counts, std::mt19937_64 &random) {
    test_quantize_groups<1, pto::MxQuantAlg::OcpMxFp8E4M3, S>(counts, random);
    test_quantize_groups<1, pto::MxQuantAlg::NvMxFp8E4M3, S>(counts, random);
    test_quantize_groups<1, pto::MxQuantAlg::OcpMxFp4E2M1, S>(counts, random);
    test_quantize_groups<1, pto::MxQuantAlg::NvMxFp4E2M1, S>(counts, random);
    test_quantize_groups<0, pto::MxQuantAlg::OcpMxFp8E4M3, S>(counts, random);
    test_quantize_groups<0, pto::MxQuantAlg::NvMxFp8E4M3, S>(counts, random);
    test_quantize_groups<0, pto::MxQuantAlg::OcpMxFp4E2M1, S>(counts, random);
    test_quantize_groups<0, pto::MxQuantAlg::NvMxFp4E2M1, S>(counts, random);
}

} // namespace

int main() {
    Counts counts;
    std::mt19937_64 random(1);
    test_type<float>(counts, random);
    test_type<half>(counts, random);
    test_type<std::int8_t>(counts, random);
    test_type<std::uint8_t>(counts, random);
    test_type<std::int16_t>(counts, random);
    test_type<std::uint16_t>(counts, random);
    test_type<std::int32_t>(counts, random);
    test_type<std::uint32_t>(counts, random);
    test_layouts(counts, random);
    test_compare_stream(counts, random);
    test_quantize_integers(counts, random);
    test_quantize<float>(counts, random);
    test_quantize<half>(counts, random);
    return counts.print() ? 0 : 1;
}
