/*
 * One instance of the unit: an array of numbers that value references point into, and what is known
 * of it. Nothing is shared between instances.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "${m}.h"
${includes}
enum {
    nStates = ${nx},
    nHeld = ${nw},
    nNumbers = ${np},
    nOutputs = ${ny},
    nSwitches = ${switches},
    firstRate = ${first_rate},
    firstHeld = ${first_held},
    firstNumber = ${first_parameter},
    stepPlace = ${step_place},
    firstOutput = ${first_output},
    nValues = ${size},
    nKnown = nStates + nHeld + nNumbers,
    nFound = nStates + nOutputs
};

typedef enum { forExchange, forSteps } Purpose;
typedef enum { fine, impossible, misused } Outcome;

static const char token[] = "${token}";
static const char magic[8] = {'e', 'o', 'm', 'c', 'f', 'm', 'u', '1'};

/* Where a run starts: time, states, their rates, inputs, parameters, the longest step. */
static const double start[firstOutput] = {
${start}
};

typedef struct {
    double value[nValues];
    int ratesKnown;
    int outputsKnown;
    const char *failure;
    Purpose purpose;
    int logs;
    void *environment;
    ${logger} logMessage;
    char *name;
} Instance;

/* What of an instance is a state of the unit, as it is written. */
typedef struct {
    char magic[8];
    char token[sizeof token];
    double value[firstOutput];
    unsigned long long sum;
} Saved;

/* Of the bytes of the values: FNV-1a, so that no other numbers are resumed from. */
static unsigned long long checksum(const Saved *saved)
{
    const unsigned char *byte = (const unsigned char *)saved->value;
    unsigned long long sum = 14695981039346656037ULL;
    size_t k;
    for (k = 0; k < sizeof saved->value; k++) {
        sum = (sum ^ byte[k]) * 1099511628211ULL;
    }
    return sum;
}

static void restart(Instance *unit)
{
    memset(unit->value, 0, sizeof unit->value);
    memcpy(unit->value, start, sizeof start);
    unit->ratesKnown = 0;
    unit->outputsKnown = 0;
    unit->failure = NULL;
}

static void forget(Instance *unit)
{
    unit->ratesKnown = 0;
    unit->outputsKnown = 0;
}

static int allFinite(const double *values, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (!(fabs(values[k]) <= 1.7976931348623157e308)) {
            return 0;
        }
    }
    return 1;
}

${declared}${settings}static Outcome judged(Instance *unit, int code)
{
    unit->failure = code == ${M}_OK ? NULL : ${m}_status_name(code);
    return code == ${M}_OK ? fine : impossible;
}

static Outcome updateRates(Instance *unit)
{
    const double *v = unit->value;
${refused}    if (!unit->ratesKnown) {
        Outcome outcome;
${load}        outcome = judged(unit, ${m}_first_order_rates(v + 1, v + firstHeld, v[0], ${p}unit->value + firstRate));
        if (outcome == fine && !allFinite(v + firstRate, nStates)) {
            unit->failure = "a derivative is not finite";
            outcome = impossible;
        }
        if (outcome != fine) {
            return outcome;
        }
        unit->ratesKnown = 1;
    }
    return fine;
}

static Outcome updateOutputs(Instance *unit)
{
${outputs}}

/* What a value reference can be read for; parts that follow from the state are found first. */
static Outcome getValues(Instance *unit, const uint32_t *places, size_t count, double *values)
{
    for (size_t k = 0; k < count; k++) {
        Outcome outcome = fine;
        if (places[k] >= nValues) {
            unit->failure = "there is no such value reference";
            return misused;
        }
        if (places[k] >= firstRate && places[k] < firstHeld) {
            outcome = updateRates(unit);
        } else if (places[k] >= firstOutput) {
            outcome = updateOutputs(unit);
        }
        if (outcome != fine) {
            return outcome;
        }
    }
    for (size_t k = 0; k < count; k++) {
        values[k] = unit->value[places[k]];
    }
    return fine;
}

/* States, inputs and parameters; nothing changes if one of them cannot be set. */
static Outcome setValues(
    Instance *unit, const uint32_t *places, size_t count, const double *values)
{
    for (size_t k = 0; k < count; k++) {
        const uint32_t place = places[k];
        const int settable = (place >= 1 && place < firstRate)
            || (place >= firstHeld && place < firstOutput);
        if (!settable) {
            unit->failure = "only states, inputs and parameters can be set";
            return misused;
        }
        if (!allFinite(values + k, 1) || (place == stepPlace && !(values[k] > 0.0))) {
            unit->failure = "a value to set is not finite, or a step is not above zero";
            return misused;
        }
    }
    for (size_t k = 0; k < count; k++) {
        unit->value[places[k]] = values[k];
    }
    forget(unit);
    return fine;
}

