        (void)${position_correction}_lanes(${correction_arguments}, du, found);
        ${m}_contact_merge(found, codes);
        for (int k = 0; k < Q; k++) {
            q_open[k] = q_rows[k];
        }
        (void)${integrate}_lanes(${integrate_open}, q_rows, found);
        ${m}_contact_merge(found, codes);
