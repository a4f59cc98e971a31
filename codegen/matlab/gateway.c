/*
 * Functions of ${name} for MATLAB and Octave: ${m}_mex(k, inputs...), the k-th of ${m}.h.
 *
 * Arrays are column-major there and row-major here. What fails is an error, ${m}:size for an array
 * of another size and ${m}:<return code>.
 */
#include "mex.h"
#include "${m}.h"

enum { mostAxes = 3, mostEntries = ${most} };

static double given[${most_inputs}][mostEntries];
static double found[${most_outputs}][mostEntries];

/* The place that MATLAB gives to the entry that C has at `index`. */
static mwSize columnMajor(mwSize index, const mwSize *shape, int axes)
{
    mwSize place = 0;
    mwSize stride[mostAxes] = {1, 1, 1};
    for (int axis = 1; axis < axes; axis++) {
        stride[axis] = stride[axis - 1]*shape[axis - 1];
    }
    for (int axis = axes - 1; axis >= 0; axis--) {
        place += index%shape[axis]*stride[axis];
        index /= shape[axis];
    }
    return place;
}

/* Entries of an array; scalars of its kind that are real and full, as many as are needed. */
static void take(const mxArray *array, const char *name, mwSize size, const mwSize *shape, int axes, double *values)
{
    if (!mxIsDouble(array) || mxIsComplex(array) || mxIsSparse(array)
        || mxGetNumberOfElements(array) != size) {
        mexErrMsgIdAndTxt("${m}:size", "%s has %d entries, real and of type double", name, (int)size);
    }
    for (mwSize k = 0; k < size; k++) {
        values[k] = mxGetPr(array)[axes > 1 ? columnMajor(k, shape, axes) : k];
    }
}

/* A new array; vectors are columns. */
static mxArray *give(const double *values, mwSize size, const mwSize *shape, int axes)
{
    const mwSize column[2] = {size, 1};
    mxArray *array = axes > 1 ? mxCreateNumericArray((mwSize)axes, shape, mxDOUBLE_CLASS, mxREAL)
                              : mxCreateNumericArray(2, column, mxDOUBLE_CLASS, mxREAL);
    for (mwSize k = 0; k < size; k++) {
        mxGetPr(array)[axes > 1 ? columnMajor(k, shape, axes) : k] = values[k];
    }
    return array;
}

static void check(int code)
{
    if (code != ${M}_OK) {
        char id[256] = "${m}:";
        const char *name = ${m}_status_name(code);
        for (int k = 0; name[k] != 0 && k < 200; k++) {
            id[${start} + k] = name[k];
            id[${start} + k + 1] = 0;
        }
        mexErrMsgIdAndTxt(id, "%s", name);
    }
}

${parameters}static void arguments(int count, int needed)
{
    if (count < needed || count > needed + ${extra}) {
        mexErrMsgIdAndTxt("${m}:size", "give %d arguments", needed);
    }
}

${functions}
void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    static void (*const calls[])(int, mxArray **, int, const mxArray **) = {
${calls}    };
    const int count = (int)(sizeof calls/sizeof *calls);
    const int k = nrhs > 0 && mxIsDouble(prhs[0]) && mxGetNumberOfElements(prhs[0]) == 1
        ? (int)mxGetScalar(prhs[0]) : 0;
    if (k < 1 || k > count) {
        mexErrMsgIdAndTxt("${m}:size", "call the functions of +${m}; give the number of one first");
    }
    calls[k - 1](nlhs, plhs, nrhs - 1, prhs + 1);
}
