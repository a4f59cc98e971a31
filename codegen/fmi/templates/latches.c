/*
 * Latches: joints that close and open. Each set of closed ones has functions of its own; which are
 * closed stands among the values, and with what they hold among the parameters.
 */
enum { nLatches = ${count}, nRows = ${rows}, firstLatch = ${first} };

typedef struct { int first; int rows; int offset; int given[6]; const char *name; } Latch;
typedef struct { double gap; double excess; double event[2]; } Measure;

static const Latch latches[nLatches] = {
${latches}
};
static const int isLength[nRows] = {${lengths}};

static int closedSet(const double *v)
{
    int set = 0;
    for (int k = 0; k < nLatches; k++) {
        set |= v[firstLatch + 4*k] > 0.5 ? 1 << k : 0;
    }
    return set;
}

/* One step from the state x, or with h = 0 the impulse of what has closed. */
static const char *steppedWith(double *x, const double *v, double t, double h)
{
    double du[${nu}] = {0.0};
    const char *failure = "latches would make a redundant loop";
    (void)t;
    switch (closedSet(v)) {
${cases}    default:
        break;
    }
    for (int k = 0; failure == NULL && k < ${nu}; k++) {
        x[${nq} + k] += du[k];
    }
    return failure;
}

static const char *measured(const double *x, const double *v, double t, Measure *found, double *gaps)
{
    double rates[nRows];
    double limits[4*nLatches];
    double events[2*nLatches];
${load}    const int code = ${measures}gaps, rates, limits, events);
    (void)t;
    for (int k = 0; code == ${M}_OK && k < nLatches; k++) {
        double square[4] = {0.0, 0.0, 0.0, 0.0};
        double own[4];
        for (int i = latches[k].first; i < latches[k].first + latches[k].rows; i++) {
            square[isLength[i] ? 0 : 2] += gaps[i]*gaps[i];
            square[isLength[i] ? 1 : 3] += rates[i]*rates[i];
        }
        own[0] = sqrt(square[0]);
        own[1] = sqrt(square[1]);
        own[2] = 2.0*atan(0.5*sqrt(square[2]));
        own[3] = sqrt(square[3])/(1.0 + 0.25*square[2]);
        found[k].gap = own[0]/(latches[k].given[0] ? 1.01*limits[4*k] : 1.0);
        found[k].excess = -1.0;
        for (int i = 0; i < 4; i++) {
            if (latches[k].given[i]) {
                found[k].excess = fmax(found[k].excess, own[i]/limits[4*k + i] - 1.0);
            }
        }
        found[k].event[0] = events[2*k];
        found[k].event[1] = events[2*k + 1];
    }
    return code == ${M}_OK ? NULL : ${m}_status_name(code);
}

/* A step of length h from time t, and what closes and opens at its end. */
static const char *latchedStep(double *w, double t, double h)
{
    Measure before[nLatches];
    Measure after[nLatches];
    double gaps[nRows];
    int closes = 0;
    const char *failure = measured(w + 1, w, t, before, gaps);
    failure = failure == NULL ? steppedWith(w + 1, w, t, h) : failure;
    failure = failure == NULL ? measured(w + 1, w, t + h, after, gaps) : failure;
    for (int k = 0; failure == NULL && k < nLatches; k++) {
        const Latch *latch = latches + k;
        double *closed = w + firstLatch + 4*k; /* near, closes and opens follow */
        const int isClosed = closed[0] > 0.5;
        int rises[2];
        for (int i = 0; i < 2; i++) { /* inputs may have jumped since the last step */
            const double last = closed[2 + i] < 0.0 || closed[2 + i] > 0.0
                ? closed[2 + i] : before[k].event[i];
            rises[i] = latch->given[4 + i] && last < 0.0 && after[k].event[i] >= 0.0;
            closed[2 + i] = after[k].event[i];
        }
        if (rises[1] && !isClosed) {
            failure = "a latch is to open, but it is not closed";
        } else if (rises[1]) {
            closed[0] = 0.0;
            closed[1] = 1.0;
        } else if (!isClosed && rises[0] && after[k].excess > 1e-9) {
            failure = "a latch is to close beyond its limits";
        } else if (!isClosed) {
            const int isAway = after[k].gap > 1.0;
            const int meets = latch->given[0] && !latch->given[4] && closed[1] < 0.5
                && after[k].excess <= 0.0;
            closed[1] = isAway ? 0.0 : closed[1];
            if (meets || rises[0]) {
                closes = 1;
                closed[0] = 1.0;
                memcpy(w + latch->offset, gaps + latch->first, (size_t)latch->rows*sizeof(double));
            }
        }
    }
    return failure == NULL && closes ? steppedWith(w + 1, w, t + h, 0.0) : failure;
}

/*
 * From time t by h in steps of equal length, none longer than the parameter allows: ${method},
 * inputs held; latches close and open at the ends of steps. Where it fails the unit stays as it was.
 */
static Outcome advance(Instance *unit, double t, double h)
{
    const double count = fmax(ceil(h/unit->value[stepPlace]*(1.0 - 1e-12)), 1.0);
    double w[firstOutput];
    if (!(h > 0.0) || !(count <= 1e9) || !allFinite(&t, 1)) {
        unit->failure = "the communication step is not above zero, or too long for its inner steps";
        return misused;
    }
    memcpy(w, unit->value, sizeof w);
    unit->failure = NULL;
    for (int n = 0; unit->failure == NULL && n < (int)count; n++) {
        unit->failure = latchedStep(w, t + n*(h/count), h/count);
    }
    if (unit->failure == NULL && !allFinite(w + 1, nStates)) {
        unit->failure = "a state is not finite after the step";
    }
    if (unit->failure == NULL) {
        memcpy(unit->value, w, sizeof w);
        unit->value[0] = t + h;
        forget(unit);
    }
    return unit->failure == NULL ? fine : impossible;
}
