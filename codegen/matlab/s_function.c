/*
 * ${name} as a block of Simulink: continuous states ${states}; made by eomc.
 *
 * Input ports: ${inputs}.
 * Output ports: ${outputs}.
 * Parameters of the block: ${block}.
 */
#define S_FUNCTION_NAME ${m}_sfun
#define S_FUNCTION_LEVEL 2

#include "simstruc.h"
#include "${m}.h"

enum {
    nStates = ${nx},
    nHeld = ${nw},
    nInputPorts = ${input_ports},
    nStatePorts = ${state_ports},
    nOutputPorts = ${output_ports},
    nFound = ${ny},
    nSwitches = ${switches},
    nNumbers = ${np}
};

/* Parameters of the block. */
enum { START = 0${block_places}, nBlockParameters };

static const int inputWidth[] = {${input_widths}};
static const int feedsThrough[] = {${feeds}};
static const int outputWidth[] = {${output_widths}};
static const double start[] = {${start}};

static int isVector(const mxArray *given, int size)
{
    return mxIsDouble(given) && !mxIsComplex(given) && !mxIsSparse(given)
        && (mxGetNumberOfElements(given) == 0 || mxGetNumberOfElements(given) == (size_t)size);
}

#define MDL_CHECK_PARAMETERS
static void mdlCheckParameters(SimStruct *S)
{
    if (!isVector(ssGetSFcnParam(S, START), nStates)) {
        ssSetErrorStatus(S, "${m}: the start has ${nx} numbers (${states}), or is []");
    }
${checks}}

static void mdlInitializeSizes(SimStruct *S)
{
    ssSetNumSFcnParams(S, nBlockParameters);
    if (ssGetNumSFcnParams(S) != ssGetSFcnParamsCount(S)) {
        return;
    }
    mdlCheckParameters(S);
    if (ssGetErrorStatus(S) != NULL) {
        return;
    }
    ssSetSFcnParamTunable(S, START, 0);
    ssSetNumContStates(S, nStates);
    ssSetNumDiscStates(S, 0);
    if (!ssSetNumInputPorts(S, nInputPorts) || !ssSetNumOutputPorts(S, nOutputPorts)) {
        return;
    }
    for (int k = 0; k < nInputPorts; k++) {
        ssSetInputPortWidth(S, k, inputWidth[k]);
        ssSetInputPortRequiredContiguous(S, k, 1);
        ssSetInputPortDirectFeedThrough(S, k, feedsThrough[k]);
    }
    for (int k = 0; k < nOutputPorts; k++) {
        ssSetOutputPortWidth(S, k, outputWidth[k]);
    }
    ssSetNumSampleTimes(S, 1);
    ssSetNumNonsampledZCs(S, nSwitches);
    ssSetOptions(S, SS_OPTION_EXCEPTION_FREE_CODE);
}

static void mdlInitializeSampleTimes(SimStruct *S)
{
    ssSetSampleTime(S, 0, CONTINUOUS_SAMPLE_TIME);
    ssSetOffsetTime(S, 0, 0.0);
}

#define MDL_INITIALIZE_CONDITIONS
static void mdlInitializeConditions(SimStruct *S)
{
    const mxArray *given = ssGetSFcnParam(S, START);
    const double *values = mxGetNumberOfElements(given) > 0 ? mxGetPr(given) : start;
    double *x = ssGetContStates(S);
    for (int k = 0; k < nStates; k++) {
        x[k] = values[k];
    }
}

/* What the input ports hold, one after the other${alpha_told}. */
static void gather(SimStruct *S, double *w)
{
    int place = 0;
    for (int port = 0; port < nInputPorts; port++) {
        const double *signal = (const double *)ssGetInputPortSignal(S, port);
        for (int k = 0; k < inputWidth[port]; k++) {
            w[place++] = signal[k];
        }
    }
${alpha}}

${settings}static void judge(SimStruct *S, int code)
{
    if (code != ${M}_OK) {
        ssSetErrorStatus(S, ${m}_status_name(code));
    }
}

#define MDL_DERIVATIVES
static void mdlDerivatives(SimStruct *S)
{
    double w[nHeld + 1];
${load}    gather(S, w);
    judge(S, ${m}_first_order_rates(ssGetContStates(S), w, ssGetT(S), ${p}ssGetdX(S)));
}

${outputs_code}#ifdef MATLAB_MEX_FILE
#define MDL_ZERO_CROSSINGS
static void mdlZeroCrossings(SimStruct *S)
{
    double found[nFound + 1];
    double *crossings = ssGetNonsampledZCs(S);
    tell(S, found);
    for (int k = 0; k < nSwitches; k++) {
        crossings[k] = found[nFound - nSwitches + k];
    }
}
#endif

static void mdlOutputs(SimStruct *S, int_T tid)
{
    double found[nFound + 1];
    const double *x = ssGetContStates(S);
    int place = 0;
    (void)tid;
    for (int port = 0; port < nStatePorts; port++) {
        double *signal = (double *)ssGetOutputPortSignal(S, port);
        for (int k = 0; k < outputWidth[port]; k++) {
            signal[k] = x[place++];
        }
    }
    tell(S, found);
    place = 0;
    for (int port = nStatePorts; port < nOutputPorts; port++) {
        double *signal = (double *)ssGetOutputPortSignal(S, port);
        for (int k = 0; k < outputWidth[port]; k++) {
            signal[k] = found[place++];
        }
    }
}

static void mdlTerminate(SimStruct *S)
{
    (void)S;
}

#ifdef MATLAB_MEX_FILE
#include "simulink.c"
#else
#include "cg_sfun.h"
#endif
