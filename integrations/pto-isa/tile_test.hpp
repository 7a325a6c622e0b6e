// SPDX-License-Identifier: MIT
// Tiles with memory around them, values to fill them with, and a count of wrong results.
#ifndef TILE_TEST_HPP
#define TILE_TEST_HPP

#include "definition.hpp"

#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

// Returns the index of an element in the memory of its tile.
template <typename T> std::size_t place_of(std::size_t row, std::size_t col) {
    if constexpr (T::SFractal == pto::SLayout::NoneBox) {
        return T::isRowMajor ? row * T::Cols + col : col * T::Rows + row;
    } else {
        constexpr std::size_t height = T::InnerRows;
        constexpr std::size_t width = T::InnerCols;
        constexpr std::size_t across = T::Cols / width;
        constexpr std::size_t down = T::Rows / height;
        const std::size_t box =
            T::isRowMajor ? row / height * across + col / width : col / width * down + row / height;
        const std::size_t r = row % height;
        const std::size_t c = col % width;
        return box * height * width +
               (T::SFractal == pto::SLayout::RowMajor ? r * width + c : c * height + r);
    }
}

// A tile with a valid region that is set at run time, and its memory. Each byte of the memory starts as `filling`.
template <typename T> struct Held {
    static constexpr unsigned char filling = 0xa5;
    static constexpr std::size_t margin = 64;
    T tile;
    std::vector<unsigned char> memory;

    Held(unsigned rows, unsigned cols)
        : tile(rows, cols), memory(2 * margin + T::Numel * sizeof(typename T::DType), filling) {
        tile.data() = elements();
    }

    Held(const Held &) = delete;

    typename T::DType *elements() { return reinterpret_cast<typename T::DType *>(memory.data() + margin); }

    typename T::DType &at(std::size_t row, std::size_t col) { return elements()[place_of<T>(row, col)]; }

    // Returns how many bytes changed that are neither in the valid region nor, if `whole`, in the tile.
    std::size_t bytes_written_outside(std::size_t rows, std::size_t cols, bool whole = false) {
        constexpr std::size_t size = sizeof(typename T::DType);
        std::vector<bool> is_inside(memory.size(), false);
        for (std::size_t row = 0; row < (whole ? T::Rows : rows); ++row) {
            for (std::size_t col = 0; col < (whole ? T::Cols : cols); ++col) {
                for (std::size_t i = 0; i < size; ++i)
                    is_inside[margin + place_of<T>(row, col) * size + i] = true;
            }
        }
        std::size_t count = 0;
        for (std::size_t i = 0; i < memory.size(); ++i) count += !is_inside[i] && memory[i] != filling;
        return count;
    }
};

// Counts results by name, and prints them in the order of the names.
class Counts {
  public:
    void add(const std::string &name, bool is_right) {
        Count &count = counts_[name];
        ++count.results;
        count.wrong += !is_right;
    }

    // Prints a line for each name: name, results, wrong results. Returns whether all results are right.
    bool print() const {
        bool all_right = true;
        for (const auto &[name, count] : counts_) {
            std::printf("%s\t%zu\t%zu\n", name.c_str(), count.results, count.wrong);
            all_right = all_right && count.wrong == 0;
        }
        return all_right;
    }

  private:
    struct Count {
        std::size_t results = 0;
        std::size_t wrong = 0;
    };

    std::map<std::string, Count> counts_;
};

template <typename T> std::string name_of() {
    if constexpr (std::is_same_v<T, float>) return "f32";
    if constexpr (std::is_same_v<T, half>) return "f16";
    if constexpr (std::is_same_v<T, float8_e4m3_t>) return "e4m3";
    if constexpr (std::is_same_v<T, float8_e5m2_t>) return "e5m2";
    if constexpr (std::is_same_v<T, hifloat8_t>) return "hif8";
    if constexpr (std::is_integral_v<T>) {
        return (std::is_signed_v<T> ? "s" : "u") + std::to_string(8 * sizeof(T));
    } else {
        return "?";
    }
}

template <typename T, typename Code> T element_of(Code code) {
    T element;
    std::memcpy(static_cast<void *>(&element), &code, sizeof element);
    return element;
}

