    if (feedback->computed_torque != 0) {
        int found[${M}_LANES];
        signal = &feedback->a_ref;
        ${m}_to_lanes(
            &signal->rows[step*signal->step], ${nu}, signal->state, u_ref);
        for (int k = 0; k < ${u_lanes}; k++) {
            error[k] += u_ref[k];
        }
        (void)${inverse_dynamics}_lanes(${arguments}, torque, found);
        ${m}_rollouts_merge(found, codes);
        return;
    }
