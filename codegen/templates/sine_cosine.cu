/* Large angles, infinities and NaN. */
struct ${m}_turn {
    ${m}_real sine;
    ${m}_real cosine;
};

${M}_PIECE ${m}_turn ${m}_far_turn(${m}_real x)
{
    const ${m}_turn turn = {sin${f}(x), cos${f}(x)};
    return turn;
}

/* Sine and cosine of x within 0.83 units in the last place, without a table that takes memory. */
#define ${M}_PIN(x) ((void)0)
${M}_DEVICE void ${m}_sincos(
    ${m}_real x,
    ${m}_real *sine,
    ${m}_real *cosine)
{
    if (!(fabs${f}(x) <= ${limit})) {
        const ${m}_turn turn = ${m}_far_turn(x);
        *sine = turn.sine;
        *cosine = turn.cosine;
    } else {
        ${steps}
        const int quarter = (int)n;
        const ${m}_real odd = (quarter & 1) != 0 ? c : s;
        const ${m}_real even = (quarter & 1) != 0 ? s : c;
        *sine = (quarter & 2) != 0 ? -odd : odd;
        *cosine = ((quarter + 1) & 2) != 0 ? -even : even;
    }
}

${M}_DEVICE ${m}_real ${m}_sin(${m}_real x)
{
    ${m}_real sine;
    ${m}_real cosine;
    ${m}_sincos(x, &sine, &cosine);
    return sine;
}

${M}_DEVICE ${m}_real ${m}_cos(${m}_real x)
{
    ${m}_real sine;
    ${m}_real cosine;
    ${m}_sincos(x, &sine, &cosine);
    return cosine;
}
