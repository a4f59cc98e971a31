
/* ---- ${name} ---- */

EXPORT XLA_FFI_Error *${name}(XLA_FFI_CallFrame *frame);

XLA_FFI_Error *${name}(XLA_FFI_CallFrame *frame)
{
    static const int64_t in_sizes[] = {${input_sizes}};
    static const int64_t out_sizes[] = {${output_sizes}};
    const double *x[${inputs}];
    double *y[${outputs}];
    int64_t batch = -1, k, state;
    if (told_version(frame)) {
        return 0;
    }
    if (frame->args.size != ${inputs} || frame->rets.size != ${outputs}) {
        return failed(frame, XLA_FFI_Error_Code_INVALID_ARGUMENT, "${name}: wrong number of arrays");
    }
    for (k = 0; k < ${inputs}; ++k) {
        x[k] = data_of(frame->args.args[k], in_sizes[k], &batch);
    }
    for (k = 0; k < ${outputs}; ++k) {
        y[k] = data_of(frame->rets.rets[k], out_sizes[k], &batch);
    }
    for (state = 0; state < batch; ++state) {
        const int code = ${call}(
            ${arguments});
        if (code) {
            return failed(frame, XLA_FFI_Error_Code_INTERNAL, ${reason});
        }
    }
    return 0;
}
