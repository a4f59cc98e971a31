        ${m}_feedback feedback;
        for (i = 0; references[0].rows != NULL && i < EOMC_NU; i++) {
            feedback.kp[i] = kp[i];
            feedback.kd[i] = kd[i];
        }
        feedback.q_ref = references[0];
        feedback.q_ref.rows += references[0].rows == NULL ? 0
            : (size_t)group*EOMC_LANES*references[0].state;
        feedback.u_ref = references[1];
        feedback.u_ref.rows += references[1].rows == NULL ? 0
            : (size_t)group*EOMC_LANES*references[1].state;
        feedback.a_ref = references[2];
        feedback.a_ref.rows += references[2].rows == NULL ? 0
            : (size_t)group*EOMC_LANES*references[2].state;
        feedback.computed_torque = computed_torque;
