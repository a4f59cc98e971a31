
/*
 * The optimum from a trajectory by at most `most` steps of Newton's method; x_0 stays. Returns 0,
 * or a code, the trajectory then being the last iterate.
 */
int ${m}_solve(
    ${m}_state *state, const ${m}_problem *problem, ${m}_real tolerance, int most${also_p},
    int *iterations);
