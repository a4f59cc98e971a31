static int ${m}_${method}_in_place(
    ${m}_real q[${M}_RESTRICT ${nq}],
    ${m}_real u[${M}_RESTRICT ${n}],
${held_declarations}    ${m}_real t,
    ${m}_real h)
{
    ${m}_real q_next[${nq}];
    ${m}_real u_next[${n}];
${no_estimate}    const int status =
        ${m}_${method}_try(q, u, ${held}t, h, q_next, u_next${unused_estimate});
    if (status != ${M}_OK) {
        return status;
    }
    for (int k = 0; k < ${nq}; k++) {
        q[k] = q_next[k];
    }
    for (int k = 0; k < ${n}; k++) {
        u[k] = u_next[k];
    }
    return ${M}_OK;
}
