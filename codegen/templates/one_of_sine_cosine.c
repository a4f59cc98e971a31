static ${M}_INLINE ${m}_real ${m}_${op}(${m}_real x)
{
    ${m}_real sine;
    ${m}_real cosine;
    ${m}_sincos(x, &sine, &cosine);
    return ${result};
}
