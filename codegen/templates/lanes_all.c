static inline int ${m}_lanes_all(const ${m}_lanes_mask *mask)
{
    int all = 1;
    for (int k = 0; k < ${M}_LANES; k++) {
        all &= (*mask)[k] != 0;
    }
    return all;
}
