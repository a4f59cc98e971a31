        (void)${normalize}_lanes(${arguments}, x_stage, found);
        ${m}_rollouts_merge(found, codes);
        for (int k = 0; k < Q; k++) {
            x[k] = x_stage[k];
        }
