/* SPDX-License-Identifier: MIT */
/* Declarations of the part of ONNX Runtime's C interface that pto_onnxruntime.c uses.
 *
 * The wheel of ONNX Runtime has no headers. This file declares what the operators need, so that they can be built with
 * the wheel only. ONNX Runtime keeps its binary interface: functions are only appended to OrtApi, and members to
 * OrtCustomOp. If ONNX Runtime's own onnxruntime_c_api.h is in the include path, it is used instead of these
 * declarations, and the compiler compares the positions. */
#ifndef PTO_INTEGRATIONS_ORT_H
#define PTO_INTEGRATIONS_ORT_H

#include <stddef.h>
#include <stdint.h>

/* Each function of OrtApi that is used, with its position in this table of function pointers. */
enum ort_position {
    ORT_AT_CreateStatus = 0,
    ORT_AT_GetErrorMessage = 2,
    ORT_AT_CreateCustomOpDomain = 26,
    ORT_AT_CustomOpDomain_Add = 27,
    ORT_AT_AddCustomOpDomain = 28,
    ORT_AT_GetTensorMutableData = 51,
    ORT_AT_CastTypeInfoToTensorInfo = 55,
    ORT_AT_CreateTensorTypeAndShapeInfo = 57,
    ORT_AT_SetTensorElementType = 58,
    ORT_AT_SetDimensions = 59,
    ORT_AT_GetTensorElementType = 60,
    ORT_AT_GetDimensionsCount = 61,
    ORT_AT_GetDimensions = 62,
    ORT_AT_GetSymbolicDimensions = 63,
    ORT_AT_GetTensorTypeAndShape = 65,
    ORT_AT_KernelInfoGetAttribute_float = 85,
    ORT_AT_KernelInfoGetAttribute_int64 = 86,
    ORT_AT_KernelInfoGetAttribute_string = 87,
    ORT_AT_KernelContext_GetInputCount = 88,
    ORT_AT_KernelContext_GetOutputCount = 89,
    ORT_AT_KernelContext_GetInput = 90,
    ORT_AT_KernelContext_GetOutput = 91,
    ORT_AT_ReleaseStatus = 93,
    ORT_AT_ReleaseTypeInfo = 98,
    ORT_AT_ReleaseTensorTypeAndShapeInfo = 99,
    ORT_AT_ReleaseCustomOpDomain = 101,
    ORT_AT_KernelInfo_GetInputCount = 230,
    ORT_AT_KernelInfo_GetInputTypeInfo = 234,
    ORT_AT_ShapeInferContext_GetInputCount = 267,
    ORT_AT_ShapeInferContext_GetInputTypeShape = 268,
    ORT_AT_ShapeInferContext_GetAttribute = 269,
    ORT_AT_ShapeInferContext_SetOutputTypeShape = 270,
    ORT_AT_SetSymbolicDimensions = 271,
    ORT_AT_ReadOpAttr = 272,
    ORT_AT_KernelContext_ParallelFor = 274,
};

/* The positions of members of OrtCustomOp, counted in pointers. */
enum ort_op_position {
    ORT_AT_CreateKernelV2 = 17,
    ORT_AT_InferOutputShapeFn = 19,
    ORT_AT_GetEndVersion = 21
};

#if __has_include(<onnxruntime_c_api.h>)
#    include <onnxruntime_c_api.h>
#else

typedef struct OrtStatus OrtStatus;
typedef struct OrtValue OrtValue;
typedef struct OrtOpAttr OrtOpAttr;
typedef struct OrtTypeInfo OrtTypeInfo;
typedef struct OrtKernelInfo OrtKernelInfo;
typedef struct OrtKernelContext OrtKernelContext;
typedef struct OrtSessionOptions OrtSessionOptions;
typedef struct OrtCustomOpDomain OrtCustomOpDomain;
typedef struct OrtShapeInferContext OrtShapeInferContext;
typedef struct OrtTensorTypeAndShapeInfo OrtTensorTypeAndShapeInfo;
typedef struct OrtCustomOp OrtCustomOp;

typedef enum OrtErrorCode { ORT_FAIL = 1, ORT_INVALID_ARGUMENT = 2 } OrtErrorCode;
typedef enum OrtMemType { OrtMemTypeDefault = 0 } OrtMemType;
typedef enum OrtOpAttrType {
    ORT_OP_ATTR_INT = 1,
    ORT_OP_ATTR_FLOAT = 3,
    ORT_OP_ATTR_STRING = 5
} OrtOpAttrType;

