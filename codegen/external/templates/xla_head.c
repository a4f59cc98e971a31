/* ${name} for calls by XLA (jax.ffi), made by eomc. Leading dimensions of arrays are a batch. */

#include "${prefix}.h"
#include "xla/ffi/api/c_api.h"

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define EXPORT __attribute__((visibility("default")))
#else
#define EXPORT
#endif

static XLA_FFI_Error *failed(const XLA_FFI_CallFrame *frame, XLA_FFI_Error_Code code,
                             const char *message)
{
    XLA_FFI_Error_Create_Args told;
    told.struct_size = XLA_FFI_Error_Create_Args_STRUCT_SIZE;
    told.extension_start = 0;
    told.message = message;
    told.errc = code;
    return frame->api->XLA_FFI_Error_Create(&told);
}

/* Answers the question for the version of the interface; 0 if it was not asked. */
static int told_version(const XLA_FFI_CallFrame *frame)
{
    const XLA_FFI_Extension_Base *asked = frame->extension_start;
    XLA_FFI_Metadata *metadata;
    if (!asked || asked->type != XLA_FFI_Extension_Metadata) {
        return 0;
    }
    metadata = ((const XLA_FFI_Metadata_Extension *)asked)->metadata;
    metadata->api_version.major_version = XLA_FFI_API_MAJOR;
    metadata->api_version.minor_version = XLA_FFI_API_MINOR;
    metadata->traits = XLA_FFI_HANDLER_TRAITS_COMMAND_BUFFER_COMPATIBLE;
    return 1;
}

/* Data of an array of doubles with `size` entries a state; 0 if it is none. */
static double *data_of(const void *array, int64_t size, int64_t *batch)
{
    const XLA_FFI_Buffer *buffer = array;
    int64_t entries = 1, k;
    if (buffer->dtype != XLA_FFI_DataType_F64) {
        return 0;
    }
    for (k = 0; k < buffer->rank; ++k) {
        entries *= buffer->dims[k];
    }
    if (*batch < 0) {
        *batch = entries / size;
    }
    return entries == *batch * size ? buffer->data : 0;
}
