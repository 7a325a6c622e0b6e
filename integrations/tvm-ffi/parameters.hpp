// SPDX-License-Identifier: MIT
// What the parameters of a C call can be, and the function of TVM FFI that such parameters make.
//
// `Argument` is the type of the argument of TVM FFI, or void if there is none. The constructor reads the argument at a
// position. value() returns the argument of the C call, after all arguments were checked.
#ifndef PTO_TVM_FFI_PARAMETERS_HPP
#define PTO_TVM_FFI_PARAMETERS_HPP

#include "call.hpp"

#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace pto_tvm_ffi {

using Text = ffi::String;
using TypeName = ffi::Optional<ffi::String>;

template <Slot slot = first> struct Type {
    using Argument = TypeName;
    int argument;
    Type(Call &call, int position, const TypeName &name) : argument(position) {
        if (name.has_value()) call.types[slot] = call.parse_type(position, name.value().c_str());
    }
    pto_dtype value(const Call &call) const {
        if (!call.types[slot]) call.fail(argument, PTO_ERR_TYPE, "no tensor has this type; give one");
        return *call.types[slot];
    }
};

template <Use use, Slot slot, bool numbers> struct Tensor {
    using Argument = ffi::AnyView;
    Operand &operand;
    Tensor(Call &call, int position, ffi::AnyView argument)
        : operand(call.add(position, argument, use, slot, numbers)) {}
    Pointer value(const Call &) const { return {operand.data}; }
};

template <Slot slot = first> using Lanes = Tensor<Use::lanes, slot, false>;
template <Slot slot = first> using Scalar = Tensor<Use::scalar, slot, true>;
using Compressed = Tensor<Use::compressed, first, false>;
using Index = Tensor<Use::index, first, false>;
using Extra = Tensor<Use::extra, words, false>;

struct Either : Tensor<Use::either, first, true> {
    using Tensor::Tensor;
    pto_in value(const Call &) const { return {operand.data, operand.broadcast}; }
};

struct Mask : Tensor<Use::mask, bytes, false> {
    using Tensor::Tensor;
    pto_mask value(const Call &call) const { return call.mask(operand); }
};

// The number of lanes: of the tensors, or, for calls on masks only, an argument.
struct Count {
    using Argument = void;
    Count(Call &, int) {}
    std::size_t value(const Call &call) const { return call.n; }
};

struct Size {
    using Argument = int64_t;
    std::size_t size;
    Size(const Call &call, int position, int64_t argument) : size(static_cast<std::size_t>(argument)) {
        if (argument < 0) call.fail(position, PTO_ERR_SIZE, std::to_string(argument) + " is negative");
    }
    std::size_t value(const Call &) const { return size; }
};

struct GivenCount : Size {
    GivenCount(Call &call, int position, int64_t argument) : Size(call, position, argument) {
        call.n = size;
        call.has_lanes = true;
    }
};

struct Bool {
    using Argument = bool;
    bool flag;
    Bool(Call &, int, bool argument) : flag(argument) {}
    bool value(const Call &) const { return flag; }
};

// An enumerator that is the position of a word in `names`.
template <class E, const auto &names> struct Word {
    using Argument = Text;
    E word{};
    Word(const Call &call, int position, const Text &text) {
        for (std::size_t i = 0; i < std::size(names); i++)
            if (std::strcmp(names[i], text.c_str()) == 0) {
                word = static_cast<E>(i);
                return;
            }
        std::string legal;
        for (const char *name : names)
            legal += std::string(legal.empty() ? "" : ", ") + (*name == '\0' ? "\"\"" : name);
        call.fail(position, PTO_ERR_PARSE,
                  "one of " + legal + " is wanted, not \"" + std::string(text) + "\"");
    }
    E value(const Call &) const { return word; }
};

inline constexpr const char *float_tests[] = {"finite", "infinite",  "number", "notanumber",
                                              "normal", "subnormal", "zero",   "negative"};
inline constexpr const char *roundings[] = {"",   "rn",  "rna", "rz",  "rm",  "rp",
                                            "rs", "rni", "rzi", "rmi", "rpi", "ro"};
inline constexpr const char *overflows[] = {"ieee", "saturate", "saturate_finite"};
inline constexpr const char *pto_roundings[] = {"R", "A", "F", "C", "Z", "O"};
inline constexpr const char *parts[] = {"EVEN", "ODD", "P0", "P1", "P2", "P3"};
inline constexpr const char *scale_layouts[] = {"rows", "128x4", "8x4", "mn_x4", "32x8"};
inline constexpr const char *pack_layouts[] = {"gguf_mxfp4", "gguf_nvfp4", "tt_tile", "tt_tile4"};

