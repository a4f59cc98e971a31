/*
 * From time t by h in steps of equal length, none longer than the parameter allows: ${method},
 * inputs held. Where it fails the unit stays as it was.
 */
static Outcome advance(Instance *unit, double t, double h)
{
    const double count = ceil(h/unit->value[stepPlace]*(1.0 - 1e-12));
    double x[nStates${kept}];
    const double *v = unit->value;
    Outcome outcome;
    if (!(h > 0.0) || !(count <= 1e9) || !allFinite(&t, 1)) {
        unit->failure = "the communication step is not above zero, or too long for its inner steps";
        return misused;
    }
    memcpy(x, v + 1, ${state_bytes});
${kept_in}${load}    outcome = judged(
        unit, ${m}_${integrator}(x, x + ${nq}, ${held}${p}${time}h/fmax(count, 1.0), (int)fmax(count, 1.0)));
    if (outcome == fine && !allFinite(x, nStates)) {
        unit->failure = "a state is not finite after the step";
        outcome = impossible;
    }
    if (outcome == fine) {
        memcpy(unit->value + 1, x, ${state_bytes});
${kept_out}        unit->value[0] = t + h;
        forget(unit);
    }
    return outcome;
}
