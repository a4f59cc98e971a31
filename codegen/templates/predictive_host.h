
#include "eomc_model.h"

/* Functions of a compiled model, and values of its parameters. */
typedef struct {
    eomc_call rk4_step;
    eomc_call rk4_step_derivatives;
    eomc_call rk4_step_hessian;
    const void *parameters;
} ${m}_host;
