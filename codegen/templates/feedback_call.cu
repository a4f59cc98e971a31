                if (feedback.is_on != 0) {
                    ${m}_real torque[${nu}];
                    status = ${m}_feedback_torque(
                        q_next, u_next, ${held}time, feedback, step, k, torque);
                    for (int i = 0; i < ${nu}; i++) {
                        ${tau}_row[i] += torque[i];
                    }
                }
