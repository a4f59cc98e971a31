/* Sine and cosine of large angles, infinities and NaN. */
typedef struct {
    ${m}_real sine;
    ${m}_real cosine;
} ${m}_turn;

static ${M}_NOINLINE ${m}_turn ${m}_far_turn(${m}_real x)
{
    const ${m}_turn turn = {sin${f}(x), cos${f}(x)};
    return turn;
}

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
        /* x = n pi/2 + (r + e): adding and subtracting the large number rounds to an integer. */
        const ${m}_real shifted = x*${per_half_pi} + ${rounder};
        const ${m}_real n = shifted - ${rounder};
        const ${m}_real r1 = x - n*${half_pi_1};
        const ${m}_real second = n*${half_pi_2};
        const ${m}_real third = n*${half_pi_3};
        const ${m}_real r2 = r1 - second;
        const ${m}_real r = r2 - third;
        const ${m}_real e = ((r2 - r) - third) + ((r1 - r2) - second);
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
