// SPDX-License-Identifier: MIT
//
// Allocates the streams and fills them with data.
#include "measure/memory.h"

#include "measure/blocks.h"
#include "measure/cells.h"
#include "measure/subject.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>

#include <sys/mman.h>

namespace bench {

namespace {

constexpr size_t region =
    size_t{66} << 20; // one stream: 64 MiB, its offset, and bytes that Highway reads after the end of masks

/// The generator splitmix64.
class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed) {}
    uint64_t next() {
        uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return z ^ z >> 31;
    }

  private:
    uint64_t state_;
};

size_t bytes_of(pto_dtype type, size_t lanes) {
    return (lanes * pto_dtype_bits(type) + 7) / 8;
}

/// Returns the size in bytes of the scales of a scaled conversion: one per lane or per pair of lanes. Returns 0 for
/// other calls.
size_t scale_bytes(const bench_what &what, size_t n) {
    if (operation_of(what).writes != Writes::converted) return 0;
    switch (what.cvt.scale) {
    case PTO_SCALE_N1: return (n + 1) / 2;
    case PTO_SCALE_N2: return n;
    default: return 0;
    }
}

bool is_signed_float(pto_dtype type) {
    return pto_dtype_class(type) == PTO_CLASS_FLOAT && type != PTO_UE8M0 && type != PTO_S2F6 &&
           type != PTO_UE5M3;
}

/// The bit fields of a lane, for types that get laden or mixed data.
struct Layout {
    uint64_t exponent, fraction;
};

Layout layout_of(pto_dtype type) {
    switch (type) {
    case PTO_F16: return {0x7c00, 0x03ff};
    case PTO_BF16: return {0x7f80, 0x007f};
    case PTO_F32: return {0x7f800000, 0x007fffff};
    case PTO_TF32: return {0x7f800000, 0x007fe000};
    case PTO_E5M2: return {0x7c, 0x03};
    default: return {0x7ff0000000000000, 0x000fffffffffffff};
    }
}

/// Returns the word with every other lane replaced by a subnormal, a NaN or a zero with the same sign.
uint64_t laden_word(uint64_t word, pto_dtype type, Data data, uint64_t random) {
    const Layout layout = layout_of(type);
    const unsigned bits = static_cast<unsigned>(pto_dtype_bits(type));
    for (unsigned lane = 0; lane < 64 / bits; lane++) {
        const unsigned shift = lane * bits;
        if ((bits < 64 ? lane % 2 : random >> 63) != 0) continue;
        const uint64_t fraction = data == Data::zero ? 0 : (random >> shift & layout.fraction) | 1;
        word = (word & ~(layout.fraction << shift)) | fraction << shift;
        if (data == Data::nan)
            word |= layout.exponent << shift;
        else
            word &= ~(layout.exponent << shift);
    }
    return word;
}

/// Returns a lane of mixed data made from random bits. Bits above the lane are arbitrary. Formats with few exponents
/// use all of them.
uint64_t mixed_lane(pto_dtype type, uint64_t random) {
    const bool nan = random >> 54 == 0;
    const uint64_t code = random & 0xff;
    switch (type) {
    case PTO_E4M3: return nan ? 0x7f : code - ((code & 0x7f) == 0x7f ? 1 : 0);
    case PTO_UE8M0:
    case PTO_UE5M3: return nan ? 0xff : code - (code == 0xff ? 1 : 0);
    case PTO_E2M3:
    case PTO_E3M2: return random & 0x3f;
    default: break;
    }
    if (!is_signed_float(type) || type == PTO_E2M1) return random;
    const Layout layout = layout_of(type);
    const uint64_t one = layout.exponent & -layout.exponent, bias = layout.exponent & layout.exponent >> 1;
    if (nan) return layout.exponent | one >> 1;
    const uint64_t sign = (layout.exponent + one) & random;
    return sign | (random & layout.fraction) | (bias - 8 * one + (random & 15 * one));
}

void fill_mixed(pto_dtype type, uint64_t *words, size_t count, Random &random) {
    const unsigned bits = static_cast<unsigned>(pto_dtype_bits(type));
    const auto word = [&] {
        uint64_t lanes = 0;
        for (unsigned shift = 0; shift < 64; shift += bits)
            lanes |= (mixed_lane(type, random.next()) & ~uint64_t{0} >> (64 - bits)) << shift;
        return lanes;
    };
    std::generate_n(words, count, word);
}

/// Fills words with integers of few values, so that some lanes are equal and both signs occur.
void fill_integers(uint64_t *words, size_t count, Random &random) {
    std::generate_n(words, count, [&] { return random.next() & 0x8383838383838383; });
}

