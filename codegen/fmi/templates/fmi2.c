${banner}
#include "fmi2Functions.h"

${instance}
static fmi2Status told(Instance *unit, Outcome outcome)
{
    static const fmi2Status statuses[] = {fmi2OK, fmi2Discard, fmi2Error};
    const fmi2Status status = statuses[outcome];
    if (outcome != fine && unit->logMessage != NULL && (unit->logs || status == fmi2Error)) {
        unit->logMessage(
            unit->environment, unit->name, status,
            status == fmi2Error ? "logStatusError" : "logStatusDiscard", "%s",
            unit->failure == NULL ? "the call is not possible now" : unit->failure);
    }
    return status;
}

static fmi2Status refused(Instance *unit, const char *why)
{
    if (unit == NULL) {
        return fmi2Error;
    }
    unit->failure = why;
    return told(unit, misused);
}

static fmi2Status nothing(Instance *unit)
{
    return unit == NULL ? fmi2Error : fmi2OK;
}

const char *fmi2GetTypesPlatform(void)
{
    return fmi2TypesPlatform;
}

const char *fmi2GetVersion(void)
{
    return fmi2Version;
}

fmi2Status fmi2SetDebugLogging(
    fmi2Component c, fmi2Boolean loggingOn, size_t nCategories, const fmi2String categories[])
{
    (void)nCategories;
    (void)categories;
    if (c != NULL) {
        ((Instance *)c)->logs = loggingOn != fmi2False;
    }
    return nothing(c);
}

fmi2Component fmi2Instantiate(
    fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID, fmi2String fmuResourceLocation,
    const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean loggingOn)
{
    Instance *unit =
        instantiate(instanceName, fmuGUID, fmuType == fmi2ModelExchange ? forExchange : forSteps);
    (void)fmuResourceLocation;
    (void)visible;
    if (functions != NULL) {
        if (unit != NULL) {
            unit->logMessage = functions->logger;
            unit->environment = functions->componentEnvironment;
            unit->logs = loggingOn != fmi2False;
        } else if (functions->logger != NULL) {
            functions->logger(
                functions->componentEnvironment, instanceName == NULL ? "" : instanceName,
                fmi2Error, "logStatusError", "%s", "another guid than that of this unit");
        }
    }
    return unit;
}

void fmi2FreeInstance(fmi2Component c)
{
    freeInstance(c);
}

fmi2Status fmi2SetupExperiment(
    fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance, fmi2Real startTime,
    fmi2Boolean stopTimeDefined, fmi2Real stopTime)
{
    (void)toleranceDefined;
    (void)tolerance;
    (void)stopTimeDefined;
    (void)stopTime;
    if (c != NULL) {
        ((Instance *)c)->value[0] = startTime;
        forget(c);
    }
    return nothing(c);
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c)
{
    return nothing(c);
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c)
{
    return nothing(c);
}

fmi2Status fmi2Terminate(fmi2Component c)
{
    return nothing(c);
}

fmi2Status fmi2Reset(fmi2Component c)
{
    if (c != NULL) {
        restart(c);
    }
    return nothing(c);
}

fmi2Status fmi2GetReal(
    fmi2Component c, const fmi2ValueReference vr[], size_t nvr, fmi2Real value[])
{
    return c == NULL ? fmi2Error : told(c, getValues(c, vr, nvr, value));
}

fmi2Status fmi2SetReal(
    fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2Real value[])
{
    return c == NULL ? fmi2Error : told(c, setValues(c, vr, nvr, value));
}

/* No variable is of another type. */
#define FOREIGN(name, type)                                                                        \
    fmi2Status name(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, type value[])      \
    {                                                                                              \
        (void)vr;                                                                                  \
        (void)value;                                                                               \
        return nvr == 0 ? nothing(c) : refused(c, "all variables are of type Real");               \
    }
FOREIGN(fmi2GetInteger, fmi2Integer)
FOREIGN(fmi2GetBoolean, fmi2Boolean)
FOREIGN(fmi2GetString, fmi2String)
FOREIGN(fmi2SetInteger, const fmi2Integer)
FOREIGN(fmi2SetBoolean, const fmi2Boolean)
FOREIGN(fmi2SetString, const fmi2String)

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *FMUstate)
{
    return c == NULL || FMUstate == NULL ? fmi2Error : told(c, save(c, FMUstate));
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate FMUstate)
{
    return c == NULL ? fmi2Error : told(c, resume(c, FMUstate));
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *FMUstate)
{
    if (FMUstate != NULL) {
        free(*FMUstate);
        *FMUstate = NULL;
    }
    return nothing(c);
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate FMUstate, size_t *size)
{
    (void)FMUstate;
    *size = sizeof(Saved);
    return nothing(c);
}

fmi2Status fmi2SerializeFMUstate(
    fmi2Component c, fmi2FMUstate FMUstate, fmi2Byte serializedState[], size_t size)
{
    if (FMUstate == NULL || size < sizeof(Saved)) {
        return refused(c, "there is no state, or too little room for it");
    }
    memcpy(serializedState, FMUstate, sizeof(Saved));
    return nothing(c);
}

fmi2Status fmi2DeSerializeFMUstate(
    fmi2Component c, const fmi2Byte serializedState[], size_t size, fmi2FMUstate *FMUstate)
{
    return c == NULL || FMUstate == NULL ? fmi2Error
                                         : told(c, unpack(c, serializedState, size, FMUstate));
}

