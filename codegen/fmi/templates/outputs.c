    const double *v = unit->value;
    if (!unit->outputsKnown) {
        Outcome outcome;
${load}        outcome = judged(
            unit, ${m}_first_order_outputs(v + 1, v + firstHeld, v[0], ${p}unit->value + firstOutput));
        if (outcome != fine) {
            return outcome;
        }
        unit->outputsKnown = 1;
    }
    return fine;
