${banner}
#include "fmi3Functions.h"

${instance}
static fmi3Status told(Instance *unit, Outcome outcome)
{
    static const fmi3Status statuses[] = {fmi3OK, fmi3Discard, fmi3Error};
    const fmi3Status status = statuses[outcome];
    if (outcome != fine && unit->logMessage != NULL && (unit->logs || status == fmi3Error)) {
        unit->logMessage(
            unit->environment, status,
            status == fmi3Error ? "logStatusError" : "logStatusDiscard",
            unit->failure == NULL ? "the call is not possible now" : unit->failure);
    }
    return status;
}

static fmi3Status refused(Instance *unit, const char *why)
{
    if (unit == NULL) {
        return fmi3Error;
    }
    unit->failure = why;
    return told(unit, misused);
}

static fmi3Status nothing(Instance *unit)
{
    return unit == NULL ? fmi3Error : fmi3OK;
}

const char *fmi3GetVersion(void)
{
    return fmi3Version;
}

fmi3Status fmi3SetDebugLogging(
    fmi3Instance instance, fmi3Boolean loggingOn, size_t nCategories, const fmi3String categories[])
{
    (void)nCategories;
    (void)categories;
    if (instance != NULL) {
        ((Instance *)instance)->logs = loggingOn ? 1 : 0;
    }
    return nothing(instance);
}

static Instance *made(
    fmi3String instanceName, fmi3String asked, Purpose purpose, fmi3Boolean loggingOn,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback logMessage)
{
    Instance *unit = instantiate(instanceName, asked, purpose);
    if (unit != NULL) {
        unit->logMessage = logMessage;
        unit->environment = environment;
        unit->logs = loggingOn ? 1 : 0;
    } else if (logMessage != NULL) {
        logMessage(
            environment, fmi3Error, "logStatusError",
            "another instantiation token than that of this unit");
    }
    return unit;
}

fmi3Instance fmi3InstantiateModelExchange(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath,
    fmi3Boolean visible, fmi3Boolean loggingOn, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage)
{
    (void)resourcePath;
    (void)visible;
    return made(
        instanceName, instantiationToken, forExchange, loggingOn, instanceEnvironment, logMessage);
}

fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath,
    fmi3Boolean visible, fmi3Boolean loggingOn, fmi3Boolean eventModeUsed,
    fmi3Boolean earlyReturnAllowed, const fmi3ValueReference requiredIntermediateVariables[],
    size_t nRequiredIntermediateVariables, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3IntermediateUpdateCallback intermediateUpdate)
{
    (void)resourcePath;
    (void)visible;
    (void)eventModeUsed;
    (void)earlyReturnAllowed;
    (void)requiredIntermediateVariables;
    (void)nRequiredIntermediateVariables;
    (void)intermediateUpdate;
    return made(
        instanceName, instantiationToken, forSteps, loggingOn, instanceEnvironment, logMessage);
}

fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath,
    fmi3Boolean visible, fmi3Boolean loggingOn, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3ClockUpdateCallback clockUpdate,
    fmi3LockPreemptionCallback lockPreemption, fmi3UnlockPreemptionCallback unlockPreemption)
{
    (void)instanceName;
    (void)instantiationToken;
    (void)resourcePath;
    (void)visible;
    (void)loggingOn;
    (void)instanceEnvironment;
    (void)logMessage;
    (void)clockUpdate;
    (void)lockPreemption;
    (void)unlockPreemption;
    return NULL;
}

void fmi3FreeInstance(fmi3Instance instance)
{
    freeInstance(instance);
}

fmi3Status fmi3EnterInitializationMode(
    fmi3Instance instance, fmi3Boolean toleranceDefined, fmi3Float64 tolerance,
    fmi3Float64 startTime, fmi3Boolean stopTimeDefined, fmi3Float64 stopTime)
{
    (void)toleranceDefined;
    (void)tolerance;
    (void)stopTimeDefined;
    (void)stopTime;
    if (instance != NULL) {
        ((Instance *)instance)->value[0] = startTime;
        forget(instance);
    }
    return nothing(instance);
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance)
{
    return nothing(instance);
}

