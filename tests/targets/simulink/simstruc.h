/*
 * A stand-in for Simulink's header, as much of it as an S-function of eomc takes: one block whose
 * parts are arrays. Written from the documentation of the functions, for tests.
 */
#ifndef STAND_IN_SIMSTRUC_H
#define STAND_IN_SIMSTRUC_H
#include <stddef.h>

typedef int int_T;
typedef struct {
    size_t count;
    double *values;
} mxArray;

#define mxIsDouble(a) 1
#define mxIsComplex(a) 0
#define mxIsSparse(a) 0
#define mxGetNumberOfElements(a) ((a)->count)
#define mxGetPr(a) ((a)->values)
#define mxGetScalar(a) ((a)->values[0])

enum { MOST_PORTS = 32, MOST_WIDTH = 512 };

typedef struct {
    int parameters, given, states, inputs, outputs, crossings;
    int inputWidth[MOST_PORTS], outputWidth[MOST_PORTS], feeds[MOST_PORTS];
    mxArray parameter[8];
    double x[MOST_WIDTH], xdot[MOST_WIDTH], zero[MOST_WIDTH], t;
    double in[MOST_PORTS][MOST_WIDTH], out[MOST_PORTS][MOST_WIDTH];
    const char *error;
} SimStruct;

#define CONTINUOUS_SAMPLE_TIME 0.0
#define SS_OPTION_EXCEPTION_FREE_CODE 1
#define ssSetNumSFcnParams(S, n) ((S)->parameters = (n))
#define ssGetNumSFcnParams(S) ((S)->parameters)
#define ssGetSFcnParamsCount(S) ((S)->given)
#define ssGetSFcnParam(S, k) (&(S)->parameter[k])
#define ssSetSFcnParamTunable(S, k, yes) ((void)(yes))
#define ssSetNumContStates(S, n) ((S)->states = (n))
#define ssSetNumDiscStates(S, n) ((void)(n))
#define ssSetNumInputPorts(S, n) ((S)->inputs = (n), 1)
#define ssSetNumOutputPorts(S, n) ((S)->outputs = (n), 1)
#define ssSetInputPortWidth(S, k, n) ((S)->inputWidth[k] = (n))
#define ssSetOutputPortWidth(S, k, n) ((S)->outputWidth[k] = (n))
#define ssSetInputPortRequiredContiguous(S, k, yes) ((void)(yes))
#define ssSetInputPortDirectFeedThrough(S, k, yes) ((S)->feeds[k] = (yes))
#define ssSetNumSampleTimes(S, n) ((void)(n))
#define ssSetSampleTime(S, k, t) ((void)(t))
#define ssSetOffsetTime(S, k, t) ((void)(t))
#define ssSetNumNonsampledZCs(S, n) ((S)->crossings = (n))
#define ssGetNonsampledZCs(S) ((S)->zero)
#define ssSetOptions(S, options) ((void)(options))
#define ssGetContStates(S) ((S)->x)
#define ssGetdX(S) ((S)->xdot)
#define ssGetT(S) ((S)->t)
#define ssGetInputPortSignal(S, k) ((const void *)(S)->in[k])
#define ssGetOutputPortSignal(S, k) ((void *)(S)->out[k])
#define ssSetErrorStatus(S, text) ((S)->error = (text))
#define ssGetErrorStatus(S) ((S)->error)
#endif
