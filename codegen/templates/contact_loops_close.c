    if (status == ${M}_OK) {
        status = ${position_correction}(${correction_arguments}, du);
    }
    for (int k = 0; k < ${nq}; k++) {
        q_open[k] = q_rows[k];
    }
    if (status == ${M}_OK) {
        status = ${integrate}(${integrate_open}, q_rows);
    }
