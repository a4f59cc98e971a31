        for (int k = 0; k < ${dry}; k++) {
            /* A speed that is held is zero without rounding. */
            static const int held_speed[${dry}] = {${held_speeds}};
            const int row = ${dry_first} + k;
            for (int lane = 0; held_speed[k] >= 0 && lane < L; lane++) {
                ${m}_real *speed = &x[held_speed[k]*L + lane];
                const ${m}_real size =
                    fabs${f}(rates[row*L + lane]) + fabs${f}(h*pushes[row*L + lane]);
                if (fabs${f}(behind[lane][row]) < h*limits[k*L + lane]
                    && fabs${f}(*speed) <= ${nine_digits}*size) {
                    *speed = ${zero};
                }
            }
        }
