        const int following = step + 1;
        for (int k = 0; k < ${M}_LANES; k++) {
            time[k] = ${start}(${m}_real)following*h;
        }
        (void)${position_correction}_lanes(${position_arguments}, sum, found);
        ${m}_rollouts_merge(found, codes);
        (void)${integrate}_lanes(${integrate_arguments}, x_stage, found);
        ${m}_rollouts_merge(found, codes);
        for (int k = 0; k < Q; k++) {
            x[k] = x_stage[k];
        }
        (void)${velocity_correction}_lanes(${velocity_arguments}, sum, found);
        ${m}_rollouts_merge(found, codes);
        for (int k = 0; k < ${speeds}; k++) {
            x[Q + k] += sum[k];
        }
