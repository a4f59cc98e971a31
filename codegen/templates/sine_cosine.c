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
        ${m}_real shifted = x*${per_half_pi} + ${rounder};
        ${m}_real n, r1, second, third, r2, r, e, e1;
        ${M}_PIN(shifted);
        n = shifted - ${rounder};
        r1 = x - n*(${m}_real)${half_pi_1};
        ${M}_PIN(r1);
        second = n*(${m}_real)${half_pi_2};
        ${M}_PIN(second);
        third = n*(${m}_real)${half_pi_3};
        ${M}_PIN(third);
        r2 = r1 - second;
        ${M}_PIN(r2);
        r = r2 - third;
        ${M}_PIN(r);
        e = (r2 - r) - third;
        ${M}_PIN(e);
        e1 = (r1 - r2) - second;
        ${M}_PIN(e1);
        e += e1;
        const ${m}_real z = r*r;
        const ${m}_real half = ${one_half}*z;
        const ${m}_real w = ${one} - half;
        const ${m}_real p = ${sine};
        const ${m}_real k = ${cosine};
        const ${m}_real s = r + (r*z*p + e*w);
        const ${m}_real c = w + (((${one} - w) - half) + (z*z*k - r*e));
        /* A quarter turn takes sine to cosine and cosine to minus sine. */
        const ${m}_real quarters[4] = {s, c, -s, -c};
        const unsigned quarter = (unsigned)(int)n;
        *sine = quarters[quarter & 3u];
        *cosine = quarters[(quarter + 1u) & 3u];
    }
}