using Test = Word<pto_float_test, float_tests>;
using Round = Word<pto_round, roundings>;
using Overflow = Word<pto_overflow, overflows>;
using PtoRound = Word<pto_vrnd, pto_roundings>;
using Part = Word<pto_vpart, parts>;
using ScaleLayout = Word<pto_scale_layout, scale_layouts>;
using PackLayout = Word<pto_pack_layout, pack_layouts>;

// An enumerator or an instruction that a function of parse.h reads.
template <class T, pto_status (*parse)(const char *, T *, pto_parse_error *)> struct Parsed {
    using Argument = Text;
    T parsed{};
    Parsed(const Call &call, int position, const Text &text) {
        pto_parse_error error;
        const pto_status status = parse(text.c_str(), &parsed, &error);
        if (status != PTO_OK) call.fail(position, status, "\"" + std::string(text) + "\": " + error.text);
    }
    T value(const Call &) const { return parsed; }
};

using Compare = Parsed<pto_cmp, pto_parse_cmp>;
using Condition = Parsed<pto_cc, pto_parse_setcc>;

struct Setp : Parsed<pto_setp_op, pto_parse_setp> {
    Setp(Call &call, int position, const Text &text) : Parsed(call, position, text) {
        call.types[first] = parsed.type;
    }
};

struct Set : Parsed<pto_set_op, pto_parse_set> {
    Set(Call &call, int position, const Text &text) : Parsed(call, position, text) {
        call.types[first] = parsed.stype;
        call.types[second] = parsed.dtype;
    }
};

// Reads flags: their names with dots between them, such as "ftz.merge", or "" for none.
struct Flags {
    using Argument = Text;
    unsigned flags = 0;
    Flags(const Call &call, int position, const Text &text) {
        static constexpr std::pair<const char *, unsigned> names[] = {{"ftz", PTO_FTZ},
                                                                      {"merge", PTO_MERGE},
                                                                      {"propagate_nan", PTO_PROPAGATE_NAN},
                                                                      {"xorsign_abs", PTO_XORSIGN_ABS}};
        for (const char *p = text.c_str(); *p != '\0';) {
            const std::string_view word(p, std::strcspn(p, "."));
            unsigned flag = 0;
            for (const auto &[name, bit] : names)
                if (word == name) flag = bit;
            if (flag == 0)
                call.fail(position, PTO_ERR_PARSE,
                          "\"" + std::string(word) +
                              "\" is not one of ftz, merge, propagate_nan, xorsign_abs");
            flags |= flag;
            p += word.size() + (p[word.size()] == '.');
        }
    }
    unsigned value(const Call &) const { return flags; }
};

// Reads a composed pair of pto_cvt(), which has no text in PTX, by the same words: "cvt.rz.bf16.e4m3". Returns whether
// the text is one.
inline bool parse_composed(const std::string &text, pto_cvt_op *op) {
    static constexpr std::pair<const char *, bool pto_cvt_op::*> modifiers[] = {
        {"ftz", &pto_cvt_op::ftz},
        {"sat", &pto_cvt_op::sat},
        {"satfinite", &pto_cvt_op::satfinite},
        {"relu", &pto_cvt_op::relu},
        {"pzo", &pto_cvt_op::pzo}};
    *op = {};
    std::array<pto_dtype, 2> types{};
    std::size_t type_count = 0;
    std::istringstream stream{text};
    std::string word;
    if (!std::getline(stream, word, '.') || word != "cvt") return false;
    while (std::getline(stream, word, '.')) {
        bool known = false;
        for (const auto &[name, member] : modifiers)
            if (word == name) known = op->*member = true;
        for (int i = PTO_RN; i <= PTO_RS; i++)
            if (word == roundings[i]) {
                op->round = static_cast<pto_round>(i);
                known = true;
            }
        if (known) continue;
        if (type_count == 2 || pto_parse_dtype(word.c_str(), &types[type_count++], nullptr) != PTO_OK)
            return false;
    }
    op->dst = types[0];
    op->src = types[1];
    return type_count == 2 && pto_cvt_check(*op) == PTO_OK && !pto_cvt_is_ptx(*op);
}

struct Cvt {
    using Argument = Text;
    Cvt(Call &call, int position, const Text &text) {
        pto_parse_error error;
        const pto_status status = pto_parse_cvt(text.c_str(), &call.conversion, &error);
        if (status != PTO_OK && !parse_composed(text, &call.conversion))
            call.fail(position, status, "\"" + std::string(text) + "\": " + error.text);
        call.types[first] = call.conversion.src;
        call.types[second] = call.conversion.dst;
    }
    pto_cvt_op value(const Call &call) const { return call.conversion; }
};

