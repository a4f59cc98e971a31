    if (status == ${M}_OK && feedback.computed_torque != 0) {
        ${m}_load(feedback.a_ref, step, k, ${nu}, u_ref);
        for (int i = 0; i < ${nu}; i++) {
            torque[i] += u_ref[i];
        }
        status = ${call};
        for (int i = 0; i < ${nu}; i++) {
            torque[i] = error[i];
        }
    }
