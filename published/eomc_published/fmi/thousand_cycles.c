/* Instantiates, runs and frees units of FMI 3.0: exit code 0 if every call went well. */
#include <stdio.h>
#include <stdlib.h>

#include "fmi3Functions.h"

#define EXPECT(call)                                                                               \
    if ((call) != fmi3OK) {                                                                        \
        fprintf(stderr, "line %d\n", __LINE__);                                                    \
        return 1;                                                                                  \
    }

static int cycle(const char *token, size_t n)
{
    fmi3Instance unit = fmi3InstantiateCoSimulation(
        "one", token, "", false, false, false, false, NULL, 0, NULL, NULL, NULL);
    fmi3FMUState state = NULL;
    fmi3FMUState copy = NULL;
    size_t size = 0;
    bool flag;
    double last;
    double *seed = calloc(n, sizeof(double));
    double *result = calloc(n, sizeof(double));
    uint32_t *states = calloc(n, sizeof(uint32_t));
    uint32_t *rates = calloc(n, sizeof(uint32_t));
    unsigned char *bytes;
    for (size_t k = 0; k < n; k++) {
        seed[k] = 1.0;
        states[k] = (uint32_t)(1 + k);
        rates[k] = (uint32_t)(1 + n + k);
    }
    EXPECT(fmi3EnterInitializationMode(unit, false, 0.0, 0.0, false, 0.0))
    EXPECT(fmi3ExitInitializationMode(unit))
    for (int k = 0; k < 3; k++) {
        EXPECT(fmi3DoStep(unit, 0.002*k, 0.002, false, &flag, &flag, &flag, &last))
    }
    EXPECT(fmi3GetDirectionalDerivative(unit, rates, n, states, n, seed, n, result, n))
    EXPECT(fmi3GetAdjointDerivative(unit, rates, n, states, n, seed, n, result, n))
    EXPECT(fmi3GetFMUState(unit, &state))
    EXPECT(fmi3SerializedFMUStateSize(unit, state, &size))
    bytes = calloc(size, 1);
    EXPECT(fmi3SerializeFMUState(unit, state, bytes, size))
    EXPECT(fmi3DeserializeFMUState(unit, bytes, size, &copy))
    EXPECT(fmi3SetFMUState(unit, copy))
    EXPECT(fmi3GetFloat64(unit, rates, n, result, n))
    EXPECT(fmi3FreeFMUState(unit, &state))
    EXPECT(fmi3FreeFMUState(unit, &copy))
    EXPECT(fmi3Reset(unit))
    EXPECT(fmi3Terminate(unit))
    fmi3FreeInstance(unit);
    free(bytes);
    free(seed);
    free(result);
    free(states);
    free(rates);
    return 0;
}

int main(int count, char **words)
{
    int failed = count != 3;
    for (int k = 0; !failed && k < 1000; k++) {
        failed = cycle(words[1], (size_t)atoi(words[2]));
    }
    return failed;
}
