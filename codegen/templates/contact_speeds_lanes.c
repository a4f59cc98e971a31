        for (int k = 0; k < U; k++) {
            x[k] *= scale[k];
        }
        for (int k = 0; k < ${nu}; k++) {
            /* Rows of the entries of each column of L below the diagonal. */
            static const int l_first[${nu} + 1] = {${l_first}};
            static const int l_place[${l_size}] = {${l_places}};
            for (int i = l_first[k]; i < l_first[k + 1]; i++) {
                ${m}_real *entry = &x[l_place[i]*L];
                for (int lane = 0; lane < L; lane++) {
                    entry[lane] -= lower[i*L + lane]*x[k*L + lane];
                }
            }
        }