fmi3Status fmi3EnterEventMode(fmi3Instance instance)
{
    return nothing(instance);
}

fmi3Status fmi3Terminate(fmi3Instance instance)
{
    return nothing(instance);
}

fmi3Status fmi3Reset(fmi3Instance instance)
{
    if (instance != NULL) {
        restart(instance);
    }
    return nothing(instance);
}

fmi3Status fmi3GetFloat64(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
    fmi3Float64 values[], size_t nValues_)
{
    if (nValues_ != nValueReferences) {
        return refused(instance, "every variable has one value");
    }
    return instance == NULL
        ? fmi3Error
        : told(instance, getValues(instance, valueReferences, nValueReferences, values));
}

fmi3Status fmi3SetFloat64(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
    const fmi3Float64 values[], size_t nValues_)
{
    if (nValues_ != nValueReferences) {
        return refused(instance, "every variable has one value");
    }
    return instance == NULL
        ? fmi3Error
        : told(instance, setValues(instance, valueReferences, nValueReferences, values));
}

${absent}fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState *FMUState)
{
    return instance == NULL || FMUState == NULL ? fmi3Error
                                                : told(instance, save(instance, FMUState));
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState FMUState)
{
    return instance == NULL ? fmi3Error : told(instance, resume(instance, FMUState));
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState *FMUState)
{
    if (FMUState != NULL) {
        free(*FMUState);
        *FMUState = NULL;
    }
    return nothing(instance);
}

fmi3Status fmi3SerializedFMUStateSize(
    fmi3Instance instance, fmi3FMUState FMUState, size_t *size)
{
    (void)FMUState;
    *size = sizeof(Saved);
    return nothing(instance);
}

fmi3Status fmi3SerializeFMUState(
    fmi3Instance instance, fmi3FMUState FMUState, fmi3Byte serializedState[], size_t size)
{
    if (FMUState == NULL || size < sizeof(Saved)) {
        return refused(instance, "there is no state, or too little room for it");
    }
    memcpy(serializedState, FMUState, sizeof(Saved));
    return nothing(instance);
}

fmi3Status fmi3DeserializeFMUState(
    fmi3Instance instance, const fmi3Byte serializedState[], size_t size, fmi3FMUState *FMUState)
{
    return instance == NULL || FMUState == NULL
        ? fmi3Error
        : told(instance, unpack(instance, serializedState, size, FMUState));
}

fmi3Status fmi3GetDirectionalDerivative(
    fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns,
    const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,
    fmi3Float64 sensitivity[], size_t nSensitivity)
{
    if (instance == NULL || nSeed != nKnowns || nSensitivity != nUnknowns) {
        return refused(instance, "as many seeds as knowns, as many results as unknowns");
    }
    return told(
        instance,
        pushForward(instance, unknowns, nUnknowns, knowns, nKnowns, seed, sensitivity));
}

fmi3Status fmi3GetAdjointDerivative(
    fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns,
    const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,
    fmi3Float64 sensitivity[], size_t nSensitivity)
{
    if (instance == NULL || nSeed != nUnknowns || nSensitivity != nKnowns) {
        return refused(instance, "as many seeds as unknowns, as many results as knowns");
    }
    return told(
        instance, pullBack(instance, unknowns, nUnknowns, knowns, nKnowns, seed, sensitivity));
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance)
{
    return refused(instance, "there are no structural parameters");
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance)
{
    return refused(instance, "there are no structural parameters");
}

fmi3Status fmi3GetIntervalDecimal(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
    fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[])
{
    (void)valueReferences;
    (void)nValueReferences;
    (void)intervals;
    (void)qualifiers;
    return refused(instance, "there are no clocks");
}

