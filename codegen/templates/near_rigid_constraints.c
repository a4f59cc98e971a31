    if (status == ${M}_OK) {
        ${m}_real gradients[${jacobian_size}];
        ${m}_real g[${rows}];
        status = ${jacobian}, gradients);
        if (status == ${M}_OK) {
            status = ${constraint_bias}, g);
        }
        for (int i = 0; status == ${M}_OK && i < ${rows}; i++) {
            for (int k = 0; k < ${nu}; k++) {
                e[${nu} + i][${bounded} + k] = gradients[i*${nu} + k];
                e[k][${bounded} + ${nu} + i] = gradients[i*${nu} + k];
            }
            e[${nu} + i][${unknowns}] = -g[i];
        }
    }