/// Fills words with ue8m0 scales from 2^-7 to 1.
void fill_scales(uint64_t *words, size_t count, Random &random) {
    std::generate_n(words, count, [&] { return (random.next() & 0x0707070707070707) | 0x7878787878787878; });
}

/// Clears the signs of scales, because no recipe has negative scales. Scales are in the stream `mask`.
void drop_signs(pto_dtype type, unsigned char *scales, size_t bytes) {
    if (type == PTO_UE8M0) return; // has no sign
    const size_t size = type == PTO_F32 ? sizeof(float) : 1;
    for (size_t i = size - 1; i < bytes; i += size) scales[i] &= 0x7f;
}

/// Fills bytes with floats of any format: multiples of 1/64 between -4 and 4, which the library converts to the format.
void fill_floats(pto_dtype type, unsigned char *to, size_t bytes, Random &random) {
    constexpr size_t block = 4096;
    static float values[block];
    const bool to_type = type != PTO_F32;
    const pto_round round = type == PTO_F64 ? PTO_ROUND_NONE : PTO_RN;
    const pto_cvt_op op = conversion(type, PTO_F32, round, pto_dtype_bits(type) <= 8);
    const size_t block_bytes = bytes_of(type, block);
    for (size_t done = 0; done < bytes; done += block_bytes) {
        std::generate(std::begin(values), std::end(values),
                      [&] { return static_cast<float>(static_cast<int>(random.next() >> 55) - 256) / 64; });
        if (to_type)
            (void)pto_cvt(op, values, to + done, nullptr, block);
        else
            std::memcpy(to + done, values, sizeof values);
    }
}

/// Returns word `index` of a packed mask of this density.
uint64_t density_word(Data data, Random &random, size_t index) {
    switch (data) {
    case Data::none: return 0;
    case Data::all: return ~uint64_t{0};
    case Data::half: return 0x5555555555555555;
    case Data::uneven: {
        // Up to three random words are combined by OR or by AND, for densities of 1/8 to 7/8. The combination is the
        // same for 64 words.
        const uint64_t block = Random(index / 64).next();
        uint64_t word = random.next();
        for (unsigned k = 0; k < (block >> 1) % 3; k++)
            word = (block & 1) != 0 ? word | random.next() : word & random.next();
        return word;
    }
    default: return random.next();
    }
}

} // namespace

Memory::Memory() {
    void *room = mmap(nullptr, region * streams, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) throw std::bad_alloc();
    madvise(room, region * streams, MADV_HUGEPAGE);
    base_ = static_cast<unsigned char *>(room);
}

Memory::~Memory() {
    munmap(base_, region * streams);
}

unsigned char *Memory::at(Stream stream, const Cell &cell) const {
    unsigned char *home = base_ + region * stream;
    const size_t line = // 17 cache lines
        size_t{1088} * stream;
    const size_t element = std::max<size_t>(pto_dtype_bits(cell.what.type) / 8, 1);
    switch (cell.place) {
    case Place::apart_4k: return home;
    case Place::misaligned: return home + line + (2 * size_t{stream} + 1) * element;
    case Place::aligned: break;
    }
    return home + line;
}

void Memory::fill_stream(Stream stream, pto_dtype type, Data data, size_t bytes) {
    auto &held = holds_[stream];
    bytes =
        std::min(region, (bytes + (size_t{1} << 16) + 0xffff) & ~size_t{0xffff}); // with the stream's offset
    if (std::get<0>(held) == type + 1 && std::get<1>(held) == data && std::get<2>(held) >= bytes) return;
    held = {type + 1, data, bytes};
    unsigned char *to = base_ + region * stream;
    auto *words = reinterpret_cast<uint64_t *>(to);
    Random random(stream + 1);
    if (data == Data::mixed)
        fill_mixed(type, words, bytes / 8, random);
    else if (type == PTO_UE8M0)
        fill_scales(words, bytes / 8, random);
    else if (is_signed_float(type))
        fill_floats(type, to, bytes, random);
    else
        fill_integers(words, bytes / 8, random);
    if (is_laden(data))
        for (size_t i = 0; i < bytes / 8; i++) words[i] = laden_word(words[i], type, data, random.next());
    if (stream == mask) drop_signs(type, to, bytes);
}

