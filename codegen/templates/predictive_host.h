
#include "eomc_model.h"

/* Functions of a compiled model, and values of its parameters. */
typedef struct {
    eomc_call rk4_step;
    eomc_call rk4_step_derivatives;
    eomc_call rk4_step_hessian;
    eomc_call_lanes lanes_derivatives;
    eomc_call_lanes lanes_hessian;
    const void *parameters;
    const void *lane_parameters;
    int lanes;
} ${m}_host;
