/* SPDX-License-Identifier: MIT */
/* An extension of OpenVINO with the operators of the domain `pto`. ../onnxruntime/ops.h has the operators, README.md
 * describes them. A node checks its attributes when its types are inferred, that is while the model is read. */
#include "../onnxruntime/ops.h"

#include <openvino/core/extension.hpp>
#include <openvino/core/op_extension.hpp>
#include <openvino/frontend/onnx/extension/conversion.hpp>
#include <openvino/op/op.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using ov::element::Type_t;

/* ---- types ---- */

constexpr std::pair<Type_t, pto_dtype> types[] = {
    {Type_t::f64, PTO_F64},     {Type_t::f32, PTO_F32},      {Type_t::f16, PTO_F16},
    {Type_t::bf16, PTO_BF16},   {Type_t::f8e4m3, PTO_E4M3},  {Type_t::f8e5m2, PTO_E5M2},
    {Type_t::f4e2m1, PTO_E2M1}, {Type_t::f8e8m0, PTO_UE8M0}, {Type_t::u8, PTO_U8},
    {Type_t::u16, PTO_U16},     {Type_t::u32, PTO_U32},      {Type_t::u64, PTO_U64},
    {Type_t::i8, PTO_S8},       {Type_t::i16, PTO_S16},      {Type_t::i32, PTO_S32},
    {Type_t::i64, PTO_S64},
};

pto_dtype type_of(ov::element::Type type) {
    for (const auto &[theirs, ours] : types)
        if (theirs == type) return ours;
    return OP_NO_TYPE;
}

/* Returns OpenVINO's type of elements, or `dynamic` if it has none. */
ov::element::Type openvino_type_of(pto_dtype type) {
    for (const auto &[theirs, ours] : types)
        if (ours == type) return theirs;
    return ov::element::dynamic;
}

bool is_native(pto_dtype type) {
    return openvino_type_of(type) != ov::element::dynamic;
}

/* ---- shapes ---- */

/* The unknown dimension i of the first input has the number unknown - i during inference. */
constexpr int64_t unknown = -2;

op_tensor tensor_of(ov::element::Type type, const ov::PartialShape &shape) {
    op_tensor tensor{};
    tensor.type = type_of(type);
    tensor.present = true;
    tensor.rank = static_cast<size_t>(shape.rank().get_length());
    OPENVINO_ASSERT(tensor.rank <= OP_RANK, "pto: a tensor has more than 16 dimensions (PTO_ERR_SIZE)");
    for (size_t i = 0; i < tensor.rank; i++)
        tensor.dims[i] = shape[i].is_static() ? shape[i].get_length() : unknown - static_cast<int64_t>(i);
    return tensor;
}

/* Returns the shape of a result. It shares unknown dimensions with the first input. */
ov::PartialShape shape_of(const op_tensor &tensor, const ov::PartialShape &first) {
    ov::PartialShape shape;
    for (size_t i = 0; i < tensor.rank; i++) {
        const int64_t dim = tensor.dims[i];
        const auto shared = static_cast<size_t>(unknown - dim);
        shape.push_back(dim >= 0 ? ov::Dimension(dim) : dim <= unknown ? first[shared] : ov::Dimension());
    }
    return shape;
}

/* ---- attributes ---- */

/* The attributes of a node as OpenVINO stores them. */
struct Attributes {
    std::array<std::string, OP_TEXTS> texts;
    std::array<int64_t, OP_INTEGERS> integers;
    float eps = OP_ABSENT;
    ov::element::Type source; /* the type of the first input in the model */

    Attributes() { integers.fill(OP_ABSENT); }

    op_attributes parsed(op_kind kind) const {
        op_attributes all = op_no_attributes();
        auto *const base = reinterpret_cast<char *>(&all);
        for (size_t i = 0; i < OP_TEXTS; i++) {
            const op_attribute &attribute = op_text_attributes[i];
            OPENVINO_ASSERT(texts[i].size() < OP_TEXT, "pto.", op_signatures[kind].name, ": ", attribute.name,
                            ": the text is too long (PTO_ERR_PARSE)");
            std::memcpy(base + attribute.offset, texts[i].c_str(), texts[i].size() + 1);
        }
        for (size_t i = 0; i < OP_INTEGERS; i++)
            std::memcpy(base + op_integer_attributes[i].offset, &integers[i], sizeof integers[i]);
        all.eps = eps;
        return all;
    }
};

bool has(const op_attribute &attribute, op_kind kind) {
    return (attribute.kinds >> kind & 1) != 0;
}

