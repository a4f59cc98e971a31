        if (feedback != NULL) {
            for (int k = 0; k < ${M}_LANES; k++) {
                time[k] = ${start}(${m}_real)step*h;
            }
            ${m}_feedback_torque(
                ${arguments}, feedback, (size_t)step, codes, torque);
            for (int k = 0; k < ${speeds}; k++) {
                ${tau}_row[k] += torque[k];
            }
        }