static Outcome setStates(Instance *unit, const double *states, size_t count)
{
    if (count != nStates) {
        unit->failure = "another number of continuous states";
        return misused;
    }
    if (!allFinite(states, count)) {
        unit->failure = "a state is not finite";
        return impossible;
    }
    memcpy(unit->value + 1, states, nStates*sizeof(double));
    forget(unit);
    return fine;
}

/* Place of a reference among what derivatives are taken by; nKnown for what nothing depends on. */
static int knownPlace(uint32_t place)
{
    if (place >= 1 && place < firstRate) {
        return (int)place - 1;
    }
    if (place >= firstHeld && place < stepPlace) {
        return nStates + (int)place - firstHeld;
    }
    return place == stepPlace ? nKnown : -1;
}

/* Place among what they are taken of; states themselves come after all others. */
static int foundPlace(uint32_t place)
{
    if (place >= firstRate && place < firstHeld) {
        return (int)place - firstRate;
    }
    if (place >= firstOutput && place < nValues) {
        return nStates + (int)place - firstOutput;
    }
    return place >= 1 && place < firstRate ? nFound + (int)place - 1 : -1;
}

static Outcome checkPlaces(
    Instance *unit, const uint32_t *unknowns, size_t n, const uint32_t *knowns, size_t count)
{
    unit->failure = "derivatives are of rates, outputs and states, by states, inputs and parameters";
    for (size_t k = 0; k < n; k++) {
        if (foundPlace(unknowns[k]) < 0) {
            return misused;
        }
    }
    for (size_t k = 0; k < count; k++) {
        if (knownPlace(knowns[k]) < 0) {
            return misused;
        }
    }
    unit->failure = NULL;
    return fine;
}

/* result = J seed */
static Outcome pushForward(
    Instance *unit, const uint32_t *unknowns, size_t n, const uint32_t *knowns, size_t count,
    const double *seed, double *result)
{
    const double *v = unit->value;
    double along[nKnown + 1] = {0.0};
    double change[nFound];
    Outcome outcome = checkPlaces(unit, unknowns, n, knowns, count);
    if (outcome != fine) {
        return outcome;
    }
${refused}    for (size_t k = 0; k < count; k++) {
        along[knownPlace(knowns[k])] += seed[k];
    }
${load}    outcome = judged(unit, ${m}_first_order_forward(v + 1, v + firstHeld, v[0], along, ${p}change));
    for (size_t k = 0; outcome == fine && k < n; k++) {
        const int place = foundPlace(unknowns[k]);
        result[k] = place < nFound ? change[place] : along[place - nFound];
    }
    return outcome;
}

${adjoint}${advance}
static Instance *instantiate(const char *name, const char *asked, Purpose purpose)
{
    const size_t length = name == NULL ? 0 : strlen(name);
    Instance *unit = NULL;
    if (asked != NULL && strcmp(asked, token) == 0${steps_only}) {
        unit = calloc(1, sizeof *unit);
    }
    if (unit != NULL) {
        unit->name = calloc(length + 1, 1);
        if (unit->name == NULL) {
            free(unit);
            return NULL;
        }
        if (length > 0) {
            memcpy(unit->name, name, length);
        }
        unit->purpose = purpose;
        restart(unit);
    }
    return unit;
}

static void freeInstance(Instance *unit)
{
    if (unit != NULL) {
        free(unit->name);
        free(unit);
    }
}

static Outcome save(Instance *unit, void **state)
{
    Saved *saved = *state == NULL ? calloc(1, sizeof *saved) : *state;
    if (saved == NULL) {
        unit->failure = "out of memory";
        return misused;
    }
    memcpy(saved->magic, magic, sizeof magic);
    memcpy(saved->token, token, sizeof token);
    memcpy(saved->value, unit->value, sizeof saved->value);
    saved->sum = checksum(saved);
    *state = saved;
    return fine;
}

static Outcome resume(Instance *unit, const void *state)
{
    if (state == NULL) {
        unit->failure = "there is no state";
        return misused;
    }
    memcpy(unit->value, ((const Saved *)state)->value, sizeof start);
    forget(unit);
    return fine;
}

/* Bytes that another instance of the same unit may have written; all others are refused. */
static Outcome unpack(Instance *unit, const void *bytes, size_t size, void **state)
{
    Saved *saved;
    if (bytes == NULL || size != sizeof *saved
        || memcmp(bytes, magic, sizeof magic) != 0
        || memcmp((const char *)bytes + offsetof(Saved, token), token, sizeof token) != 0) {
        unit->failure = "these bytes are no state of this unit";
        return misused;
    }
    saved = calloc(1, sizeof *saved);
    if (saved == NULL) {
        unit->failure = "out of memory";
        return misused;
    }
    memcpy(saved, bytes, sizeof *saved);
    if (saved->sum != checksum(saved)) {
        free(saved);
        unit->failure = "these bytes of a state are damaged";
        return misused;
    }
    *state = saved;
    return fine;
}

