/* What the library exports: the table by which eomc calls the model. */

#include "eomc_model.h"
#include "pendulum_double.c"

static int eomc_call_forward_dynamics(const void *const *x, void *const *y)
{
    return pendulum_double_forward_dynamics(x[0], x[1], x[2], x[3], y[0]);
}

static int eomc_call_coordinate_rates(const void *const *x, void *const *y)
{
    return pendulum_double_coordinate_rates(x[0], x[1], x[2], y[0]);
}

static int eomc_call_mass_matrix(const void *const *x, void *const *y)
{
    return pendulum_double_mass_matrix(x[0], x[1], y[0]);
}

static int eomc_call_energies(const void *const *x, void *const *y)
{
    return pendulum_double_energies(x[0], x[1], x[2], y[0], y[1]);
}

static int eomc_call_neutral(const void *const *x, void *const *y)
{
    return pendulum_double_neutral(x[0], y[0]);
}

static int eomc_run_rk4(
    void *q, void *u, const void *const *x, double t, double h, int steps, int per_step, int *done)
{
    (void)x;
    (void)t;
    return pendulum_double_rk4_trajectory(
        q, u, x[0], x[1], (pendulum_double_real)h, steps, per_step, done);
}

static int eomc_run_dopri(
    void *q, void *u, const void *const *x, const void *times, int rows, double rtol, double atol,
    int max_steps, eomc_adaptive_run *record)
{
    pendulum_double_adaptive_run run = {(pendulum_double_real)record->h, 0, 0, 0, 0};
    int status;
    (void)x;
    status = pendulum_double_dopri(
        q, u, x[0], x[1], times, rows, (pendulum_double_real)rtol, (pendulum_double_real)atol, max_steps, &run);
    record->h = run.h;
    record->time = run.time;
    record->done = run.done;
    record->steps = run.steps;
    record->rejected = run.rejected;
    return status;
}

