/* Steps in a row, from the start; the numbers are those of the controller in Python. */
static void test_step(${m}_test_result *result, ${m}_test_say *say)
{
${tables}${parameters}    ${m}_state state;
    ${m}_init(&state${seed});
    for (int k = 0; k < ${count}; k++) {
        ${m}_real got[${size}];
        const int code = ${m}_step(&state, ${arguments}got);
        result->comparisons++;
        if (code != ${M}_OK) {
            result->failures++;
            say("step: return code");
            return;
        }
        check(result, say, "step", got, expected[k], ${tolerance}, ${size});
    }
}

