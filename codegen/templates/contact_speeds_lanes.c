        for (int k = 0; k < U; k++) {
            x[k] *= scale[k];
        }
        for (int k = 0; k < ${nu}; k++) {
            /* Rows of the entries of each column of L below the diagonal. */
            static const int l_first[${nu} + 1] = {${l_first}};
            static const int l_place[${l_size}] = {${l_places}};
            for (int i = l_first[k]; i < l_first[k + 1]; i++) {
                const ${m}_real *${M}_RESTRICT from = &x[k*L];
                ${m}_real *${M}_RESTRICT to = &x[l_place[i]*L];
                for (int lane = 0; lane < L; lane++) {
                    to[lane] -= lower[i*L + lane]*from[lane];
                }
            }
        }