static const char *const eomc_manifest[] = {
    "{\"version\":2,\"name\":\"pendulum\",\"eomc\":\"0.1.0\",\"hash\":\"89dd8f06fffbbf7d4dd3c2e110cfdf128da4fd55fcfe26fcbc4bc4f42ba29353\",\"real\":\"double\",\"prefix\":\"pendulum_double\",\"module\":\"pendulum_double_module\",\"lanes\":1,\"optimize\":\"speed\",\"functions\":{\"forward_dynamics\":{\"symbol\":\"pendulum_double_forward_dynamics\",\"python\":\"forward_dynamics\",\"description\":\"Angular acceleration.\",\"inputs\":[{\"name\":\"q\",\"c_name\":\"q\",\"shape\":[1],\"units\":\"rad\",\"description\":\"angle from hanging\",\"rows\":[\"hinge\"]},{\"name\":\"u\",\"c_name\":\"u\",\"shape\":[1],\"units\":\"rad/s\",\"description\":\"angular velocity\",\"rows\":[\"hinge\"]},{\"name\":\"tau\",\"c_name\":\"tau\",\"shape\":[1],\"units\":\"N m\",\"description\":\"torque\",\"rows\":[\"hinge\"]}],\"outputs\":[{\"name\":\"a\",\"c_name\":\"a\",\"shape\":[1],\"units\":\"rad/s^2\",\"description\":\"acceleration\",\"rows\":[]}],\"return_codes\":[\"degenerate_length\"],\"operations\":{\"div\":1,\"mul\":6,\"sin\":1,\"sub\":2},\"statements\":4,\"stack_bytes\":280,\"form\":{\"name\":\"plain\",\"why\":\"few operations or angles, or single precision\",\"cost\":{\"instructions\":12,\"bytes\":78,\"time\":29,\"angles\":0,\"path\":28,\"by_depth\":false,\"in_loops\":false}}},\"coordinate_rates\":{\"symbol\":\"pendulum_double_coordinate_rates\",\"python\":\"coordinate_rates\",\"description\":\"\",\"inputs\":[{\"name\":\"q\",\"c_name\":\"q\",\"shape\":[1],\"units\":\"rad\",\"description\":\"angle from hanging\",\"rows\":[\"hinge\"]},{\"name\":\"u\",\"c_name\":\"u\",\"shape\":[1],\"units\":\"rad/s\",\"description\":\"angular velocity\",\"rows\":[\"hinge\"]}],\"outputs\":[{\"name\":\"qdot\",\"c_name\":\"qdot\",\"shape\":[1],\"units\":\"\",\"description\":\"\",\"rows\":[]}],\"return_codes\":[],\"operations\":{},\"statements\":0,\"stack_bytes\":256,\"form\":{\"name\":\"plain\",\"why\":\"few operations or angles, or single precision\",\"cost\":{\"instructions\":1,\"bytes\":6,\"time\":8,\"angles\":0,\"path\":0,\"by_depth\":false,\"in_loops\":false}}},\"mass_matrix\":{\"symbol\":\"pendulum_double_mass_matrix\",\"python\":\"mass_matrix\",\"description\":\"\",\"inputs\":[{\"name\":\"q\",\"c_name\":\"q\",\"shape\":[1],\"units\":\"rad\",\"description\":\"angle from hanging\",\"rows\":[\"hinge\"]}],\"outputs\":[{\"name\":\"M\",\"c_name\":\"M",
    "\",\"shape\":[1,1],\"units\":\"kg m^2\",\"description\":\"\",\"rows\":[]}],\"return_codes\":[],\"operations\":{\"mul\":2},\"statements\":1,\"stack_bytes\":256,\"form\":{\"name\":\"plain\",\"why\":\"few operations or angles, or single precision\",\"cost\":{\"instructions\":3,\"bytes\":20,\"time\":10,\"angles\":0,\"path\":2,\"by_depth\":false,\"in_loops\":false}}},\"energies\":{\"symbol\":\"pendulum_double_energies\",\"python\":\"energies\",\"description\":\"Kinetic and potential energy.\",\"inputs\":[{\"name\":\"q\",\"c_name\":\"q\",\"shape\":[1],\"units\":\"rad\",\"description\":\"angle from hanging\",\"rows\":[\"hinge\"]},{\"name\":\"u\",\"c_name\":\"u\",\"shape\":[1],\"units\":\"rad/s\",\"description\":\"angular velocity\",\"rows\":[\"hinge\"]}],\"outputs\":[{\"name\":\"T\",\"c_name\":\"T\",\"shape\":[],\"units\":\"J\",\"description\":\"kinetic\",\"rows\":[]},{\"name\":\"V\",\"c_name\":\"V\",\"shape\":[],\"units\":\"J\",\"description\":\"potential\",\"rows\":[]}],\"return_codes\":[],\"operations\":{\"cos\":1,\"mul\":8},\"statements\":4,\"stack_bytes\":280,\"form\":{\"name\":\"plain\",\"why\":\"few operations or angles, or single precision\",\"cost\":{\"instructions\":12,\"bytes\":78,\"time\":24,\"angles\":0,\"path\":22,\"by_depth\":false,\"in_loops\":false}}},\"neutral\":{\"symbol\":\"pendulum_double_neutral\",\"python\":\"neutral\",\"description\":\"\",\"inputs\":[],\"outputs\":[{\"name\":\"q\",\"c_name\":\"q\",\"shape\":[1],\"units\":\"\",\"description\":\"\",\"rows\":[]}],\"return_codes\":[],\"operations\":{},\"statements\":0,\"stack_bytes\":256,\"form\":{\"name\":\"plain\",\"why\":\"few operations or angles, or single precision\",\"cost\":{\"instructions\":1,\"bytes\":6,\"time\":8,\"angles\":0,\"path\":0,\"by_depth\":false,\"in_loops\":false}}}},\"integrators\":[{\"name\":\"rk4\",\"symbol\":\"pendulum_double_rk4\",\"title\":\"classical Runge-Kutta method of order 4\",\"order\":4,\"adaptive\":false,\"stages\":4,\"stability_limit\":1.0,\"a\":[[],[0.5],[0.0,0.5],[0.0,0.0,1.0]],\"b\":[0.16666666666666666,0.3333333333333333,0.3333333333333333,0.16666666666666666],\"inputs\":[\"q\",\"u\",\"tau\"],\"state\":[\"q\",\"u\"],\"nq\":1,\"nu\":1,\"nz\":0,\"zero_order_hold\":[{\"name\":\"tau\",\"shape\":[1]}],\"time_dependent\":false},{\"name\":\"dopri\",\"symbol\":\"pendulum_double_dopri\",\"t",
    "itle\":\"Dormand-Prince method of order 5(4)\",\"order\":5,\"adaptive\":true,\"stages\":7,\"stability_limit\":2.5,\"inputs\":[\"q\",\"u\",\"tau\"],\"state\":[\"q\",\"u\"],\"nq\":1,\"nu\":1,\"nz\":0,\"zero_order_hold\":[{\"name\":\"tau\",\"shape\":[1]}],\"time_dependent\":false}],\"parameters\":[{\"name\":\"mass\",\"member\":\"mass\",\"default\":2.0,\"units\":\"kg\",\"description\":\"of the bob\"},{\"name\":\"length\",\"member\":\"length\",\"default\":0.7,\"units\":\"m\",\"description\":\"\"}],\"index_names\":{\"q\":[\"hinge\"],\"u\":[\"hinge\"]},\"return_codes\":{\"degenerate_length\":1,\"step_underflow\":2,\"too_many_steps\":3},\"metadata\":{\"coordinates\":[\"hinge\"]}}",
    NULL
};

static const eomc_entry eomc_functions[] = {
    {"forward_dynamics", eomc_call_forward_dynamics, NULL},
    {"coordinate_rates", eomc_call_coordinate_rates, NULL},
    {"mass_matrix", eomc_call_mass_matrix, NULL},
    {"energies", eomc_call_energies, NULL},
    {"neutral", eomc_call_neutral, NULL},
    {NULL, NULL, NULL}
};

static const eomc_routine eomc_routines[] = {
    {"rk4", (void (*)(void))eomc_run_rk4},
    {"dopri", (void (*)(void))eomc_run_dopri},
    {NULL, NULL}
};

static void eomc_set_defaults(void *p)
{
    typedef char is_array[sizeof(pendulum_double_parameters) == 2*sizeof(pendulum_double_real) ? 1 : -1];
    (void)sizeof(is_array);
    *(pendulum_double_parameters *)p = pendulum_double_default_parameters();
}

EOMC_EXPORT const eomc_table eomc_model = {
    EOMC_MAGIC, EOMC_VERSION, (int)sizeof(pendulum_double_real), 1, eomc_manifest, eomc_functions,
    eomc_routines, eomc_set_defaults, pendulum_double_status_name, NULL, NULL
};