/* ---- inputs that the CPU device has converted ---- */

/* Returns whether the CPU device converts inputs of type `source` to `type`, for operators that it does not know, and
 * this conversion loses nothing. */
bool is_restorable(ov::element::Type source, ov::element::Type type) {
    return (type == Type_t::f32 && (source == Type_t::f16 || source == Type_t::bf16)) ||
           (type == Type_t::i32 && (source == Type_t::i16 || source == Type_t::u16));
}

/* Returns the elements in the type that they have in the model. A NaN keeps its payload. */
ov::Tensor restored(const ov::Tensor &input, ov::element::Type source) {
    ov::Tensor result(source, input.get_shape());
    const auto *const words = static_cast<const uint32_t *>(input.data());
    auto *const halves = static_cast<uint16_t *>(result.data());
    const size_t n = input.get_size();
    if (source == Type_t::f16) {
        const pto_cvt_op op{PTO_F16, PTO_F32, PTO_RN, false, false, false, false, false, {}, PTO_SCALE_NONE};
        const pto_status status = pto_cvt(op, words, halves, nullptr, n);
        OPENVINO_ASSERT(status == PTO_OK, pto_strerror(status));
        for (size_t i = 0; i < n; i++)
            if ((words[i] & 0x7FFFFFFFU) > 0x7F800000U)
                halves[i] =
                    static_cast<uint16_t>((words[i] >> 16 & 0x8000U) | 0x7C00U | (words[i] >> 13 & 0x3FFU));
    } else {
        const int shift = source == Type_t::bf16 ? 16 : 0;
        for (size_t i = 0; i < n; i++) halves[i] = static_cast<uint16_t>(words[i] >> shift);
    }
    return result;
}

/* ---- operators ---- */

/* Runs the parts of a job on the threads of the caller's arena, which are those of the inference. */
void run_parallel(void *, void (*part)(void *, size_t), void *job, size_t parts) {
    tbb::parallel_for(size_t{0}, parts, [=](size_t k) { part(job, k); });
}