struct RandomPerElement : Extra {
    RandomPerElement(Call &call, int position, ffi::AnyView argument) : Extra(call, position, argument) {
        call.per_element = true;
    }
};

// A result that the function returns.
template <class T> struct Result {
    using Argument = void;
    T result{};
    Result(Call &, int) {}
    T *value(const Call &) { return &result; }
};

struct Float {
    using Argument = double;
    float number;
    Float(Call &, int, double argument) : number(static_cast<float>(argument)) {}
    float value(const Call &) const { return number; }
};

struct Rule {
    using Argument = Text;
    pto_block_rule rule{};
    Rule(Call &call, int position, const Text &text) {
        for (int i = 0; i < PTO_BLOCK_RULE_LIMIT; i++)
            if (std::strcmp(pto_block_rule_name(static_cast<pto_block_rule>(i)), text.c_str()) == 0 &&
                text != "?") {
                rule = static_cast<pto_block_rule>(i);
                call.types[scales] = pto_block_scale_type(rule);
                return;
            }
        call.fail(position, PTO_ERR_PARSE,
                  "\"" + std::string(text) + "\" is not a rule of docs/block-scaling.md");
    }
    pto_block_rule value(const Call &) const { return rule; }
};

// An operand that is passed to the function that makes the C call.
template <Slot slot, Use use = Use::whole> struct Whole : Tensor<use, slot, false> {
    using Tensor<use, slot, false>::Tensor;
    const Operand &value(const Call &) const { return this->operand; }
};

struct Self {
    using Argument = void;
    Self(Call &, int) {}
    const Call &value(const Call &call) const { return call; }
};

// Lists an argument, if there is one.
template <class Argument> struct Listed { using type = std::tuple<Argument>; };
template <> struct Listed<void> { using type = std::tuple<>; };

template <class T> struct IsResult : std::false_type {};
template <class T> struct IsResult<Result<T>> : std::true_type {};

// A function of TVM FFI that reads and checks the arguments, and calls `function` with the values of the parameters.
template <auto function, class Arguments, class... Parameters> struct Function;

template <auto function, class... Arguments, class... Parameters>
struct Function<function, std::tuple<Arguments...>, Parameters...> {
    const char *signature;

    auto operator()(Arguments... arguments) const {
        return run(std::tie(arguments...), std::index_sequence_for<Parameters...>{});
    }

  private:
    // Returns how many of the parameters before this one have an argument.
    static constexpr std::size_t position(std::size_t parameter) {
        constexpr bool has_argument[] = {!std::is_void_v<typename Parameters::Argument>...};
        std::size_t count = 0;
        for (std::size_t i = 0; i < parameter; i++) count += has_argument[i];
        return count;
    }

    template <class Parameter, std::size_t place>
    static Parameter read(Call &call, const std::tuple<Arguments &...> &arguments) {
        if constexpr (std::is_void_v<typename Parameter::Argument>)
            return Parameter(call, static_cast<int>(place));
        else
            return Parameter(call, static_cast<int>(place), std::get<place>(arguments));
    }

    template <std::size_t... i>
    auto run(const std::tuple<Arguments &...> &arguments, std::index_sequence<i...>) const {
        Call call(signature);
        // The order of the elements of a braced list is defined.
        std::tuple<Parameters...> parameters{read<Parameters, position(i)>(call, arguments)...};
        call.check();
        call.finish(function(std::get<i>(parameters).value(call)...));
        if constexpr ((IsResult<Parameters>::value || ...)) return result(std::get<i>(parameters)...);
    }

    template <class Parameter, class... Others>
    static auto result(const Parameter &parameter, const Others &...others) {
        if constexpr (!IsResult<Parameter>::value)
            return result(others...);
        else if constexpr (std::is_same_v<decltype(parameter.result), std::size_t>)
            return static_cast<int64_t>(parameter.result); // SIZE_MAX becomes -1
        else if constexpr (std::is_same_v<decltype(parameter.result), pto_block_size>)
            return ffi::Shape({static_cast<int64_t>(parameter.result.row_bytes),
                               static_cast<int64_t>(parameter.result.scale_rows),
                               static_cast<int64_t>(parameter.result.scale_cols),
                               static_cast<int64_t>(parameter.result.scale_bytes)});
        else
            return parameter.result;
    }
};

template <auto function, class... Parameters> constexpr auto calls(const char *signature) {
    using Arguments =
        decltype(std::tuple_cat(std::declval<typename Listed<typename Parameters::Argument>::type>()...));
    return Function<function, Arguments, Parameters...>{signature};
}

} // namespace pto_tvm_ffi

#endif
