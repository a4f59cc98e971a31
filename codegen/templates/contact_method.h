/*
 * Advances q and u in place by `steps` steps of length h, all other inputs held constant:
 * ${title}.
 *
 * u holds ${nu} speeds and behind them ${told_at} impulses, from which the next solve starts (at first
 * zero): ${impulses}.
 * Then follow the residual of the last solve, the contact that has it, and 1 where friction jams.
 * settings holds the most sweeps of a solve, the change of impulses at which it ends, by the
 * largest, the residual that is refused, 1 if Newton's method may end what sweeps have begun,
 * and 1 for the convex relaxation of the law of friction, which opens gaps at mu times the slip.
 *
 * Work: each step evaluates ${equations} once and makes at most settings[0] sweeps over the contacts.
 * Stack: ${stack}.
 *
 * Returns 0, or the code of the function that failed; ${contacts_unsolved} where the residual is refused. q
 * and speeds are then those of the last complete step.
 */
