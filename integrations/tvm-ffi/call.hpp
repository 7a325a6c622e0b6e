// SPDX-License-Identifier: MIT
// The operands of one call: reads tensors, and checks their device, dtype, shape and strides. libpto itself checks
// what is left, such as overlaps.
#ifndef PTO_TVM_FFI_CALL_HPP
#define PTO_TVM_FFI_CALL_HPP

#include <pto/pto.h>

#include <tvm/ffi/tvm_ffi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <sstream>
#include <string>

namespace pto_tvm_ffi {

namespace ffi = tvm::ffi;

// Returns the name of a status, such as "PTO_ERR_SIZE".
inline const char *status_name(pto_status status) {
    static const char *const names[] = {"PTO_OK",          "PTO_ERR_NULL",     "PTO_ERR_TYPE",
                                        "PTO_ERR_OP",      "PTO_ERR_MODIFIER", "PTO_ERR_MASK",
                                        "PTO_ERR_OVERLAP", "PTO_ERR_ISA",      "PTO_ERR_PARSE",
                                        "PTO_ERR_PATTERN", "PTO_ERR_SIZE",     "PTO_ERR_STOPPED"};
    const auto i = static_cast<std::size_t>(status);
    return i < std::size(names) ? names[i] : "an unknown status";
}

// The type of each dtype of DLPack that libpto has. Two types of 4 bits and four of 2 bits may share a byte.
struct TensorType {
    int code;
    int bits;
    int lanes;
    pto_dtype type;
};

inline constexpr TensorType tensor_types[] = {
    {kDLFloat, 32, 1, PTO_F32},
    {kDLFloat, 16, 1, PTO_F16},
    {kDLBfloat, 16, 1, PTO_BF16},
    {kDLFloat, 64, 1, PTO_F64},
    {kDLInt, 8, 1, PTO_S8},
    {kDLInt, 16, 1, PTO_S16},
    {kDLInt, 32, 1, PTO_S32},
    {kDLInt, 64, 1, PTO_S64},
    {kDLUInt, 8, 1, PTO_U8},
    {kDLUInt, 16, 1, PTO_U16},
    {kDLUInt, 32, 1, PTO_U32},
    {kDLUInt, 64, 1, PTO_U64},
    {kDLFloat8_e4m3fn, 8, 1, PTO_E4M3},
    {kDLFloat8_e5m2, 8, 1, PTO_E5M2},
    {kDLFloat8_e8m0fnu, 8, 1, PTO_UE8M0},
    {kDLFloat8_e4m3fnuz, 8, 1, PTO_E4M3FNUZ},
    {kDLFloat8_e5m2fnuz, 8, 1, PTO_E5M2FNUZ},
    {kDLFloat8_e4m3b11fnuz, 8, 1, PTO_E4M3B11FNUZ},
    {kDLFloat8_e4m3, 8, 1, PTO_E4M3IEEE},
    {kDLFloat8_e3m4, 8, 1, PTO_E3M4},
    {kDLFloat4_e2m1fn, 4, 1, PTO_E2M1},
    {kDLFloat4_e2m1fn, 4, 2, PTO_E2M1},
    {kDLInt, 4, 1, PTO_S4},
    {kDLInt, 4, 2, PTO_S4},
    {kDLUInt, 4, 1, PTO_U4},
    {kDLUInt, 4, 2, PTO_U4},
    {kDLInt, 2, 1, PTO_S2},
    {kDLInt, 2, 4, PTO_S2},
    {kDLUInt, 2, 1, PTO_U2},
    {kDLUInt, 2, 4, PTO_U2},
    {kDLFloat, 16, 2, PTO_F16X2},
    {kDLBfloat, 16, 2, PTO_BF16X2},
    {kDLUInt, 8, 4, PTO_U8X4},
    {kDLInt, 8, 4, PTO_S8X4},
    {kDLUInt, 16, 2, PTO_U16X2},
    {kDLInt, 16, 2, PTO_S16X2},
};

// Returns the type of a dtype, if libpto has one.
inline std::optional<pto_dtype> type_of(DLDataType dtype) {
    for (const TensorType &t : tensor_types)
        if (t.code == dtype.code && t.bits == dtype.bits && t.lanes == dtype.lanes) return t.type;
    return std::nullopt;
}

inline bool is_unsigned(DLDataType dtype, std::size_t bits) {
    return dtype.code == kDLUInt && dtype.lanes == 1 && dtype.bits == bits;
}

// Returns whether a tensor of this dtype can have elements of `type`: if it is the type's own dtype, an unsigned
// integer as wide as the type in memory, for untyped bits any dtype of that width, and for tf32 also float32.
inline bool has_type(DLDataType dtype, pto_dtype type) {
    const std::size_t bits = pto_dtype_bits(type), storage = bits < 8 ? 8 : bits;
    return type_of(dtype) == type || is_unsigned(dtype, storage) ||
           (pto_dtype_class(type) == PTO_CLASS_BITS && std::size_t{dtype.bits} * dtype.lanes == bits) ||
           (type == PTO_TF32 && type_of(dtype) == PTO_F32);
}

// What an operand is, which determines the elements that it must have.
enum class Use {
    lanes,      // one element per lane
    either,     // one element per lane, or one for all lanes
    scalar,     // one element
    compressed, // one element per lane that is on in the mask
    index,      // one unsigned integer per lane, as wide as the elements
    mask,       // one truth value per lane
    extra,      // what the conversion takes: random words or scale factors
    whole,      // the function that makes the C call checks the shape
    any_mask,   // a mask of which the function that makes the C call checks the size
};

// The types of operands: the first and the second type of the call, the type of a rule's scales, and fixed ones.
enum Slot { first, second, scales, words, bools, bytes, slots };

struct Operand {
    Use use;
    Slot slot;
    int argument;           // its position in the arguments
    bool present = false;   // it is a tensor or a number
    bool is_tensor = false; // it is a tensor, which the next five members describe
    bool broadcast = false; // it is one element for all lanes
    void *data = nullptr;
    DLDataType dtype{};
    ffi::ShapeView shape{nullptr, 0};
    std::size_t count = 0;     // elements as the dtype counts them
    ffi::AnyView number;       // if it is no tensor
    std::uint64_t element = 0; // the number as an element

