// SPDX-License-Identifier: MIT
// Times tile operations. Without arguments it prints the names of the cases. With any argument it reads indices of
// cases from its input, and prints the nanoseconds of one call of each.
#include <pto/pto-inst.hpp>

#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

template <typename T, int rows, int cols>
using Shape = pto::Tile<pto::TileType::Vec, T, rows, cols, pto::BLayout::RowMajor>;

// A tile with memory and finite values between -100 and 100.
template <typename Tile> struct Held {
    using T = typename Tile::DType;
    std::vector<T> memory;
    Tile tile;

    explicit Held(unsigned seed = 1) : memory(Tile::Numel) {
        std::mt19937 random(seed);
        for (T &element : memory)
            element = static_cast<T>(static_cast<int>(random() % 3200) / 16.0f - 100.0f);
        tile.data() = memory.data();
    }
};

struct Case {
    std::string name;
    std::function<void()> call;
};

std::vector<Case> cases;

template <typename... Tiles, typename Call> void add(const std::string &name, int rows, int cols, Call call) {
    auto tiles = std::make_shared<std::tuple<Held<Tiles>...>>();
    cases.push_back({name + "\t" + std::to_string(rows) + "x" + std::to_string(cols),
                     [tiles, call] { std::apply([&](auto &...held) { call(held.tile...); }, *tiles); }});
}

template <typename D, typename S, int rows, int cols>
void add_convert(const std::string &name, pto::RoundMode mode, pto::SaturationMode saturation) {
    add<Shape<D, rows, cols>, Shape<S, rows, cols>>(
        "TCVT " + name, rows, cols, [=](auto &dst, auto &src) { pto::TCVT(dst, src, mode, saturation); });
}

template <typename S, int rows, int cols, int axis, pto::MxQuantAlg algorithm>
void add_quantize(const std::string &name) {
    using Small = Shape<S, rows, cols>;
    add<Shape<std::int8_t, rows, cols>, Small, Shape<std::uint8_t, rows, cols>, Small, Small>(
        "TQUANT " + name, rows, cols, [](auto &dst, auto &src, auto &exponents, auto &maxima, auto &factors) {
            pto::TQUANT<axis, algorithm>(dst, src, &exponents, &maxima, &factors);
        });
}

