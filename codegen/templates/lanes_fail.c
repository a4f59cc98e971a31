/* Gives `code` to the lanes that are not good, unless they have failed before. */
static void ${m}_lanes_fail(const ${m}_lanes_mask *good, int code, int *codes)
{
    for (int k = 0; k < ${M}_LANES; k++) {
        if ((*good)[k] == 0 && codes[k] == ${M}_OK) {
            codes[k] = code;
        }
    }
}

static int ${m}_lanes_first(const int *codes)
{
    for (int k = 0; k < ${M}_LANES; k++) {
        if (codes[k] != ${M}_OK) {
            return codes[k];
        }
    }
    return ${M}_OK;
}
