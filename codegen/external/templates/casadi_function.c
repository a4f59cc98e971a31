
/* ---- ${name} ---- */

EXPORT casadi_int ${name}_n_in(void);
EXPORT casadi_int ${name}_n_out(void);
EXPORT const char *${name}_name_in(casadi_int i);
EXPORT const char *${name}_name_out(casadi_int i);
EXPORT const casadi_int *${name}_sparsity_in(casadi_int i);
EXPORT const casadi_int *${name}_sparsity_out(casadi_int i);
EXPORT int ${name}_work(casadi_int *sz_arg, casadi_int *sz_res, casadi_int *sz_iw,
                        casadi_int *sz_w);
EXPORT int ${name}(const double **arg, double **res, casadi_int *iw, double *w, int mem);

casadi_int ${name}_n_in(void) { return ${inputs}; }

casadi_int ${name}_n_out(void) { return ${outputs}; }

const char *${name}_name_in(casadi_int i)
{
    static const char *const names[] = {${input_names}};
    return i >= 0 && i < ${inputs} ? names[i] : 0;
}

const char *${name}_name_out(casadi_int i)
{
    static const char *const names[] = {${output_names}};
    return i >= 0 && i < ${outputs} ? names[i] : 0;
}

${patterns}

const casadi_int *${name}_sparsity_in(casadi_int i)
{
    static const casadi_int *const patterns[] = {${input_patterns}};
    return i >= 0 && i < ${inputs} ? patterns[i] : 0;
}

const casadi_int *${name}_sparsity_out(casadi_int i)
{
    static const casadi_int *const patterns[] = {${output_patterns}};
    return i >= 0 && i < ${outputs} ? patterns[i] : 0;
}

int ${name}_work(casadi_int *sz_arg, casadi_int *sz_res, casadi_int *sz_iw, casadi_int *sz_w)
{
    if (sz_arg) {
        *sz_arg = ${inputs};
    }
    if (sz_res) {
        *sz_res = ${outputs};
    }
    if (sz_iw) {
        *sz_iw = 0;
    }
    if (sz_w) {
        *sz_w = ${work};
    }
    return 0;
}

int ${name}(const double **arg, double **res, casadi_int *iw, double *w, int mem)
{
    int code;
${before}    code = ${call}(
        ${arguments});
    (void)iw;
    (void)mem;
    if (code) {
        return code;
    }
${copies}
    return 0;
}