typedef enum OrtCustomOpInputOutputCharacteristic {
    INPUT_OUTPUT_REQUIRED = 0,
    INPUT_OUTPUT_OPTIONAL = 1
} OrtCustomOpInputOutputCharacteristic;

typedef enum ONNXTensorElementDataType {
    ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED = 0,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT = 1,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8 = 2,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8 = 3,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16 = 4,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16 = 5,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32 = 6,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64 = 7,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16 = 10,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE = 11,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32 = 12,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64 = 13,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16 = 16,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FN = 17,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FNUZ = 18,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2 = 19,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2FNUZ = 20,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT4 = 21,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_INT4 = 22,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT4E2M1 = 23,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT2 = 24,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_INT2 = 25,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E8M0 = 26
} ONNXTensorElementDataType;

/* Space for `count` functions that are not used. */
#    define ORT_UNUSED(name, count) void (*name[count])(void)

typedef struct OrtApi {
    OrtStatus *(*CreateStatus)(OrtErrorCode code, const char *message);
    ORT_UNUSED(before_GetErrorMessage, ORT_AT_GetErrorMessage - ORT_AT_CreateStatus - 1);
    const char *(*GetErrorMessage)(const OrtStatus *status);
    ORT_UNUSED(before_CreateCustomOpDomain, ORT_AT_CreateCustomOpDomain - ORT_AT_GetErrorMessage - 1);
    OrtStatus *(*CreateCustomOpDomain)(const char *domain, OrtCustomOpDomain **out);
    OrtStatus *(*CustomOpDomain_Add)(OrtCustomOpDomain *domain, const OrtCustomOp *op);
    OrtStatus *(*AddCustomOpDomain)(OrtSessionOptions *options, OrtCustomOpDomain *domain);
    ORT_UNUSED(before_GetTensorMutableData, ORT_AT_GetTensorMutableData - ORT_AT_AddCustomOpDomain - 1);
    OrtStatus *(*GetTensorMutableData)(OrtValue *value, void **out);
    ORT_UNUSED(before_CastTypeInfoToTensorInfo,
               ORT_AT_CastTypeInfoToTensorInfo - ORT_AT_GetTensorMutableData - 1);
    OrtStatus *(*CastTypeInfoToTensorInfo)(const OrtTypeInfo *info, const OrtTensorTypeAndShapeInfo **out);
    ORT_UNUSED(before_CreateTensorTypeAndShapeInfo,
               ORT_AT_CreateTensorTypeAndShapeInfo - ORT_AT_CastTypeInfoToTensorInfo - 1);
    OrtStatus *(*CreateTensorTypeAndShapeInfo)(OrtTensorTypeAndShapeInfo **out);
    OrtStatus *(*SetTensorElementType)(OrtTensorTypeAndShapeInfo *info, ONNXTensorElementDataType type);
    OrtStatus *(*SetDimensions)(OrtTensorTypeAndShapeInfo *info, const int64_t *dims, size_t count);
    OrtStatus *(*GetTensorElementType)(const OrtTensorTypeAndShapeInfo *info, ONNXTensorElementDataType *out);
    OrtStatus *(*GetDimensionsCount)(const OrtTensorTypeAndShapeInfo *info, size_t *out);
    OrtStatus *(*GetDimensions)(const OrtTensorTypeAndShapeInfo *info, int64_t *dims, size_t count);
    OrtStatus *(*GetSymbolicDimensions)(const OrtTensorTypeAndShapeInfo *info, const char *names[],
                                        size_t count);
    ORT_UNUSED(before_GetTensorTypeAndShape, ORT_AT_GetTensorTypeAndShape - ORT_AT_GetSymbolicDimensions - 1);
    OrtStatus *(*GetTensorTypeAndShape)(const OrtValue *value, OrtTensorTypeAndShapeInfo **out);
    ORT_UNUSED(before_KernelInfoGetAttribute_float,
               ORT_AT_KernelInfoGetAttribute_float - ORT_AT_GetTensorTypeAndShape - 1);
    OrtStatus *(*KernelInfoGetAttribute_float)(const OrtKernelInfo *info, const char *name, float *out);
    OrtStatus *(*KernelInfoGetAttribute_int64)(const OrtKernelInfo *info, const char *name, int64_t *out);
    OrtStatus *(*KernelInfoGetAttribute_string)(const OrtKernelInfo *info, const char *name, char *out,
                                                size_t *size);
    OrtStatus *(*KernelContext_GetInputCount)(const OrtKernelContext *context, size_t *out);
    OrtStatus *(*KernelContext_GetOutputCount)(const OrtKernelContext *context, size_t *out);
    OrtStatus *(*KernelContext_GetInput)(const OrtKernelContext *context, size_t index, const OrtValue **out);
    OrtStatus *(*KernelContext_GetOutput)(OrtKernelContext *context, size_t index, const int64_t *dims,
                                          size_t count, OrtValue **out);
    ORT_UNUSED(before_ReleaseStatus, ORT_AT_ReleaseStatus - ORT_AT_KernelContext_GetOutput - 1);
    void (*ReleaseStatus)(OrtStatus *status);
    ORT_UNUSED(before_ReleaseTypeInfo, ORT_AT_ReleaseTypeInfo - ORT_AT_ReleaseStatus - 1);
    void (*ReleaseTypeInfo)(OrtTypeInfo *info);
    void (*ReleaseTensorTypeAndShapeInfo)(OrtTensorTypeAndShapeInfo *info);
    ORT_UNUSED(before_ReleaseCustomOpDomain,
               ORT_AT_ReleaseCustomOpDomain - ORT_AT_ReleaseTensorTypeAndShapeInfo - 1);
    void (*ReleaseCustomOpDomain)(OrtCustomOpDomain *domain);
    ORT_UNUSED(before_KernelInfo_GetInputCount,
               ORT_AT_KernelInfo_GetInputCount - ORT_AT_ReleaseCustomOpDomain - 1);
    OrtStatus *(*KernelInfo_GetInputCount)(const OrtKernelInfo *info, size_t *out);
    ORT_UNUSED(before_KernelInfo_GetInputTypeInfo,
               ORT_AT_KernelInfo_GetInputTypeInfo - ORT_AT_KernelInfo_GetInputCount - 1);
    OrtStatus *(*KernelInfo_GetInputTypeInfo)(const OrtKernelInfo *info, size_t index, OrtTypeInfo **out);
    ORT_UNUSED(before_ShapeInferContext_GetInputCount,
               ORT_AT_ShapeInferContext_GetInputCount - ORT_AT_KernelInfo_GetInputTypeInfo - 1);
    OrtStatus *(*ShapeInferContext_GetInputCount)(const OrtShapeInferContext *context, size_t *out);
    OrtStatus *(*ShapeInferContext_GetInputTypeShape)(const OrtShapeInferContext *context, size_t index,
                                                      OrtTensorTypeAndShapeInfo **out);
    OrtStatus *(*ShapeInferContext_GetAttribute)(const OrtShapeInferContext *context, const char *name,
                                                 const OrtOpAttr **out);
    OrtStatus *(*ShapeInferContext_SetOutputTypeShape)(const OrtShapeInferContext *context, size_t index,
                                                       const OrtTensorTypeAndShapeInfo *info);
    OrtStatus *(*SetSymbolicDimensions)(OrtTensorTypeAndShapeInfo *info, const char *names[], size_t count);
    OrtStatus *(*ReadOpAttr)(const OrtOpAttr *attribute, OrtOpAttrType type, void *data, size_t size,
                             size_t *out);
    ORT_UNUSED(before_KernelContext_ParallelFor, ORT_AT_KernelContext_ParallelFor - ORT_AT_ReadOpAttr - 1);
    OrtStatus *(*KernelContext_ParallelFor)(const OrtKernelContext *context, void (*part)(void *, size_t),
                                            size_t parts, size_t batches, void *data);
} OrtApi;

