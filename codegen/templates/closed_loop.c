int ${step}(
    ${m}_real q[${M}_RESTRICT ${nq}],
    ${m}_real u[${M}_RESTRICT ${nu}],
${declarations}    ${m}_real h,
    ${m}_real ${output}[${M}_RESTRICT ${size}])
{
    const int status = ${law}(${law_arguments}, ${output});
    if (status != ${M}_OK) {
        return status;
    }
    return ${m}_${method}(q, u, ${held}h, 1);
}
