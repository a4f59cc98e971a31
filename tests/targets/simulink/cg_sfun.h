/* What would call the block: functions that a test can. */
#include <string.h>

static SimStruct block;

/* Make the block; sizes are states, inputs, outputs, crossings, then the width and feed-through of
   each input port and the width of each output port. */
const char *make(int count, const size_t *lengths, double **values, int *sizes)
{
    int k = 0;
    memset(&block, 0, sizeof block);
    block.given = count;
    for (int i = 0; i < count; i++) {
        block.parameter[i].count = lengths[i];
        block.parameter[i].values = values[i];
    }
    mdlInitializeSizes(&block);
    if (block.error != NULL || block.given != block.parameters) {
        return block.error != NULL ? block.error : "another number of parameters";
    }
    mdlInitializeSampleTimes(&block);
    mdlInitializeConditions(&block);
    sizes[k++] = block.states;
    sizes[k++] = block.inputs;
    sizes[k++] = block.outputs;
    sizes[k++] = block.crossings;
    for (int i = 0; i < block.inputs; i++) {
        sizes[k++] = block.inputWidth[i];
        sizes[k++] = block.feeds[i];
    }
    for (int i = 0; i < block.outputs; i++) {
        sizes[k++] = block.outputWidth[i];
    }
    return NULL;
}

void states(double *x)
{
    memcpy(x, block.x, sizeof(double)*(size_t)block.states);
}

/* Rates and what all output ports show, one after the other. */
const char *evaluate(double t, const double *x, const double *w, double *rates, double *shown)
{
    block.t = t;
    block.error = NULL;
    memcpy(block.x, x, sizeof(double)*(size_t)block.states);
    for (int i = 0; i < block.inputs; i++) {
        memcpy(block.in[i], w, sizeof(double)*(size_t)block.inputWidth[i]);
        w += block.inputWidth[i];
    }
    mdlDerivatives(&block);
    mdlOutputs(&block, 0);
    memcpy(rates, block.xdot, sizeof(double)*(size_t)block.states);
    for (int i = 0; i < block.outputs; i++) {
        memcpy(shown, block.out[i], sizeof(double)*(size_t)block.outputWidth[i]);
        shown += block.outputWidth[i];
    }
    mdlTerminate(&block);
    return block.error;
}
