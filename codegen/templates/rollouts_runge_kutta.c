        for (int i = 0; i < ${stages}; i++) {
            for (int k = 0; k < Q + U; k++) {
                sum[k] = ${zero};
            }
            for (int j = 0; j < i; j++) {
                for (int k = 0; k < Q + U; k++) {
                    sum[k] += a[i][j]*rate[j][k];
                }
            }
            for (int k = 0; k < Q + U; k++) {
                x_stage[k] = x[k] + h*sum[k];
            }
            for (int k = 0; k < ${M}_LANES; k++) {
                time[k] = ${start}(${m}_real)step*h + c[i]*h;
            }
            (void)${coordinate_rates}_lanes(${coordinate_rates_arguments}, rate[i], found);
            ${m}_rollouts_merge(found, codes);
            (void)${forward_dynamics}_lanes(${forward_dynamics_arguments}, &rate[i][Q], found);
            ${m}_rollouts_merge(found, codes);
${element_states}        }
        for (int k = 0; k < Q + U; k++) {
            sum[k] = ${zero};
        }
        for (int i = 0; i < ${stages}; i++) {
            for (int k = 0; k < Q + U; k++) {
                sum[k] += b[i]*rate[i][k];
            }
        }
        for (int k = 0; k < Q + U; k++) {
            x[k] += h*sum[k];
        }
