/* SPDX-License-Identifier: MIT */
/* A library of custom operators for ONNX Runtime: the domain `pto`. ops.h has the operators, README.md describes them.
 *
 * An operator takes tensors of any type, and the type of its results depends on its attributes. So the shape inference
 * sets the types of results, and CreateKernel checks the node. Kernels have no state except their setting. */
#include "ops.h"
#include "ort.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ORT_VERSION = 24, /* ONNX Runtime 1.24 is the first whose shape inference can set the type of a result */
    ORT_OP_VERSION =
        17 /* the version whose OrtCustomOp has the members that are set here, and no later ones */
};

static const OrtApi *api;

/* ---- types ---- */

/* The types that operators outside ONNX Runtime can take and libpto has. FLOAT8E8M0, UINT2 and INT2 are not among
 * them: ONNX Runtime refuses them as inputs of such operators. */
static const struct {
    ONNXTensorElementDataType ort;
    pto_dtype type;
} types[] = {
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, PTO_F32},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8, PTO_U8},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8, PTO_S8},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16, PTO_U16},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16, PTO_S16},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32, PTO_S32},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, PTO_S64},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16, PTO_F16},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE, PTO_F64},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32, PTO_U32},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64, PTO_U64},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16, PTO_BF16},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FN, PTO_E4M3},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FNUZ, PTO_E4M3FNUZ},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2, PTO_E5M2},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2FNUZ, PTO_E5M2FNUZ},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT4, PTO_U4},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT4, PTO_S4},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT4E2M1, PTO_E2M1},
};

static pto_dtype type_of(ONNXTensorElementDataType ort) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].ort == ort) return types[i].type;
    return OP_NO_TYPE;
}

static ONNXTensorElementDataType ort_type_of(pto_dtype type) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].type == type) return types[i].ort;
    return ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
}

/* Returns whether ONNX Runtime has tensors of a type. */
static bool is_native(pto_dtype type) {
    return ort_type_of(type) != ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
}

/* ---- statuses ---- */

static OrtStatus *fail(const char *problem) {
    return api->CreateStatus(ORT_INVALID_ARGUMENT, problem);
}

/* Releases a status and returns whether it was a success. */
static bool succeeded(OrtStatus *status) {
    if (status == NULL) return true;
    api->ReleaseStatus(status);
    return false;
}

/* Returns the status of a failed call to the caller of this function. */
#define RETURN_IF_FAILED(call)                                                                               \
    do {                                                                                                     \
        OrtStatus *const status_ = (call);                                                                   \
        if (status_ != NULL) return status_;                                                                 \
    } while (0)

/* ---- operators ---- */

/* An operator. ONNX Runtime passes `ort`, the first member, to each function. */
typedef struct custom_op {
    OrtCustomOp ort;
    op_kind kind;
} custom_op;

enum { INFERRED = 2 }; /* how many results have a type that depends on the attributes */

static op_kind kind_of(const OrtCustomOp *op) {
    return ((const custom_op *)op)->kind;
}
static const op_signature *signature_of(const OrtCustomOp *op) {
    return &op_signatures[kind_of(op)];
}
static const char *get_name(const OrtCustomOp *op) {
    return signature_of(op)->name;
}
static size_t get_input_count(const OrtCustomOp *op) {
    return signature_of(op)->inputs;
}
static size_t get_output_count(const OrtCustomOp *op) {
    return signature_of(op)->outputs;
}

static const char *get_provider(const OrtCustomOp *op) {
    (void)op;
    return NULL; /* the CPU */
}

static ONNXTensorElementDataType get_input_type(const OrtCustomOp *op, size_t index) {
    (void)op;
    (void)index;
    return ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED; /* any type */
}

/* The shape inference sets the types of the first two results. It must not set that of the third, the second-level
 * value of Quantize: ONNX Runtime 1.26 ends the process if the node does not have this result. */
static ONNXTensorElementDataType get_output_type(const OrtCustomOp *op, size_t index) {
    (void)op;
    return index < INFERRED ? ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED : ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
}

