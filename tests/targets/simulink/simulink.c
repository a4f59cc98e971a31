/* What Simulink asks a block in a model for besides: crossings where it was evaluated last. */
#include "cg_sfun.h"

void zero_crossings(double *zero)
{
    mdlZeroCrossings(&block);
    memcpy(zero, block.zero, sizeof(double)*(size_t)block.crossings);
}