void Memory::fill_mask(const Cell &cell, Data data) {
    if ((operation_of(cell.what).traits & takes_scales) != 0) {
        const pto_block_op &op = cell.what.block;
        fill_stream(mask, pto_block_scale_type(op.rule), Data::plain, scales_bytes(op, lanes_of(cell)));
        return;
    }
    if (const size_t bytes = scale_bytes(cell.what, lanes_of(cell))) {
        fill_stream(mask, PTO_UE8M0, Data::plain, bytes);
        return;
    }
    const pto_mask_kind kind = cell.what.mask;
    const size_t bytes = (pto_mask_bytes(kind, lanes_of(cell)) + (size_t{1} << 16)) & ~size_t{7};
    auto &held = holds_[mask];
    if (std::get<0>(held) == -1 - kind && std::get<1>(held) == data && std::get<2>(held) >= bytes) return;
    held = {-1 - kind, data, bytes};
    Random random(99);
    auto *words = reinterpret_cast<uint64_t *>(base_ + region * mask);
    for (size_t i = 0; i < bytes / 8; i++)
        words[i] =
            density_word(data, random, i) & (kind == PTO_MASK_BYTE ? 0x0101010101010101 : ~uint64_t{0});
}

void Memory::fill(const Cell &cell, Data data) {
    const size_t bytes = std::min(cell.stream, bytes_of(cell.what.type, lanes_of(cell)));
    const bool laden = is_laden(data);
    const Data kind = laden || data == Data::mixed ? data : Data::plain;
    fill_stream(laden ? left_laden : left, cell.what.type, kind, bytes);
    fill_stream(laden ? right_laden : right, cell.what.type, kind, bytes);
    fill_mask(cell, laden ? Data::plain : data);
}

bench_args Memory::args(const Cell &cell, Data data) const {
    const bool laden = is_laden(data);
    bench_args args = {};
    args.what = &cell.what;
    args.a = at(laden ? left_laden : left, cell);
    args.b = at(laden ? right_laden : right, cell);
    args.u = args.a;
    args.v = args.b;
    args.m = at(mask, cell);
    args.dst = at(result, cell);
    args.dst2 = at(result2, cell);
    args.n = lanes_of(cell);
    return args;
}

unsigned char *Memory::expected() const {
    return base_ + region * answer;
}

size_t result_bytes(const bench_what &what, size_t n) {
    switch (operation_of(what).writes) {
    case Writes::mask: return pto_mask_bytes(what.mask, n);
    case Writes::lanes: return bytes_of(what.type, n);
    case Writes::converted: break;
    }
    return bytes_of(what.cvt.dst, n);
}

size_t result2_bytes(const bench_what &what, size_t n) {
    const unsigned traits = operation_of(what).traits;
    if ((traits & two_results) != 0) return result_bytes(what, n);
    return (traits & finds_scales) != 0 ? scales_bytes(what.block, n) : 0;
}

bench_traffic traffic_of(const Cell &cell) {
    bench_traffic traffic = {};
    const bench_what &what = cell.what;
    const Operation &operation = operation_of(what);
    const size_t n = lanes_of(cell);
    traffic.bytes = cell.stream;
    traffic.reads = operation.reads;
    traffic.writes = operation.writes == Writes::mask && (operation.traits & in_bits) == 0 ? 0 : 1;
    if (operation.writes == Writes::converted) {
        // The roofline moves the same bytes: wider streams are divided into pieces of the narrowest stream's length.
        const size_t in = bytes_of(what.cvt.src, n), out = bytes_of(what.cvt.dst, n);
        const size_t scales = scale_bytes(what, n);
        traffic.bytes = std::min({in, out, scales > 0 ? scales : in});
        traffic.reads = static_cast<unsigned>((in + scales) / traffic.bytes);
        traffic.writes = static_cast<unsigned>(out / traffic.bytes);
    }
    return traffic;
}

bench_traffic Memory::traffic(const Cell &cell, const bench_args &args) {
    bench_traffic traffic = traffic_of(cell);
    const auto *a = static_cast<const unsigned char *>(args.a);
    const auto *scales = static_cast<const unsigned char *>(args.m);
    const auto of_scales = static_cast<unsigned>(scale_bytes(cell.what, args.n) / traffic.bytes);
    const unsigned of_a = traffic.reads - of_scales;
    for (unsigned r = 0; r < of_a; r++) traffic.in[r] = a + r * traffic.bytes;
    for (unsigned r = 0; r < of_scales; r++) traffic.in[of_a + r] = scales + r * traffic.bytes;
    if (operation_of(cell.what).writes != Writes::converted)
        traffic.in[1] = static_cast<const unsigned char *>(args.b);
    for (unsigned w = 0; w < traffic.writes; w++)
        traffic.out[w] = static_cast<unsigned char *>(args.dst) + w * traffic.bytes;
    return traffic;
}

} // namespace bench
