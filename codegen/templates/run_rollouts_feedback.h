        ${m}_feedback feedback;
        for (i = 0; references[0].rows != NULL && i < ${nu}; i++) {
            feedback.kp[i] = ((const ${m}_real *)kp)[i];
            feedback.kd[i] = ((const ${m}_real *)kd)[i];
        }
        feedback.q_ref = eomc_typed(&references[0], group);
        feedback.u_ref = eomc_typed(&references[1], group);
        feedback.a_ref = eomc_typed(&references[2], group);
        feedback.computed_torque = computed_torque;