template <int rows, int cols> void add_shape() {
    using namespace std;
    using F = Shape<float, rows, cols>;
    using H = Shape<half, rows, cols>;
    using I = Shape<int32_t, rows, cols>;
    using Mask = pto::Tile<pto::TileType::Vec, uint8_t, rows, (cols / 8 + 31) / 32 * 32,
                           pto::BLayout::RowMajor, rows, cols / 8>;
    const auto greater = [](auto &mask, auto &a, auto &b) { pto::TCMP(mask, a, b, pto::CmpMode::GT); };
    const auto not_equal = [](auto &mask, auto &a) {
        pto::TCMPS(mask, a, static_cast<typename remove_reference_t<decltype(a)>::DType>(1),
                   pto::CmpMode::NE);
    };
    const auto select = [](auto &dst, auto &mask, auto &a, auto &b) { pto::TSEL(dst, mask, a, b, mask); };
    const auto select_scalar = [](auto &dst, auto &mask, auto &a) {
        pto::TSELS(dst, mask, a, mask, static_cast<typename remove_reference_t<decltype(a)>::DType>(1));
    };
    const auto largest = [](auto &dst, auto &a, auto &b) { pto::TMAX(dst, a, b); };
    const auto least = [](auto &dst, auto &a, auto &b) { pto::TMIN(dst, a, b); };
    const auto at_least = [](auto &dst, auto &a) { pto::TMAXS(dst, a, 1); };
    const auto at_most = [](auto &dst, auto &a) { pto::TMINS(dst, a, 1); };
    add<Mask, F, F>("TCMP f32", rows, cols, greater);
    add<Mask, H, H>("TCMP f16", rows, cols, greater);
    add<Mask, I, I>("TCMP s32", rows, cols, greater);
    add<Mask, F>("TCMPS f32", rows, cols, not_equal);
    add<Mask, H>("TCMPS f16", rows, cols, not_equal);
    add<F, Mask, F, F>("TSEL f32", rows, cols, select);
    add<H, Mask, H, H>("TSEL f16", rows, cols, select);
    add<F, Mask, F>("TSELS f32", rows, cols, select_scalar);
    add<H, Mask, H>("TSELS f16", rows, cols, select_scalar);
    add<F, F, F>("TMAX f32", rows, cols, largest);
    add<H, H, H>("TMAX f16", rows, cols, largest);
    add<I, I, I>("TMAX s32", rows, cols, largest);
    add<F, F, F>("TMIN f32", rows, cols, least);
    add<H, H, H>("TMIN f16", rows, cols, least);
    add<F, F>("TMAXS f32", rows, cols, at_least);
    add<H, H>("TMINS f16", rows, cols, at_most);
    const auto nearest = pto::RoundMode::CAST_RINT;
    const auto on = pto::SaturationMode::ON;
    const auto off = pto::SaturationMode::OFF;
    add_convert<half, float, rows, cols>("f32 to f16", nearest, off);
    add_convert<float, half, rows, cols>("f16 to f32", nearest, off);
    add_convert<int32_t, float, rows, cols>("f32 to s32", pto::RoundMode::CAST_TRUNC, on);
    add_convert<int16_t, float, rows, cols>("f32 to s16", nearest, off);
    add_convert<int8_t, half, rows, cols>("f16 to s8", nearest, on);
    add_convert<float, int32_t, rows, cols>("s32 to f32", nearest, off);
    add_convert<float8_e4m3_t, float, rows, cols>("f32 to e4m3", nearest, off);
    add_convert<float, float8_e4m3_t, rows, cols>("e4m3 to f32", nearest, off);
    add_convert<hifloat8_t, float, rows, cols>("f32 to hif8", pto::RoundMode::CAST_ROUND, off);
    using Factor = Shape<float, rows, 8>;
    add<Shape<int8_t, rows, cols>, F, Factor>(
        "TQUANT s8", rows, cols,
        [](auto &dst, auto &src, auto &factor) { pto::TQUANT<pto::QuantType::INT8_SYM>(dst, src, factor); });
    add_quantize<float, rows, cols, 1, pto::MxQuantAlg::OcpMxFp8E4M3>("mxfp8 from f32");
    add_quantize<half, rows, cols, 1, pto::MxQuantAlg::NvMxFp8E4M3>("mxfp8 NV from f16");
    if constexpr (rows % 32 == 0) {
        add_quantize<float, rows, cols, 0, pto::MxQuantAlg::OcpMxFp8E4M3>("mxfp8 of rows from f32");
    }
}

// Returns the nanoseconds of one call: the least of three loops of at least 1 ms.
double time_of(const Case &item) {
    using Clock = std::chrono::steady_clock;
    double best = 1e18;
    item.call();
    for (int loop = 0; loop < 3; ++loop) {
        const auto start = Clock::now();
        int calls = 0;
        double elapsed = 0;
        do {
            item.call();
            ++calls;
            elapsed = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
        } while (elapsed < 1e6);
        best = std::min(best, elapsed / calls);
    }
    return best;
}

} // namespace

int main(int argc, char **) {
    add_shape<64, 64>();
    add_shape<128, 128>();
    add_shape<16, 256>();
    if (argc == 1) {
        for (const Case &item : cases) std::printf("%s\n", item.name.c_str());
        return 0;
    }
    for (std::size_t index; std::cin >> index && index < cases.size();) {
        std::printf("%.1f\n", time_of(cases[index]));
        std::fflush(stdout);
    }
    return 0;
}
