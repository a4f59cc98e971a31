/* The columns of the forcing that belong to the inputs. */
static int ${m}_input_forces(
    const ${m}_real q[${M}_RESTRICT ${nq}],
    const ${m}_real u[${M}_RESTRICT ${nu}],
    const ${m}_real a[${M}_RESTRICT ${nu}],
${dynamics_declarations}    ${m}_free_motion *x)
{
    ${m}_real pushed[${input_size}];
    ${m}_real product[${pushed_size}];
    const int status = ${input_matrix}, pushed);
    ${m}_project_forces(x->speed_basis, ${inputs}, pushed, product);
    for (int i = 0; i < ${freedoms}; i++) {
        for (int k = 0; k < ${inputs}; k++) {
            x->forcing[i*${forces} + ${nu} + k] = product[i*${inputs} + k];
        }
    }
    return status;
}