typedef struct OrtApiBase {
    const OrtApi *(*GetApi)(uint32_t version);
    const char *(*GetVersionString)(void);
} OrtApiBase;

struct OrtCustomOp {
    uint32_t version;
    void *(*CreateKernel)(const OrtCustomOp *op, const OrtApi *api, const OrtKernelInfo *info);
    const char *(*GetName)(const OrtCustomOp *op);
    const char *(*GetExecutionProviderType)(const OrtCustomOp *op);
    ONNXTensorElementDataType (*GetInputType)(const OrtCustomOp *op, size_t index);
    size_t (*GetInputTypeCount)(const OrtCustomOp *op);
    ONNXTensorElementDataType (*GetOutputType)(const OrtCustomOp *op, size_t index);
    size_t (*GetOutputTypeCount)(const OrtCustomOp *op);
    void (*KernelCompute)(void *kernel, OrtKernelContext *context);
    void (*KernelDestroy)(void *kernel);
    OrtCustomOpInputOutputCharacteristic (*GetInputCharacteristic)(const OrtCustomOp *op, size_t index);
    OrtCustomOpInputOutputCharacteristic (*GetOutputCharacteristic)(const OrtCustomOp *op, size_t index);
    OrtMemType (*GetInputMemoryType)(const OrtCustomOp *op, size_t index);
    ORT_UNUSED(variadic, 4);
    OrtStatus *(*CreateKernelV2)(const OrtCustomOp *op, const OrtApi *api, const OrtKernelInfo *info,
                                 void **kernel);
    OrtStatus *(*KernelComputeV2)(void *kernel, OrtKernelContext *context);
    OrtStatus *(*InferOutputShapeFn)(const OrtCustomOp *op, OrtShapeInferContext *context);
    int (*GetStartVersion)(const OrtCustomOp *op);
    int (*GetEndVersion)(const OrtCustomOp *op);
};
#endif

