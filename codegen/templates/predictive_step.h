
/* The state before the first sample. */
void ${m}_init(${m}_state *state);

/*
 * One sample: from what is measured and followed now to the forces.
${delayed} *
 * Stack: at most ${stack} bytes in optimized code.
 * Work: ${work}
 * Returns 0; ${not_converged} where the iterations of the interior point method were too few, the
 * controls then being finite and within their bounds; ${infeasible} where bounds cannot be met,
 * see failed_stage and failed_state; ${not_finite} where an argument or a result is not finite;
 * ${indefinite} where the problem is not convex; or the code of a function that failed. The
 * controls are then those planned for this time at the last sample. After measurements that are
 * not finite and bounds that cannot be met the trajectory is as it was; after other failures the
 * next sample begins with the first trajectory.
 */
int ${m}_step(
    ${m}_state *state,
    const ${m}_real q[${M}_RESTRICT ${nq}],
    const ${m}_real u[${M}_RESTRICT ${nu}],
    const ${m}_real q_d[${M}_RESTRICT ${nq}],
    const ${m}_real u_d[${M}_RESTRICT ${nu}],
${declarations}    ${m}_real ${output}[${M}_RESTRICT ${size}]);
