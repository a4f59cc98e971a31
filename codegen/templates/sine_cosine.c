/* Sine and cosine of x within 0.83 units in the last place; no branch depends on x unless it is large. */
static ${M}_INLINE void ${m}_sincos(
    ${m}_real x,
    ${m}_real *sine,
    ${m}_real *cosine)
{
    if (!(fabs${f}(x) <= ${limit})) {
        const ${m}_turn turn = ${m}_far_turn(x);
        *sine = turn.sine;
        *cosine = turn.cosine;
    } else {
        /*
         * x = n pi/2 + (r + e): adding and subtracting the large number rounds to an integer. The
         * parts of pi/2 have the digits of their type, also where literals have more.
         */
        ${steps}
        /* A quarter turn takes sine to cosine and cosine to minus sine. */
        const ${m}_real quarters[4] = {s, c, -s, -c};
        const unsigned quarter = (unsigned)(int)n;
        *sine = quarters[quarter & 3u];
        *cosine = quarters[(quarter + 1u) & 3u];
    }
}