fmi3Status fmi3GetIntervalFraction(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
    fmi3UInt64 counters[], fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[])
{
    (void)valueReferences;
    (void)nValueReferences;
    (void)counters;
    (void)resolutions;
    (void)qualifiers;
    return refused(instance, "there are no clocks");
}

fmi3Status fmi3GetShiftDecimal(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
    fmi3Float64 shifts[])
{
    (void)valueReferences;
    (void)nValueReferences;
    (void)shifts;
    return refused(instance, "there are no clocks");
}

fmi3Status fmi3GetShiftFraction(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
    fmi3UInt64 counters[], fmi3UInt64 resolutions[])
{
    (void)valueReferences;
    (void)nValueReferences;
    (void)counters;
    (void)resolutions;
    return refused(instance, "there are no clocks");
}

fmi3Status fmi3SetIntervalDecimal(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
    const fmi3Float64 intervals[])
{
    (void)valueReferences;
    (void)nValueReferences;
    (void)intervals;
    return refused(instance, "there are no clocks");
}

fmi3Status fmi3SetIntervalFraction(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
    const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{
    (void)valueReferences;
    (void)nValueReferences;
    (void)counters;
    (void)resolutions;
    return refused(instance, "there are no clocks");
}

fmi3Status fmi3SetShiftDecimal(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
    const fmi3Float64 shifts[])
{
    (void)valueReferences;
    (void)nValueReferences;
    (void)shifts;
    return refused(instance, "there are no clocks");
}

fmi3Status fmi3SetShiftFraction(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
    const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{
    (void)valueReferences;
    (void)nValueReferences;
    (void)counters;
    (void)resolutions;
    return refused(instance, "there are no clocks");
}

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance)
{
    return nothing(instance);
}

fmi3Status fmi3UpdateDiscreteStates(
    fmi3Instance instance, fmi3Boolean *discreteStatesNeedUpdate, fmi3Boolean *terminateSimulation,
    fmi3Boolean *nominalsOfContinuousStatesChanged, fmi3Boolean *valuesOfContinuousStatesChanged,
    fmi3Boolean *nextEventTimeDefined, fmi3Float64 *nextEventTime)
{
    *discreteStatesNeedUpdate = fmi3False;
    *terminateSimulation = fmi3False;
    *nominalsOfContinuousStatesChanged = fmi3False;
    *valuesOfContinuousStatesChanged = fmi3False;
    *nextEventTimeDefined = fmi3False;
    *nextEventTime = 0.0;
    return nothing(instance);
}

/* Model Exchange */

static fmi3Status exchanging(Instance *unit)
{
    return unit != NULL && unit->purpose == forExchange
        ? fmi3OK
        : refused(unit, "this instance is not for Model Exchange");
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance)
{
    return exchanging(instance);
}

fmi3Status fmi3CompletedIntegratorStep(
    fmi3Instance instance, fmi3Boolean noSetFMUStatePriorToCurrentPoint,
    fmi3Boolean *enterEventMode, fmi3Boolean *terminateSimulation)
{
    (void)noSetFMUStatePriorToCurrentPoint;
    *enterEventMode = fmi3False;
    *terminateSimulation = fmi3False;
    return exchanging(instance);
}

fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time)
{
    if (exchanging(instance) != fmi3OK) {
        return fmi3Error;
    }
    ((Instance *)instance)->value[0] = time;
    forget(instance);
    return fmi3OK;
}

fmi3Status fmi3SetContinuousStates(
    fmi3Instance instance, const fmi3Float64 continuousStates[], size_t nContinuousStates)
{
    return exchanging(instance) != fmi3OK
        ? fmi3Error
        : told(instance, setStates(instance, continuousStates, nContinuousStates));
}

