        for (int k = 0; k < ${M}_LANES; k++) {
            time[k] = ${start}(${m}_real)step*h;
            length[k] = h;
        }
        (void)${step}_lanes(${step_arguments}, x_stage, &x_stage[Q]${z_next}, found);
        ${m}_rollouts_merge(found, codes);
        for (int k = 0; k < Q + U; k++) {
            x[k] = x_stage[k];
        }
        (void)sum;