    // Returns the number of elements of `type` in each element of the dtype: 1, or 2 or 4 for types that share a byte.
    std::size_t each(pto_dtype type) const { return dtype.bits * dtype.lanes / pto_dtype_bits(type); }
    std::size_t last() const {
        return shape.size() == 0 ? 1 : static_cast<std::size_t>(shape[shape.size() - 1]);
    }
    std::size_t rows() const { return last() == 0 ? 0 : count / last(); }
    std::size_t row_bytes() const { return last() * dtype.bits * dtype.lanes / 8; }
};

// Converts to the pointer type of the C parameter.
struct Pointer {
    void *p;
    template <class T> operator T *() const { return static_cast<T *>(p); }
};

inline std::string shape_text(ffi::ShapeView shape) {
    std::ostringstream text;
    text << '(';
    for (std::size_t i = 0; i < shape.size(); i++) text << (i == 0 ? "" : ", ") << shape[i];
    text << (shape.size() == 1 ? ",)" : ")");
    return text.str();
}

// The operands of one call, which are first collected and then checked.
struct Call {
    const char *signature; // name(parameters), for messages
    std::array<std::optional<pto_dtype>, slots> types{{{}, {}, {}, PTO_U32, PTO_U8, PTO_B8}};
    std::array<Operand, 8> operands;
    std::size_t operand_count = 0;
    bool has_lanes = false;
    std::size_t n = 0;               // lanes
    const Operand *shaped = nullptr; // the operand whose shape the others must have
    pto_cvt_op conversion{};         // of cvt
    bool per_element = false;        // `extra` has one word per element

    explicit Call(const char *text) : signature(text) {}

    std::string name() const { return std::string(signature, std::strcspn(signature, "(")); }

