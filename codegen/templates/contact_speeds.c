    for (int k = 0; k < ${nu}; k++) {
        x[k] *= scale[k];
    }
    for (int k = 0; k < ${nu}; k++) {
        /* Rows of the entries of each column of L below the diagonal. */
        static const int l_first[${nu} + 1] = {${l_first}};
        static const int l_place[${l_size}] = {${l_places}};
        for (int i = l_first[k]; i < l_first[k + 1]; i++) {
            x[l_place[i]] -= lower[i]*x[k];
        }
    }
