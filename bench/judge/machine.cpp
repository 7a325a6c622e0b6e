// SPDX-License-Identifier: MIT
//
// Reads the processor's family and model from CPUID and maps them to a class of machines.
#include "judge/machine.h"

#include <array>
#include <cstring>

#if defined(__x86_64__) || defined(__i386__)
#    include <cpuid.h>
#endif

namespace bench {

namespace {

enum class Maker { amd, intel, other };

/// Maker, family and model from CPUID, with the extended fields added.
struct Processor {
    Maker maker;
    unsigned family, model;
};

struct Found {
    Machine machine;
    bool exact; ///< the processor is of the class; otherwise the class is only the nearer one
};

constexpr bool between(unsigned value, unsigned low, unsigned high) {
    return value >= low && value <= high;
}

/// Returns true for EPYC 9005 and Ryzen 9000. Other models of Zen 5 split vectors of 64 bytes.
constexpr bool is_whole_zen5(Processor p) {
    return p.maker == Maker::amd && p.family == 26 &&
           (between(p.model, 0, 0x1f) || between(p.model, 0x40, 0x4f));
}

/// Returns the class of a processor. Zen 4 and Zen 3 have the same family; Zen 3's models lie between those of Zen 4.
/// Emerald Rapids has Sapphire Rapids' cores. Other processors are nearer to Sapphire Rapids if their L1 cache also
/// delivers two vectors of 64 bytes a cycle, as Intel's do.
constexpr Found class_of(Processor p) {
    const bool zen4 =
        p.maker == Maker::amd && p.family == 25 &&
        (between(p.model, 0x10, 0x1f) || between(p.model, 0x60, 0x7f) || between(p.model, 0xa0, 0xaf));
    if (zen4) return {Machine::zen4, true};
    if (p.maker != Maker::intel && !is_whole_zen5(p)) return {Machine::zen4, false};
    return {Machine::sapphire_rapids,
            p.maker == Maker::intel && p.family == 6 && (p.model == 143 || p.model == 207)};
}

static_assert(class_of({Maker::amd, 25, 17}).exact, "EPYC 9004");
static_assert(class_of({Maker::amd, 25, 97}).exact, "Ryzen 7000");
static_assert(!class_of({Maker::amd, 25, 1}).exact, "EPYC 7003, which is Zen 3");
static_assert(!class_of({Maker::amd, 26, 2}).exact, "EPYC 9005, which is Zen 5");
static_assert(class_of({Maker::amd, 26, 2}).machine == Machine::sapphire_rapids, "whose caches are as fast");
static_assert(class_of({Maker::amd, 26, 36}).machine == Machine::zen4, "Ryzen AI 300");
static_assert(class_of({Maker::intel, 6, 143}).exact, "Sapphire Rapids");
static_assert(class_of({Maker::intel, 6, 207}).machine == Machine::sapphire_rapids, "Emerald Rapids");
static_assert(!class_of({Maker::intel, 6, 106}).exact, "Ice Lake");

/// Returns the processor, and sets `maker` to CPUID's vendor string, such as "AuthenticAMD".
Processor processor(std::string &maker) {
    maker = "unknown maker";
#if defined(__x86_64__) || defined(__i386__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(0, &a, &b, &c, &d) != 0) {
        const std::array<unsigned, 3> letters = {b, d, c};
        std::array<char, 13> name{};
        std::memcpy(name.data(), letters.data(), sizeof letters);
        maker = name.data();
    }
    if (__get_cpuid(1, &a, &b, &c, &d) != 0) {
        const unsigned family = a >> 8 & 15, extended = a >> 20 & 255,
                       model = (a >> 4 & 15) | (a >> 12 & 0xf0);
        Maker who = Maker::other;
        if (maker == "AuthenticAMD") who = Maker::amd;
        if (maker == "GenuineIntel") who = Maker::intel;
        return {who, family == 15 ? family + extended : family, model};
    }
#endif
    return {Maker::other, 0, 0};
}

} // namespace

const char *name_of(Machine machine) {
    return machine == Machine::zen4 ? "Zen 4" : "Sapphire Rapids";
}

Machine machine() {
    std::string maker;
    return class_of(processor(maker)).machine;
}

std::string describe_machine() {
    std::string maker;
    const Processor here = processor(maker);
    const Found found = class_of(here);
    return std::string(name_of(found.machine)) +
           (found.exact ? ", which this is (" : ", the nearer class to this (") + maker + ", family " +
           std::to_string(here.family) + ", model " + std::to_string(here.model) + ")";
}

} // namespace bench