    // Returns the name of the parameter at a position.
    std::string parameter(int position) const {
        const char *p = signature + std::strcspn(signature, "(") + 1;
        for (; position > 0 && std::strchr(p, ' ') != nullptr; position--) p = std::strchr(p, ' ') + 1;
        return std::string(p, std::strcspn(p, " ,)"));
    }

    [[noreturn]] void fail(pto_status status, const std::string &text) const {
        const std::string message = name() + ": " + text + " (" + status_name(status) + ")";
        if (status == PTO_ERR_TYPE) TVM_FFI_THROW(TypeError) << message;
        TVM_FFI_THROW(ValueError) << message;
        TVM_FFI_UNREACHABLE();
    }

    [[noreturn]] void fail(int argument, pto_status status, const std::string &text) const {
        fail(status, parameter(argument) + ": " + text);
    }

    void finish(pto_status status) const {
        if (status != PTO_OK) fail(status, pto_strerror(status));
    }

    pto_dtype parse_type(int argument, const char *text) const {
        pto_dtype type;
        if (pto_parse_dtype(text, &type, nullptr) != PTO_OK)
            fail(argument, PTO_ERR_PARSE, std::string("\"") + text + "\" is not a type of PTX or libpto");
        return type;
    }

    Operand &add(int argument, ffi::AnyView value, Use use, Slot slot, bool numbers) {
        Operand &o = operands[operand_count++];
        o.argument = argument;
        o.use = use;
        o.slot = slot;
        if (value.type_index() == ffi::TypeIndex::kTVMFFINone) return o;
        o.present = true;
        if (auto tensor = value.try_cast<ffi::TensorView>())
            read_tensor(o, *tensor);
        else if (numbers && (value.try_cast<int64_t>() || value.try_cast<double>()))
            o.number = value;
        else
            fail(argument, PTO_ERR_TYPE, "a tensor is wanted, not " + value.GetTypeKey());
        return o;
    }

    void read_tensor(Operand &o, const ffi::TensorView &tensor) {
        const DLDeviceType device = tensor.device().device_type;
        if (device != kDLCPU && device != kDLCUDAHost && device != kDLROCMHost)
            fail(o.argument, PTO_ERR_TYPE, "the tensor is not in CPU memory");
        if (!tensor.IsContiguous()) fail(o.argument, PTO_ERR_SIZE, "the tensor is not contiguous");
        o.is_tensor = true;
        o.dtype = tensor.dtype();
        o.shape = tensor.shape();
        o.count = static_cast<std::size_t>(o.shape.Product());
        o.data = tensor.data_ptr();
        if (o.data != nullptr) o.data = static_cast<char *>(o.data) + tensor.byte_offset();
        if (o.slot <= second && o.use != Use::index && !types[o.slot]) types[o.slot] = type_of(o.dtype);
    }

    // Returns the name of a dtype. TVM FFI has none for complex numbers and for codes that it does not know.
    static std::string dtype_text(const Operand &o) {
        try {
            return ffi::DLDataTypeToString(o.dtype);
        } catch (const ffi::Error &) {
            return "an unknown dtype";
        }
    }

    // Checks all operands. After this, they can be passed to the C call.
    void check() {
        for (std::size_t i = 0; i < operand_count; i++) check_type(operands[i]);
        find_lanes();
        for (std::size_t i = 0; i < operand_count; i++) check_count(operands[i]);
    }

    void check_type(Operand &o) const {
        if (!o.present || o.use == Use::mask || o.use == Use::any_mask || o.use == Use::extra) return;
        if (!types[o.slot]) {
            if (!o.is_tensor) fail(o.argument, PTO_ERR_TYPE, "the type of a number must be given");
            fail(o.argument, PTO_ERR_TYPE, "libpto has no type for " + dtype_text(o) + "; give one");
        }
        const pto_dtype type = *types[o.slot];
        const bool fits = !o.is_tensor          ? true
                          : o.use == Use::index ? is_unsigned(o.dtype, pto_dtype_bits(type))
                          : o.slot == bools && o.dtype.code == kDLBool ? o.dtype.bits == 8
                                                                       : has_type(o.dtype, type);
        if (!fits)
            fail(o.argument, PTO_ERR_TYPE,
                 (o.use == Use::index ? "unsigned integers as wide as " : "elements of type ") +
                     std::string(pto_dtype_name(type)) + " are wanted, not " + dtype_text(o));
    }

