static ${M}_NOINLINE void ${m}_lanes_${op}(${m}_lanes_vector *x)
{
    for (int k = 0; k < ${M}_LANES; k++) {
        (*x)[k] = ${call}((*x)[k]);
    }
}