static OrtCustomOpInputOutputCharacteristic get_input_characteristic(const OrtCustomOp *op, size_t index) {
    return index < signature_of(op)->required_inputs ? INPUT_OUTPUT_REQUIRED : INPUT_OUTPUT_OPTIONAL;
}

static OrtCustomOpInputOutputCharacteristic get_output_characteristic(const OrtCustomOp *op, size_t index) {
    return index < signature_of(op)->required_outputs ? INPUT_OUTPUT_REQUIRED : INPUT_OUTPUT_OPTIONAL;
}

static OrtMemType get_memory_type(const OrtCustomOp *op, size_t index) {
    (void)op;
    (void)index;
    return OrtMemTypeDefault;
}

static int get_version(const OrtCustomOp *op) {
    (void)op;
    return 1;
}

/* ---- attributes ---- */

/* Returns whether a node has an attribute of the type text, integer or float. */
static bool has_text(const OrtKernelInfo *info, const char *name) {
    size_t wanted = 0;
    return succeeded(api->KernelInfoGetAttribute_string(info, name, NULL, &wanted));
}
static bool has_integer(const OrtKernelInfo *info, const char *name) {
    int64_t value;
    return succeeded(api->KernelInfoGetAttribute_int64(info, name, &value));
}
static bool has_float(const OrtKernelInfo *info, const char *name) {
    float value;
    return succeeded(api->KernelInfoGetAttribute_float(info, name, &value));
}

/* Returns an error if an attribute that could not be read has another type, such as eps = 1 instead of 1.0. */
static OrtStatus *check_absent(op_kind kind, const OrtKernelInfo *info, const char *name, const char *type) {
    char problem[OP_PROBLEM];
    if (!has_text(info, name) && !has_integer(info, name) && !has_float(info, name)) return NULL;
    snprintf(problem, sizeof problem, "pto.%s: %s: the attribute must be %s (PTO_ERR_TYPE)",
             op_signatures[kind].name, name, type);
    return fail(problem);
}

/* Reads the attributes of a node while its kernel is made. */
static OrtStatus *read_attributes(op_kind kind, const OrtKernelInfo *info, op_attributes *a) {
    char problem[OP_PROBLEM];
    *a = op_no_attributes();
    for (size_t i = 0; i < OP_TEXTS; i++) {
        const op_attribute *attribute = &op_text_attributes[i];
        size_t size = OP_TEXT, wanted = 0;
        if ((attribute->kinds >> kind & 1) == 0) continue;
        if (!succeeded(api->KernelInfoGetAttribute_string(info, attribute->name, NULL, &wanted))) {
            RETURN_IF_FAILED(check_absent(kind, info, attribute->name, "a text"));
            continue;
        }
        if (wanted > OP_TEXT) {
            snprintf(problem, sizeof problem, "pto.%s: %s: the text is too long (PTO_ERR_PARSE)",
                     op_signatures[kind].name, attribute->name);
            return fail(problem);
        }
        RETURN_IF_FAILED(
            api->KernelInfoGetAttribute_string(info, attribute->name, (char *)a + attribute->offset, &size));
    }
    for (size_t i = 0; i < OP_INTEGERS; i++) {
        const op_attribute *attribute = &op_integer_attributes[i];
        int64_t value;
        if ((attribute->kinds >> kind & 1) == 0) continue;
        if (succeeded(api->KernelInfoGetAttribute_int64(info, attribute->name, &value)))
            memcpy((char *)a + attribute->offset, &value, sizeof value);
        else
            RETURN_IF_FAILED(check_absent(kind, info, attribute->name, "an integer"));
    }
    if (op_has_eps(kind)) {
        float eps;
        if (succeeded(api->KernelInfoGetAttribute_float(info, "eps", &eps)))
            a->eps = eps;
        else
            RETURN_IF_FAILED(check_absent(kind, info, "eps", "a float"));
    }
    return NULL;
}

/* Reads an attribute during shape inference. Returns false if the node does not have it. */
static bool read_inferred(const OrtShapeInferContext *context, const char *name, OrtOpAttrType type,
                          void *value, size_t size) {
    const OrtOpAttr *attribute = NULL;
    size_t written = 0;
    if (!succeeded(api->ShapeInferContext_GetAttribute(context, name, &attribute)) || attribute == NULL)
        return false;
    return succeeded(api->ReadOpAttr(attribute, type, value, size, &written));
}