    // Returns the number of elements in each element of the dtype of a tensor, after check_type().
    std::size_t each(const Operand &o) const { return o.each(*types[o.slot]); }

    bool gives_lanes(const Operand &o) const {
        return o.is_tensor && (o.use == Use::lanes || o.use == Use::index);
    }

    // Sets n and `shaped` to those of the tensor of lanes with the fewest elements in each element of its dtype.
    void find_lanes() {
        for (std::size_t i = 0; i < operand_count; i++) {
            const Operand &o = operands[i];
            if (!gives_lanes(o)) continue;
            if (shaped == nullptr || each(o) < each(*shaped)) shaped = &o;
        }
        if (shaped == nullptr || has_lanes) return;
        n = shaped->count * each(*shaped);
        has_lanes = true;
    }

    // Returns whether o has an element for each lane, in the shape of the others.
    bool has_shape(const Operand &o, std::size_t in_each) const {
        if (shaped == nullptr || o.shape.size() != shaped->shape.size()) return false;
        for (std::size_t i = 0; i + 1 < o.shape.size(); i++)
            if (o.shape[i] != shaped->shape[i]) return false;
        const std::size_t lanes = shaped->last() * each(*shaped);
        return o.last() == (lanes + in_each - 1) / in_each && (lanes % in_each == 0 || o.rows() <= 1);
    }

    void check_count(Operand &o) const {
        if (!o.present) return;
        switch (o.use) {
        case Use::lanes:
        case Use::index:
            if (!has_shape(o, each(o))) fail_shape(o);
            break;
        case Use::either:
            if (o.is_tensor && has_shape(o, each(o))) break;
            o.broadcast = true;
            check_scalar(o);
            break;
        case Use::scalar: check_scalar(o); break;
        case Use::compressed: check_compressed(o); break;
        case Use::mask: check_mask(o); break;
        case Use::extra: check_extra(o); break;
        case Use::whole:
        case Use::any_mask: break;
        }
    }

    [[noreturn]] void fail_shape(const Operand &o) const {
        std::string wanted = std::to_string(n) + " lanes";
        if (shaped != nullptr)
            wanted += ", the shape of " + parameter(shaped->argument) + " is " + shape_text(shaped->shape);
        fail(o.argument, PTO_ERR_SIZE,
             "the shape " + shape_text(o.shape) + " does not fit: there are " + wanted);
    }

    void check_scalar(Operand &o) const {
        if (o.is_tensor) {
            if (o.count != 1 || each(o) != 1) {
                if (o.use == Use::either) fail_shape(o);
                fail(o.argument, PTO_ERR_SIZE, "one element is wanted, not the shape " + shape_text(o.shape));
            }
            return;
        }
        store_number(o);
        o.data = &o.element;
    }

    // Stores a number as an element. It is rounded once, to nearest even, to floats; for other types it must be exact.
    void store_number(Operand &o) const {
        pto_dtype type = *types[o.slot];
        const pto_class kind = pto_dtype_class(type);
        if (kind == PTO_CLASS_BITS) type = static_cast<pto_dtype>(type - PTO_B8 + PTO_U8);
        const auto integer = o.number.type_index() == ffi::TypeIndex::kTVMFFIFloat
                                 ? std::nullopt
                                 : o.number.try_cast<int64_t>();
        const double real = integer ? 0 : o.number.cast<double>();
        const void *number = integer ? static_cast<const void *>(&*integer) : &real;
        const pto_dtype source = integer ? PTO_S64 : PTO_F64;
        pto_status status =
            pto_cast({type, source, PTO_RN, PTO_OVERFLOW_IEEE}, number, &o.element, nullptr, 1);
        if (status == PTO_OK && kind != PTO_CLASS_FLOAT) {
            int64_t same_integer = 0;
            double same_real = 0;
            void *same = integer ? static_cast<void *>(&same_integer) : &same_real;
            status = pto_cast({source, type, PTO_RN, PTO_OVERFLOW_IEEE}, &o.element, same, nullptr, 1);
            if (status == PTO_OK && !(integer ? same_integer == *integer : same_real == real))
                status = PTO_ERR_SIZE;
        }
        if (status != PTO_OK)
            fail(o.argument, status,
                 std::string("the number is not a value of type ") + pto_dtype_name(type));
    }

