        if (settings->adaptive != 0) {
            ${m}_real q_rows[${q_rows}];
            ${m}_real u_rows[${u_rows}];
            ${m}_real times[2];
            ${m}_adaptive_run run = {0};
            times[0] = from;
            times[1] = step == steps - 1 ? end : from + h;
            run.h = *next;
            for (int k = 0; k < ${nq}; k++) {
                q_rows[k] = q[k];
            }
            for (int k = 0; k < ${nu}; k++) {
                u_rows[k] = u[k];
            }
            status = ${m}_dopri(
                q_rows, u_rows, ${held}times, 2, settings->rtol, settings->atol,
                settings->max_steps, &run);
            if (status == ${M}_OK) {
                for (int k = 0; k < ${nq}; k++) {
                    q[k] = q_rows[${nq} + k];
                }
                for (int k = 0; k < ${nu}; k++) {
                    u[k] = u_rows[${nu} + k];
                }
                *next = run.h;
            }
        } else {
${fixed_step}        }