#define ORT_CHECK(name)                                                                                      \
    _Static_assert(offsetof(OrtApi, name) == ORT_AT_##name * sizeof(void *), "the position of " #name)
ORT_CHECK(CreateStatus);
ORT_CHECK(GetErrorMessage);
ORT_CHECK(CreateCustomOpDomain);
ORT_CHECK(CustomOpDomain_Add);
ORT_CHECK(AddCustomOpDomain);
ORT_CHECK(GetTensorMutableData);
ORT_CHECK(CastTypeInfoToTensorInfo);
ORT_CHECK(CreateTensorTypeAndShapeInfo);
ORT_CHECK(SetTensorElementType);
ORT_CHECK(SetDimensions);
ORT_CHECK(GetTensorElementType);
ORT_CHECK(GetDimensionsCount);
ORT_CHECK(GetDimensions);
ORT_CHECK(GetSymbolicDimensions);
ORT_CHECK(GetTensorTypeAndShape);
ORT_CHECK(KernelInfoGetAttribute_float);
ORT_CHECK(KernelInfoGetAttribute_int64);
ORT_CHECK(KernelInfoGetAttribute_string);
ORT_CHECK(KernelContext_GetInputCount);
ORT_CHECK(KernelContext_GetOutputCount);
ORT_CHECK(KernelContext_GetInput);
ORT_CHECK(KernelContext_GetOutput);
ORT_CHECK(ReleaseStatus);
ORT_CHECK(ReleaseTypeInfo);
ORT_CHECK(ReleaseTensorTypeAndShapeInfo);
ORT_CHECK(ReleaseCustomOpDomain);
ORT_CHECK(KernelInfo_GetInputCount);
ORT_CHECK(KernelInfo_GetInputTypeInfo);
ORT_CHECK(ShapeInferContext_GetInputCount);
ORT_CHECK(ShapeInferContext_GetInputTypeShape);
ORT_CHECK(ShapeInferContext_GetAttribute);
ORT_CHECK(ShapeInferContext_SetOutputTypeShape);
ORT_CHECK(SetSymbolicDimensions);
ORT_CHECK(ReadOpAttr);
ORT_CHECK(KernelContext_ParallelFor);
#undef ORT_CHECK

_Static_assert(offsetof(OrtCustomOp, CreateKernelV2) == ORT_AT_CreateKernelV2 * sizeof(void *),
               "OrtCustomOp");
_Static_assert(offsetof(OrtCustomOp, InferOutputShapeFn) == ORT_AT_InferOutputShapeFn * sizeof(void *),
               "OrtCustomOp");
_Static_assert(offsetof(OrtCustomOp, GetEndVersion) == ORT_AT_GetEndVersion * sizeof(void *), "OrtCustomOp");
_Static_assert(ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E8M0 == 26, "the types");
_Static_assert(ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16 == 16, "the types");

#endif
