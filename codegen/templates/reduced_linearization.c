
int ${m}_reduced_linearization(
    const ${m}_real q[${M}_RESTRICT ${nq}],
    const ${m}_real u[${M}_RESTRICT ${nu}],
    const ${m}_real a[${M}_RESTRICT ${nu}],
    const ${m}_real multipliers[${M}_RESTRICT ${rows}],
${dynamics_declarations}    const int order[${nu}],
    ${m}_real M[${M}_RESTRICT ${by_w_size}],
    ${m}_real C[${M}_RESTRICT ${by_w_size}],
    ${m}_real K[${M}_RESTRICT ${by_w_size}],
    ${m}_real B[${M}_RESTRICT ${forcing_size}])
{
    ${m}_free_motion x;
    ${m}_real turn[${by_w_size}];
    ${m}_real turn_rate[${by_w_size}];
    ${m}_real product[${basis_size}];
    const int status =
        ${m}_linearize(q, u, a, multipliers, ${dynamics_arguments}order, &x);
    if (status != ${M}_OK) {
        return status;
    }
    /* w = z' - turn z and w' = z'' - turn z' - turn_rate z + turn turn z. */
    ${m}_clear(${basis_size}, product);
    ${m}_add_product(${nu}, ${nu}, ${freedoms}, ${one}, x.transport_rate, x.basis, product);
    ${m}_add_product(${nu}, ${nu}, ${freedoms}, ${one}, x.transport, x.drift, product);
    for (int i = 0; i < ${freedoms}; i++) {
        for (int k = 0; k < ${freedoms}; k++) {
            M[i*${freedoms} + k] = x.mass[i][k];
            turn[i*${freedoms} + k] = x.drift[order[i]*${freedoms} + k];
            turn_rate[i*${freedoms} + k] = -product[order[i]*${freedoms} + k];
        }
    }
    ${m}_add_product(${freedoms}, ${freedoms}, ${freedoms}, ${one}, turn, turn, turn_rate);
    for (int i = 0; i < ${by_w_size}; i++) {
        C[i] = x.by_w[i];
        K[i] = x.by_z[i];
    }
    ${m}_add_product(${freedoms}, ${freedoms}, ${freedoms}, -${one}, M, turn, C);
    ${m}_add_product(${freedoms}, ${freedoms}, ${freedoms}, -${one}, x.by_w, turn, K);
    ${m}_add_product(${freedoms}, ${freedoms}, ${freedoms}, ${one}, M, turn_rate, K);
    for (int i = 0; i < ${forcing_size}; i++) {
        B[i] = x.forcing[i];
    }
    return ${M}_OK;
}