// Returns the codes of f32 at which a conversion changes: zeros, infinities, NaNs, powers of two and halves of integers
// with their neighbours, and random codes.
inline std::vector<float> f32_values(std::mt19937_64 &random) {
    std::vector<std::uint32_t> codes = {0, 1, 0x7fffff, 0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff};
    for (int exponent = -150; exponent < 128; ++exponent) {
        for (const float significand : {1.0f, 1.0625f, 1.125f, 1.1875f, 1.25f, 1.5f, 1.75f, 1.9990234f}) {
            codes.push_back(std::bit_cast<std::uint32_t>(std::ldexp(significand, exponent)));
        }
    }
    for (const float scale : {1.0f, 256.0f, 32768.0f, 65536.0f}) {
        for (int i = 0; i < 16; ++i)
            codes.push_back(std::bit_cast<std::uint32_t>(scale + static_cast<float>(i) / 2));
    }
    for (std::size_t i = codes.size(); i-- > 0;) {
        codes.push_back(codes[i] + 1);
        if (codes[i] != 0) codes.push_back(codes[i] - 1);
    }
    for (std::size_t i = codes.size(); i-- > 0;) codes.push_back(codes[i] | 0x80000000U);
    while (codes.size() % 8192 != 0 || codes.size() < 24576)
        codes.push_back(static_cast<std::uint32_t>(random()));
    std::vector<float> values;
    for (const std::uint32_t code : codes) values.push_back(std::bit_cast<float>(code));
    return values;
}

// Returns all values of a type of at most 16 bits, or edges and random values.
template <typename T> std::vector<T> values_of(std::mt19937_64 &random) {
    std::vector<T> values;
    if constexpr (std::is_same_v<T, float>) {
        return f32_values(random);
    } else if constexpr (sizeof(T) <= 2) {
        using Code = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>;
        for (unsigned code = 0; code < 1U << (8 * sizeof(T)); ++code) {
            values.push_back(element_of<T>(static_cast<Code>(code)));
        }
    } else {
        for (int shift = 0; shift < static_cast<int>(8 * sizeof(T)); ++shift) {
            for (int step = -3; step <= 3; ++step) {
                const std::uint64_t code = (std::uint64_t{1} << shift) + static_cast<std::uint64_t>(step);
                values.push_back(static_cast<T>(code));
                values.push_back(static_cast<T>(~code));
            }
        }
        while (values.size() < 8192) values.push_back(static_cast<T>(random() >> (random() % 64)));
    }
    return values;
}

template <typename T> using Plain = pto::Tile<pto::TileType::Vec, T, 64, 128, pto::BLayout::RowMajor, -1, -1>;
template <typename T> using Wide = pto::Tile<pto::TileType::Vec, T, 48, 192, pto::BLayout::RowMajor, -1, -1>;
template <typename T> using Column = pto::Tile<pto::TileType::Vec, T, 64, 96, pto::BLayout::ColMajor, -1, -1>;
template <typename T> using Tall = pto::Tile<pto::TileType::Vec, T, 128, 80, pto::BLayout::ColMajor, -1, -1>;
template <typename T, pto::BLayout outer, pto::SLayout inner, int size = 512>
using Fractal = pto::Tile<pto::TileType::Vec, T, 64, 96, outer, -1, -1, inner, size>;
template <typename T> using Nz = Fractal<T, pto::BLayout::ColMajor, pto::SLayout::RowMajor>;
template <typename T> using Zn = Fractal<T, pto::BLayout::RowMajor, pto::SLayout::ColMajor>;
template <typename T> using Zz = Fractal<T, pto::BLayout::RowMajor, pto::SLayout::RowMajor>;
template <typename T> using Nn = Fractal<T, pto::BLayout::ColMajor, pto::SLayout::ColMajor>;
template <typename T> using Nz16 = Fractal<T, pto::BLayout::ColMajor, pto::SLayout::RowMajor, 1024>;

struct Region {
    unsigned rows;
    unsigned cols;
};

// Valid regions within 48 rows and 80 columns, which all tiles have, and the whole of the common tile.
constexpr Region REGIONS[] = {{1, 1}, {1, 80}, {48, 80}, {47, 79}, {5, 64}, {33, 17}, {48, 8}};

#endif
