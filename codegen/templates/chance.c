/* Words a and b of Philox 4x32 with ten rounds: Salmon, Moraes, Dror and Shaw, SC 2011. */
static void ${m}_philox(unsigned long long place, unsigned long long seed, unsigned long long ab[2])
{
    const unsigned long long low = 0xFFFFFFFFULL;
    unsigned long long c0 = place & low;
    unsigned long long c1 = place >> 32;
    unsigned long long c2 = 0;
    unsigned long long c3 = 0;
    unsigned long long k0 = seed & low;
    unsigned long long k1 = seed >> 32;
    for (int round = 0; round < 10; round++) {
        const unsigned long long first = 0xD2511F53ULL*c0;
        const unsigned long long second = 0xCD9E8D57ULL*c2;
        c0 = (second >> 32) ^ c1 ^ k0;
        c1 = second & low;
        c2 = (first >> 32) ^ c3 ^ k1;
        c3 = first & low;
        k0 = (k0 + 0x9E3779B9ULL) & low;
        k1 = (k1 + 0xBB67AE85ULL) & low;
    }
    ab[0] = c0;
    ab[1] = c1;
}

static double ${m}_ratio(const double upper[8], const double lower[8], double x)
{
    double a = upper[0];
    double b = lower[0];
    for (int k = 1; k < 8; k++) {
        a = a*x + upper[k];
        b = b*x + lower[k];
    }
    return a/b;
}

/* ln x of operations that are rounded alike everywhere. */
static double ${m}_logarithm(double x)
{
    int e;
    double m = frexp(x, &e);
    double series = 1.0/21.0;
    double s;
    double z;
    if (m < 0.7071067811865476) {
        m = 2.0*m;
        e--;
    }
    s = (m - 1.0)/(m + 1.0);
    z = s*s;
    for (int k = 9; k >= 0; k--) {
        series = series*z + 1.0/(2.0*(double)k + 1.0);
    }
    return (double)e*0.6931471805599453 + 2.0*s*series;
}

/* The normal number at a place of the sequence of a seed: Wichura, Algorithm AS 241, 1988. */
static double ${m}_normal(unsigned long long place, unsigned long long seed)
{
    static const double centre[2][8] = {
        {2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
         13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608},
        {5226.495278852854561, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867,
         5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1.0}};
    static const double tail[2][8] = {
        {7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177,
         1.27045825245236838258, 3.64784832476320460504, 5.7694972214606914055,
         4.6303378461565452959, 1.42343711074968357734},
        {1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966,
         0.14810397642748007459, 0.68976733498510000455, 1.6763848301838038494,
         2.05319162663775882187, 1.0}};
    static const double far[2][8] = {
        {2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386,
         0.026532189526576123093, 0.29656057182850489123, 1.7848265399172913358,
         5.4637849111641143699, 6.6579046435011037772},
        {2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5,
         7.868691311456132591e-4, 0.0148753612908506148525, 0.13692988092273580531,
         0.59983220655588793769, 1.0}};
    unsigned long long ab[2];
    double p;
    double q;
    double root;
    ${m}_philox(place, seed, ab);
    p = ((double)((ab[0] << 32 | ab[1]) >> 12) + 0.5)*2.220446049250313e-16;
    q = p - 0.5;
    if (fabs(q) <= 0.425) {
        return q*${m}_ratio(centre[0], centre[1], 0.180625 - q*q);
    }
    root = sqrt(-${m}_logarithm(fmin(p, 1.0 - p)));
    root = root <= 5.0 ? ${m}_ratio(tail[0], tail[1], root - 1.6)
                     : ${m}_ratio(far[0], far[1], root - 5.0);
    return q < 0.0 ? -root : root;
}

