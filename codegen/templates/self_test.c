/*
 * Tests the functions of ${m} on the machine at hand, made by eomc: at some states, what they give is
 * compared with values that were computed beside them, with 50 digits.
 *
 * On a board without <stdio.h> define ${M}_TEST_ON_BOARD and call ${m}_test from a main of its own.
 */
#include "${m}.h"

#include <stddef.h>
#include <string.h>

#ifndef ${M}_TEST_ON_BOARD
#include <stdio.h>
#endif

/* What ${m}_test finds. */
typedef struct {
    /* Arrays and return codes that are wrong, and all that were compared. */
    int failures;
    int comparisons;
    /* Of the bytes of all outputs: machines that count alike give the same (FNV-1a, 64 bits). */
    unsigned long long hash;
} ${m}_test_result;

typedef void ${m}_test_say(const char *what);

${m}_test_result ${m}_test(${m}_test_say *say);

static void check(
    ${m}_test_result *result,
    ${m}_test_say *say,
    const char *what,
    const ${m}_real *got,
    const ${m}_real *expected,
    ${m}_real tolerance,
    size_t size)
{
    int is_right = 1;
    for (size_t i = 0; i < size; i++) {
        unsigned char bytes[sizeof(${m}_real)];
        const ${m}_real error = got[i] - expected[i];
        if (!(error <= tolerance && -error <= tolerance)) {
            is_right = 0;
        }
        memcpy(bytes, &got[i], sizeof(bytes));
        for (size_t k = 0; k < sizeof(bytes); k++) {
            result->hash = (result->hash ^ bytes[k])*1099511628211u;
        }
    }
    result->comparisons++;
    if (!is_right) {
        result->failures++;
        say(what);
    }
}

${tests}/* Calls `say` with the name of each output that is wrong. */
${m}_test_result ${m}_test(${m}_test_say *say)
{
    ${m}_test_result result = {0, 0, 14695981039346656037u};
${calls}    return result;
}

#ifndef ${M}_TEST_ON_BOARD
static void print(const char *what)
{
    printf("wrong: %s\n", what);
}

int main(void)
{
    const ${m}_test_result result = ${m}_test(print);
    printf("${m}: %d of %d comparisons failed; hash %016llx\n",
           result.failures, result.comparisons, result.hash);
    return result.failures != 0;
}
#endif