/* Reads the attributes of a node during shape inference. A text that is too long is reported by read_attributes(). */
static void infer_attributes(op_kind kind, const OrtShapeInferContext *context, op_attributes *a) {
    *a = op_no_attributes();
    for (size_t i = 0; i < OP_TEXTS; i++) {
        const op_attribute *attribute = &op_text_attributes[i];
        if (attribute->kinds >> kind & 1)
            read_inferred(context, attribute->name, ORT_OP_ATTR_STRING, (char *)a + attribute->offset,
                          OP_TEXT - 1);
    }
    for (size_t i = 0; i < OP_INTEGERS; i++) {
        const op_attribute *attribute = &op_integer_attributes[i];
        if (attribute->kinds >> kind & 1)
            read_inferred(context, attribute->name, ORT_OP_ATTR_INT, (char *)a + attribute->offset,
                          sizeof(int64_t));
    }
    if (op_has_eps(kind)) read_inferred(context, "eps", ORT_OP_ATTR_FLOAT, &a->eps, sizeof a->eps);
}

/* ---- shape inference ---- */

/* Reads the type and the dimensions of a tensor. */
static OrtStatus *read_info(const OrtTensorTypeAndShapeInfo *info, op_tensor *tensor) {
    ONNXTensorElementDataType type;
    RETURN_IF_FAILED(api->GetTensorElementType(info, &type));
    tensor->type = type_of(type);
    RETURN_IF_FAILED(api->GetDimensionsCount(info, &tensor->rank));
    if (tensor->rank > OP_RANK) return fail("pto: a tensor has more than 16 dimensions (PTO_ERR_SIZE)");
    return api->GetDimensions(info, tensor->dims, tensor->rank);
}

/* The unknown dimension i of the first input has the number UNKNOWN - i during shape inference. */
enum { UNKNOWN = -2 };

/* Sets the type and the dimensions of result `index`. An unknown dimension that the first input has keeps its name,
 * and any other one gets a new name, because ONNX Runtime takes a nameless dimension for the number -1. */
static OrtStatus *set_info(OrtShapeInferContext *context, size_t index, const op_tensor *out,
                           const char **names) {
    static atomic_uint unnamed;
    OrtTensorTypeAndShapeInfo *info = NULL;
    OrtStatus *status;
    const char *symbols[OP_RANK];
    char made[OP_RANK][24];
    int64_t dims[OP_RANK];
    for (size_t i = 0; i < out->rank; i++) {
        const size_t named = out->dims[i] <= UNKNOWN ? (size_t)(UNKNOWN - out->dims[i]) : OP_RANK;
        dims[i] = out->dims[i] < 0 ? -1 : out->dims[i];
        symbols[i] = "";
        if (out->dims[i] >= 0) continue;
        if (named < OP_RANK && names[named] != NULL && *names[named] != 0) {
            symbols[i] = names[named];
        } else {
            snprintf(made[i], sizeof made[i], "pto_%u", atomic_fetch_add(&unnamed, 1));
            symbols[i] = made[i];
        }
    }
    RETURN_IF_FAILED(api->CreateTensorTypeAndShapeInfo(&info));
    status = api->SetTensorElementType(info, ort_type_of(out->type));
    if (status == NULL) status = api->SetDimensions(info, dims, out->rank);
    if (status == NULL) status = api->SetSymbolicDimensions(info, symbols, out->rank);
    if (status == NULL) status = api->ShapeInferContext_SetOutputTypeShape(context, index, info);
    api->ReleaseTensorTypeAndShapeInfo(info);
    return status;
}

