static void ${m}_rollouts_merge(const int *found, int *codes)
{
    for (int k = 0; k < ${M}_LANES; k++) {
        if (codes[k] == ${M}_OK) {
            codes[k] = found[k];
        }
    }
}
