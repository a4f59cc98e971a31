    for (int k = 0; k < ${nu}*${M}_LANES; k++) {
        error[k] = q_ref[k] - q[k];
    }
