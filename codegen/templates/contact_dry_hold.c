    for (int k = 0; k < ${dry}; k++) {
        /* A speed that is held is zero without rounding. */
        static const int held_speed[${dry}] = {${held_speeds}};
        const int row = ${dry_first} + k;
        const int speed = held_speed[k];
        const ${m}_real size = fabs${f}(rates[row]) + fabs${f}(h*pushes[row]);
        if (speed >= 0 && fabs${f}(impulses[row]) < h*limits[k]
            && fabs${f}(x[speed]) <= ${nine_digits}*size) {
            x[speed] = ${zero};
        }
    }