fmi3Status fmi3GetContinuousStateDerivatives(
    fmi3Instance instance, fmi3Float64 derivatives[], size_t nContinuousStates)
{
    Outcome outcome;
    if (exchanging(instance) != fmi3OK || nContinuousStates != nStates) {
        return refused(instance, "another number of continuous states");
    }
    outcome = updateRates(instance);
    if (outcome == fine) {
        memcpy(derivatives, ((Instance *)instance)->value + firstRate, nStates*sizeof(double));
    }
    return told(instance, outcome);
}

fmi3Status fmi3GetEventIndicators(
    fmi3Instance instance, fmi3Float64 eventIndicators[], size_t nEventIndicators)
{
    Outcome outcome;
    if (exchanging(instance) != fmi3OK || nEventIndicators != nSwitches) {
        return refused(instance, "another number of event indicators");
    }
    outcome = updateOutputs(instance);
    for (size_t k = 0; outcome == fine && k < nEventIndicators; k++) {
        eventIndicators[k] = ((Instance *)instance)->value[nValues - nSwitches + (int)k];
    }
    return told(instance, outcome);
}

fmi3Status fmi3GetContinuousStates(
    fmi3Instance instance, fmi3Float64 continuousStates[], size_t nContinuousStates)
{
    if (exchanging(instance) != fmi3OK || nContinuousStates != nStates) {
        return refused(instance, "another number of continuous states");
    }
    memcpy(continuousStates, ((Instance *)instance)->value + 1, nStates*sizeof(double));
    return fmi3OK;
}

fmi3Status fmi3GetNominalsOfContinuousStates(
    fmi3Instance instance, fmi3Float64 nominals[], size_t nContinuousStates)
{
    if (exchanging(instance) != fmi3OK || nContinuousStates != nStates) {
        return refused(instance, "another number of continuous states");
    }
    for (size_t k = 0; k < nContinuousStates; k++) {
        nominals[k] = 1.0;
    }
    return fmi3OK;
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t *nEventIndicators)
{
    *nEventIndicators = nSwitches;
    return nothing(instance);
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t *nContinuousStates)
{
    *nContinuousStates = nStates;
    return nothing(instance);
}

/* Co-Simulation */

fmi3Status fmi3EnterStepMode(fmi3Instance instance)
{
    return nothing(instance);
}

fmi3Status fmi3GetOutputDerivatives(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
    const fmi3Int32 orders[], fmi3Float64 values[], size_t nValues_)
{
    (void)valueReferences;
    (void)orders;
    (void)values;
    (void)nValues_;
    return nValueReferences == 0 ? nothing(instance)
                                 : refused(instance, "derivatives of outputs are not given");
}

fmi3Status fmi3DoStep(
    fmi3Instance instance, fmi3Float64 currentCommunicationPoint,
    fmi3Float64 communicationStepSize, fmi3Boolean noSetFMUStatePriorToCurrentPoint,
    fmi3Boolean *eventHandlingNeeded, fmi3Boolean *terminateSimulation, fmi3Boolean *earlyReturn,
    fmi3Float64 *lastSuccessfulTime)
{
    Instance *unit = instance;
    Outcome outcome;
    (void)noSetFMUStatePriorToCurrentPoint;
    *eventHandlingNeeded = fmi3False;
    *terminateSimulation = fmi3False;
    *earlyReturn = fmi3False;
    *lastSuccessfulTime = currentCommunicationPoint;
    if (unit == NULL || unit->purpose != forSteps) {
        return refused(unit, "this instance is not for Co-Simulation");
    }
    outcome = advance(unit, currentCommunicationPoint, communicationStepSize);
    if (outcome == fine) {
        *lastSuccessfulTime = unit->value[0];
    }
    return told(unit, outcome);
}

/* Scheduled Execution */

fmi3Status fmi3ActivateModelPartition(
    fmi3Instance instance, fmi3ValueReference clockReference, fmi3Float64 activationTime)
{
    (void)clockReference;
    (void)activationTime;
    return refused(instance, "there are no clocks");
}
