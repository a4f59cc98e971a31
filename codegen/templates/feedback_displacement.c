    for (int k = 0; k < ${u_lanes}; k++) {
        error[k] = q_ref[k] - q[k];
    }