template <op_kind Kind> class Operator : public ov::op::Op {
  public:
    static const ov::DiscreteTypeInfo &get_type_info_static() {
        static const ov::DiscreteTypeInfo info = [] {
            ov::DiscreteTypeInfo made{op_signatures[Kind].name, "pto"};
            made.hash();
            return made;
        }();
        return info;
    }

    const ov::DiscreteTypeInfo &get_type_info() const override { return get_type_info_static(); }

    Operator() = default;

    Operator(const ov::OutputVector &inputs, const Attributes &given) : Op(inputs), attributes(given) {
        constructor_validate_and_infer_types();
    }

    std::shared_ptr<ov::Node> clone_with_new_inputs(const ov::OutputVector &inputs) const override {
        return std::make_shared<Operator>(inputs, attributes);
    }

    bool visit_attributes(ov::AttributeVisitor &visitor) override {
        for (size_t i = 0; i < OP_TEXTS; i++)
            if (has(op_text_attributes[i], Kind))
                visitor.on_attribute(op_text_attributes[i].name, attributes.texts[i]);
        for (size_t i = 0; i < OP_INTEGERS; i++)
            if (has(op_integer_attributes[i], Kind))
                visitor.on_attribute(op_integer_attributes[i].name, attributes.integers[i]);
        if (op_has_eps(Kind)) visitor.on_attribute("eps", attributes.eps);
        visitor.on_attribute("source", attributes.source);
        return true;
    }

    void validate_and_infer_types() override {
        const op_attributes parsed = attributes.parsed(Kind);
        const size_t count = get_input_size();
        const op_signature &signature = op_signatures[Kind];
        op_tensor in[OP_INPUTS] = {}, out[OP_OUTPUTS] = {};
        char problem[OP_PROBLEM];
        bool typed = true, ranked = true;
        OPENVINO_ASSERT(count >= signature.required_inputs && count <= signature.inputs, "pto.",
                        signature.name, ": ", count, " inputs (PTO_ERR_NULL)");
        for (size_t i = 0; i < count; i++) {
            const bool is_ranked = get_input_partial_shape(i).rank().is_static();
            ranked = ranked && is_ranked;
            typed = typed && get_input_element_type(i).is_static();
            in[i] = tensor_of(i == 0 ? source_type() : get_input_element_type(i),
                              is_ranked ? get_input_partial_shape(i) : ov::PartialShape{});
        }
        if (!typed)
            op_types(&setting, Kind, &parsed, is_native);
        else if (!op_set(&setting, Kind, &parsed, in, is_native, problem))
            OPENVINO_THROW(problem);
        set_output_size(signature.outputs);
        if (typed && ranked && !op_shapes(&setting, in, out, problem)) {
            /* During an inference, evaluate() reports this: an exception here would be ignored, and the result would
             * be an empty tensor. The CPU device calls evaluate() only if results have elements. */
            if (!is_valid) OPENVINO_THROW(problem);
            for (op_tensor &result : out) {
                result.rank = in[0].rank;
                std::fill(result.dims, result.dims + result.rank, 1);
            }
        }
        for (size_t i = 0; i < signature.outputs; i++)
            set_output_type(i, openvino_type_of(setting.types[i]),
                            typed && ranked ? shape_of(out[i], get_input_partial_shape(0))
                                            : ov::PartialShape::dynamic());
        is_valid = true;
    }

    bool has_evaluate() const override { return true; }

    bool evaluate(ov::TensorVector &outputs, const ov::TensorVector &inputs) const override {
        op_tensor in[OP_INPUTS] = {}, out[OP_OUTPUTS] = {};
        char problem[OP_PROBLEM];
        ov::Tensor first; /* keeps the elements of the first input if they are converted */
        for (size_t i = 0; i < inputs.size(); i++) {
            const bool is_converted = i == 0 && inputs[i].get_element_type() != attributes.source;
            const ov::Tensor input = is_converted ? restored(inputs[i], attributes.source) : inputs[i];
            if (is_converted) first = input;
            in[i] = tensor_of(input.get_element_type(), input.get_shape());
            in[i].data = const_cast<void *>(static_cast<const void *>(input.data()));
        }
        if (!op_shapes(&setting, in, out, problem)) OPENVINO_THROW(problem);
        for (size_t i = 0; i < outputs.size(); i++) {
            outputs[i].set_shape(ov::Shape(out[i].dims, out[i].dims + out[i].rank));
            out[i].data = outputs[i].data();
            out[i].present = true;
        }
        if (!op_run(&setting, in, out, run_parallel, nullptr, problem)) OPENVINO_THROW(problem);
        return true;
    }

  private:
    /* Returns the type that the first input has in the model. The CPU device may have converted the input since. */
    ov::element::Type source_type() {
        const ov::element::Type type = get_input_element_type(0);
        if (attributes.source.is_dynamic()) attributes.source = type;
        OPENVINO_ASSERT(type == attributes.source || is_restorable(attributes.source, type), "pto.",
                        op_signatures[Kind].name, ": the device converts inputs of ", attributes.source,
                        " to ", type, ", which loses values (PTO_ERR_TYPE)");
        return attributes.source;
    }

    Attributes attributes;
    op_setting setting{};
    bool is_valid = false; /* whether types were inferred without an error */
};

/* ---- extensions ---- */

/* Converts a node of an ONNX model. */
template <op_kind Kind> ov::OutputVector convert(const ov::frontend::NodeContext &node) {
    Attributes attributes;
    ov::OutputVector inputs;
    for (size_t i = 0; i < OP_TEXTS; i++)
        if (has(op_text_attributes[i], Kind))
            attributes.texts[i] = node.get_attribute<std::string>(op_text_attributes[i].name, "");
    for (size_t i = 0; i < OP_INTEGERS; i++)
        if (has(op_integer_attributes[i], Kind))
            attributes.integers[i] = node.get_attribute<int64_t>(op_integer_attributes[i].name, OP_ABSENT);
    if (op_has_eps(Kind)) attributes.eps = node.get_attribute<float>("eps", OP_ABSENT);
    for (size_t i = 0; i < node.get_input_size(); i++) inputs.push_back(node.get_input(static_cast<int>(i)));
    return std::make_shared<Operator<Kind>>(inputs, attributes)->outputs();
}

template <op_kind Kind> void add(std::vector<ov::Extension::Ptr> &extensions) {
    extensions.push_back(std::make_shared<ov::OpExtension<Operator<Kind>>>()); /* for models saved as IR */
    extensions.push_back(std::make_shared<ov::frontend::onnx::ConversionExtension>(op_signatures[Kind].name,
                                                                                   "pto", convert<Kind>));
}

std::vector<ov::Extension::Ptr> all() {
    std::vector<ov::Extension::Ptr> extensions;
    add<OP_CVT>(extensions);
    add<OP_CAST>(extensions);
    add<OP_QUANTIZE>(extensions);
    add<OP_DEQUANTIZE>(extensions);
    return extensions;
}

} // namespace

OPENVINO_CREATE_EXTENSIONS(all());
