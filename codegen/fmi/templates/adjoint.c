/* result = J^T seed */
static Outcome pullBack(
    Instance *unit, const uint32_t *unknowns, size_t n, const uint32_t *knowns, size_t count,
    const double *seed, double *result)
{
    const double *v = unit->value;
    double weight[nFound + nStates] = {0.0};
    double change[nKnown + 1] = {0.0};
    Outcome outcome = checkPlaces(unit, unknowns, n, knowns, count);
    if (outcome != fine) {
        return outcome;
    }
${refused}    for (size_t k = 0; k < n; k++) {
        weight[foundPlace(unknowns[k])] += seed[k];
    }
${load}    outcome = judged(unit, ${m}_first_order_adjoint(v + 1, v + firstHeld, v[0], weight, ${p}change));
    for (int k = 0; k < nStates; k++) {
        change[k] += weight[nFound + k];
    }
    for (size_t k = 0; outcome == fine && k < count; k++) {
        result[k] = change[knownPlace(knowns[k])];
    }
    return outcome;
}