static OrtStatus *infer(const OrtCustomOp *op, OrtShapeInferContext *context) {
    const op_kind kind = kind_of(op);
    op_tensor in[OP_INPUTS] = {{.rank = 0}}, out[OP_OUTPUTS] = {{.rank = 0}};
    const char *names[OP_RANK] = {NULL};
    char problem[OP_PROBLEM];
    op_attributes attributes;
    op_setting setting;
    size_t count = 0;
    RETURN_IF_FAILED(api->ShapeInferContext_GetInputCount(context, &count));
    for (size_t i = 0; i < count && i < OP_INPUTS; i++) {
        OrtTensorTypeAndShapeInfo *info = NULL;
        OrtStatus *status = api->ShapeInferContext_GetInputTypeShape(context, i, &info);
        if (!succeeded(status) || info == NULL) continue;
        in[i].present = true;
        status = read_info(info, &in[i]);
        if (status == NULL && i == 0) status = api->GetSymbolicDimensions(info, names, in[i].rank);
        if (!succeeded(status)) return NULL;
    }
    for (size_t i = 0; i < in[0].rank; i++)
        if (in[0].dims[i] < 0) in[0].dims[i] = UNKNOWN - (int64_t)i;
    infer_attributes(kind, context, &attributes);
    /* ONNX Runtime ignores errors here. create_kernel() and compute() report them, if the types are right. */
    if (!op_set(&setting, kind, &attributes, in, is_native, problem) ||
        !op_shapes(&setting, in, out, problem)) {
        op_types(&setting, kind, &attributes, is_native);
        for (size_t i = 0; i < INFERRED; i++) {
            out[i].type = setting.types[i];
            out[i].rank = in[0].rank;
            for (size_t k = 0; k < in[0].rank; k++) out[i].dims[k] = -1;
        }
    }
    for (size_t i = 0; i < op_signatures[kind].required_outputs; i++)
        RETURN_IF_FAILED(set_info(context, i, &out[i], names));
    return NULL;
}

/* ---- kernels ---- */

/* Reads the type of an input of a node. An optional input that is absent has no type. */
static OrtStatus *read_input_type(const OrtKernelInfo *info, size_t index, op_tensor *tensor) {
    const OrtTensorTypeAndShapeInfo *shape = NULL;
    ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
    OrtTypeInfo *type_info = NULL;
    OrtStatus *status;
    if (!succeeded(api->KernelInfo_GetInputTypeInfo(info, index, &type_info)) || type_info == NULL)
        return NULL;
    status = api->CastTypeInfoToTensorInfo(type_info, &shape);
    if (status == NULL && shape != NULL) status = api->GetTensorElementType(shape, &type);
    tensor->type = type_of(type);
    tensor->present = true;
    api->ReleaseTypeInfo(type_info);
    return status;
}

static OrtStatus *create_kernel(const OrtCustomOp *op, const OrtApi *given, const OrtKernelInfo *info,
                                void **kernel) {
    const op_kind kind = kind_of(op);
    op_tensor in[OP_INPUTS] = {{.rank = 0}};
    char problem[OP_PROBLEM];
    op_attributes attributes;
    op_setting *setting;
    size_t count = 0;
    (void)given;
    *kernel = NULL;
    RETURN_IF_FAILED(read_attributes(kind, info, &attributes));
    RETURN_IF_FAILED(api->KernelInfo_GetInputCount(info, &count));
    for (size_t i = 0; i < count && i < OP_INPUTS; i++) RETURN_IF_FAILED(read_input_type(info, i, &in[i]));
    setting = malloc(sizeof *setting);
    if (setting == NULL) return fail("pto: out of memory");
    if (!op_set(setting, kind, &attributes, in, is_native, problem)) {
        free(setting);
        return fail(problem);
    }
    *kernel = setting;
    return NULL;
}

static void destroy_kernel(void *kernel) {
    free(kernel);
}

/* Runs the parts of a job on the threads of the session. */
static void run_parallel(void *pool, void (*part)(void *, size_t), void *job, size_t parts) {
    if (succeeded(api->KernelContext_ParallelFor((const OrtKernelContext *)pool, part, parts, 0, job)))
        return;
    for (size_t k = 0; k < parts; k++) part(job, k);
}

static OrtStatus *read_value(const OrtValue *value, op_tensor *tensor) {
    OrtTensorTypeAndShapeInfo *info = NULL;
    OrtStatus *status;
    RETURN_IF_FAILED(api->GetTensorTypeAndShape(value, &info));
    status = read_info(info, tensor);
    api->ReleaseTensorTypeAndShapeInfo(info);
    if (status != NULL) return status;
    tensor->present = true;
    /* ONNX Runtime has no function for the data of a constant tensor before version 1.23. */
    return api->GetTensorMutableData((OrtValue *)(uintptr_t)value, &tensor->data);
}