    void check_mask(const Operand &o) const {
        if (mask_kind(o) == PTO_MASK_BYTE) {
            if (shaped != nullptr && each(*shaped) == 1 ? !has_shape(o, 1) : o.count != n) fail_shape(o);
            return;
        }
        if (o.count != n / 8 + (n % 8 != 0))
            fail(o.argument, PTO_ERR_SIZE,
                 "a mask of " + std::to_string(n) + " lanes has ceil(n / 8) = " +
                     std::to_string(n / 8 + (n % 8 != 0)) + " words, not the shape " + shape_text(o.shape));
    }

    pto_mask_kind mask_kind(const Operand &o) const {
        if (o.dtype.code == kDLBool && o.dtype.bits == 8 && o.dtype.lanes == 1) return PTO_MASK_BYTE;
        if (o.dtype.code == kDLUInt && o.dtype.lanes == 1) {
            if (o.dtype.bits == 8) return PTO_MASK_PACKED;
            if (o.dtype.bits == 16) return PTO_MASK_B16;
            if (o.dtype.bits == 32) return PTO_MASK_B32;
            if (o.dtype.bits == 64) return PTO_MASK_B64;
        }
        fail(o.argument, PTO_ERR_MASK, "a mask is of bool or of unsigned integers, not " + dtype_text(o));
    }

    pto_mask mask(const Operand &o) const {
        return o.present ? pto_mask_at(o.data, mask_kind(o)) : PTO_NO_MASK;
    }

    // Fails unless o has that many rows of that many bytes.
    void check_rows(const Operand &o, std::size_t rows, std::size_t row_bytes) const {
        if (o.present && (o.rows() != rows || o.row_bytes() != row_bytes) &&
            (rows * row_bytes != 0 || o.count != 0))
            fail(o.argument, PTO_ERR_SIZE,
                 std::to_string(rows) + " rows of " + std::to_string(row_bytes) +
                     " bytes are wanted, not the shape " + shape_text(o.shape));
    }

    void check_elements(const Operand &o, std::size_t count) const {
        if (o.present && o.count != count)
            fail(o.argument, PTO_ERR_SIZE,
                 std::to_string(count) + " elements are wanted, not the shape " + shape_text(o.shape));
    }

    // A compressed operand needs only as many elements as the mask has lanes that are on.
    void check_compressed(const Operand &o) const {
        std::size_t on = n;
        if (o.count >= n) return;
        for (std::size_t i = 0; i < operand_count; i++) {
            if (operands[i].use != Use::mask || !operands[i].present) continue;
            check_mask(operands[i]);
            finish(pto_mask_count(mask(operands[i]), n, &on));
        }
        if (o.count < on)
            fail(o.argument, PTO_ERR_SIZE,
                 std::to_string(on) + " elements are needed, and the shape is " + shape_text(o.shape));
    }

    // The C call itself refuses `extra` if the conversion takes none.
    void check_extra(const Operand &o) const {
        const pto_cvt_op op = conversion;
        const bool scaled = op.scale != PTO_SCALE_NONE;
        const std::size_t group = per_element ? 1 : op.dst == PTO_F16 || op.dst == PTO_BF16 ? 2 : 4;
        const std::size_t count = op.scale == PTO_SCALE_N2 ? n : scaled ? n / 2 + n % 2 : n / group;
        if (scaled ? !has_type(o.dtype, PTO_UE8M0) : !is_unsigned(o.dtype, 32))
            fail(o.argument, PTO_ERR_TYPE,
                 std::string(scaled ? "scales of type ue8m0" : "random words of type u32") +
                     " are wanted, not " + dtype_text(o));
        check_elements(o, count);
    }
};

} // namespace pto_tvm_ffi

#endif