fmi2Status fmi2GetDirectionalDerivative(
    fmi2Component c, const fmi2ValueReference vUnknown_ref[], size_t nUnknown,
    const fmi2ValueReference vKnown_ref[], size_t nKnown_, const fmi2Real dvKnown[],
    fmi2Real dvUnknown[])
{
    return c == NULL
        ? fmi2Error
        : told(c, pushForward(c, vUnknown_ref, nUnknown, vKnown_ref, nKnown_, dvKnown, dvUnknown));
}

/* Model Exchange */

static fmi2Status exchanging(Instance *unit)
{
    return unit != NULL && unit->purpose == forExchange
        ? fmi2OK
        : refused(unit, "this instance is not for Model Exchange");
}

fmi2Status fmi2EnterEventMode(fmi2Component c)
{
    return exchanging(c);
}

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *eventInfo)
{
    eventInfo->newDiscreteStatesNeeded = fmi2False;
    eventInfo->terminateSimulation = fmi2False;
    eventInfo->nominalsOfContinuousStatesChanged = fmi2False;
    eventInfo->valuesOfContinuousStatesChanged = fmi2False;
    eventInfo->nextEventTimeDefined = fmi2False;
    eventInfo->nextEventTime = 0.0;
    return exchanging(c);
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c)
{
    return exchanging(c);
}

fmi2Status fmi2CompletedIntegratorStep(
    fmi2Component c, fmi2Boolean noSetFMUStatePriorToCurrentPoint, fmi2Boolean *enterEventMode,
    fmi2Boolean *terminateSimulation)
{
    (void)noSetFMUStatePriorToCurrentPoint;
    *enterEventMode = fmi2False;
    *terminateSimulation = fmi2False;
    return exchanging(c);
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time)
{
    if (exchanging(c) != fmi2OK) {
        return fmi2Error;
    }
    ((Instance *)c)->value[0] = time;
    forget(c);
    return fmi2OK;
}

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t nx)
{
    return exchanging(c) != fmi2OK ? fmi2Error : told(c, setStates(c, x, nx));
}

fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real derivatives[], size_t nx)
{
    Outcome outcome;
    if (exchanging(c) != fmi2OK || nx != nStates) {
        return refused(c, "another number of continuous states");
    }
    outcome = updateRates(c);
    if (outcome == fine) {
        memcpy(derivatives, ((Instance *)c)->value + firstRate, nStates*sizeof(double));
    }
    return told(c, outcome);
}

fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real eventIndicators[], size_t ni)
{
    Outcome outcome;
    if (exchanging(c) != fmi2OK || ni != nSwitches) {
        return refused(c, "another number of event indicators");
    }
    outcome = updateOutputs(c);
    for (size_t k = 0; outcome == fine && k < ni; k++) {
        eventIndicators[k] = ((Instance *)c)->value[nValues - nSwitches + (int)k];
    }
    return told(c, outcome);
}

fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t nx)
{
    if (exchanging(c) != fmi2OK || nx != nStates) {
        return refused(c, "another number of continuous states");
    }
    memcpy(x, ((Instance *)c)->value + 1, nStates*sizeof(double));
    return fmi2OK;
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x_nominal[], size_t nx)
{
    if (exchanging(c) != fmi2OK || nx != nStates) {
        return refused(c, "another number of continuous states");
    }
    for (size_t k = 0; k < nx; k++) {
        x_nominal[k] = 1.0;
    }
    return fmi2OK;
}

/* Co-Simulation */

fmi2Status fmi2SetRealInputDerivatives(
    fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2Integer order[],
    const fmi2Real value[])
{
    (void)vr;
    (void)order;
    (void)value;
    return nvr == 0 ? nothing(c) : refused(c, "inputs are held over a step");
}

fmi2Status fmi2GetRealOutputDerivatives(
    fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2Integer order[],
    fmi2Real value[])
{
    (void)vr;
    (void)order;
    (void)value;
    return nvr == 0 ? nothing(c) : refused(c, "derivatives of outputs are not given");
}

fmi2Status fmi2DoStep(
    fmi2Component c, fmi2Real currentCommunicationPoint, fmi2Real communicationStepSize,
    fmi2Boolean noSetFMUStatePriorToCurrentPoint)
{
    Instance *unit = c;
    (void)noSetFMUStatePriorToCurrentPoint;
    if (unit == NULL || unit->purpose != forSteps) {
        return refused(unit, "this instance is not for Co-Simulation");
    }
    return told(unit, advance(unit, currentCommunicationPoint, communicationStepSize));
}

fmi2Status fmi2CancelStep(fmi2Component c)
{
    return refused(c, "steps are never pending");
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind s, fmi2Status *value)
{
    (void)s;
    *value = fmi2OK;
    return nothing(c);
}

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind s, fmi2Real *value)
{
    if (c == NULL || s != fmi2LastSuccessfulTime) {
        return refused(c, "only the last successful time is told so");
    }
    *value = ((Instance *)c)->value[0];
    return fmi2OK;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind s, fmi2Integer *value)
{
    (void)s;
    *value = 0;
    return refused(c, "no status is an integer");
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind s, fmi2Boolean *value)
{
    (void)s;
    *value = fmi2False;
    return nothing(c);
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind s, fmi2String *value)
{
    (void)s;
    *value = "";
    return nothing(c);
}