static OrtStatus *compute(void *kernel, OrtKernelContext *context) {
    const op_setting *setting = kernel;
    op_tensor in[OP_INPUTS] = {{.rank = 0}}, out[OP_OUTPUTS] = {{.rank = 0}};
    size_t inputs = 0, outputs = 0;
    char problem[OP_PROBLEM];
    RETURN_IF_FAILED(api->KernelContext_GetInputCount(context, &inputs));
    RETURN_IF_FAILED(api->KernelContext_GetOutputCount(context, &outputs));
    for (size_t i = 0; i < inputs && i < OP_INPUTS; i++) {
        const OrtValue *value = NULL;
        RETURN_IF_FAILED(api->KernelContext_GetInput(context, i, &value));
        if (value != NULL) RETURN_IF_FAILED(read_value(value, &in[i]));
    }
    if (!op_shapes(setting, in, out, problem)) return fail(problem);
    for (size_t i = 0; i < outputs && i < op_signatures[setting->kind].outputs; i++) {
        OrtValue *value = NULL;
        RETURN_IF_FAILED(api->KernelContext_GetOutput(context, i, out[i].dims, out[i].rank, &value));
        out[i].present = value != NULL;
        if (value != NULL) RETURN_IF_FAILED(api->GetTensorMutableData(value, &out[i].data));
    }
    if (!op_run(setting, in, out, run_parallel, context, problem)) return fail(problem);
    return NULL;
}

/* ---- registration ---- */

static custom_op ops[OP_KINDS];

static void fill(custom_op *op, op_kind kind) {
    op->kind = kind;
    op->ort = (OrtCustomOp){
        .version = ORT_OP_VERSION,
        .GetName = get_name,
        .GetExecutionProviderType = get_provider,
        .GetInputType = get_input_type,
        .GetInputTypeCount = get_input_count,
        .GetOutputType = get_output_type,
        .GetOutputTypeCount = get_output_count,
        .KernelDestroy = destroy_kernel,
        .GetInputCharacteristic = get_input_characteristic,
        .GetOutputCharacteristic = get_output_characteristic,
        .GetInputMemoryType = get_memory_type,
        .CreateKernelV2 = create_kernel,
        .KernelComputeV2 = compute,
        .InferOutputShapeFn = infer,
        .GetStartVersion = get_version,
        .GetEndVersion = get_version,
    };
}

PTO_API OrtStatus *RegisterCustomOps(OrtSessionOptions *options, const OrtApiBase *base);

/* Makes the domain with all operators. */
static OrtStatus *make_domain(OrtCustomOpDomain **domain) {
    OrtCustomOpDomain *made = NULL;
    RETURN_IF_FAILED(api->CreateCustomOpDomain("pto", &made));
    for (int i = 0; i < OP_KINDS; i++) {
        OrtStatus *status;
        fill(&ops[i], (op_kind)i);
        status = api->CustomOpDomain_Add(made, &ops[i].ort);
        if (status != NULL) {
            api->ReleaseCustomOpDomain(made);
            return status;
        }
    }
    *domain = made;
    return NULL;
}

/* ONNX Runtime calls this function when the library is registered with the options of a session. All sessions use one
 * domain, which exists until the process ends. */
OrtStatus *RegisterCustomOps(OrtSessionOptions *options, const OrtApiBase *base) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static OrtCustomOpDomain *domain;
    const OrtApi *found = base->GetApi(ORT_VERSION);
    OrtStatus *status = NULL;
    if (found == NULL)
        return base->GetApi(1)->CreateStatus(ORT_FAIL, "pto: ONNX Runtime 1.24 or later is needed");
    pthread_mutex_lock(&mutex);
    if (domain == NULL) {
        api = found;
        status = make_domain(&domain);
    }
    pthread_mutex_unlock(&mutex);
    return status != NULL ? status : api->AddCustomOpDomain(options, domain);
}
