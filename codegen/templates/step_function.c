/* One step from time t of the ${title}. */
static int ${m}_${method}_try(
    const ${m}_real q[${M}_RESTRICT ${nq}],
    const ${m}_real u[${M}_RESTRICT ${n}],
${held_declarations}    ${m}_real t,
    ${m}_real h,
    ${m}_real q_next[${M}_RESTRICT ${nq}],
    ${m}_real u_next[${M}_RESTRICT ${n}])
{
    const int status = ${step}(${step_arguments}, q_next, u_next${z_next});
    if (status != ${M}_OK) {
        return status;
    }
${project}    return ${M}_OK;
}
