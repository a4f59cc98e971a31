
int ${m}_${method}_rollouts(
    ${m}_real *q,
    ${m}_real *u,
${signal_declarations}${time_declaration}    ${m}_real h,
    int steps,
    int every,
    int codes[${M}_RESTRICT ${M}_LANES])
{
    return ${m}_contact_rollouts(
        q, u, ${signal_names}, ${time_or_zero}, h, steps, every, codes, ${is_midpoint});
}
