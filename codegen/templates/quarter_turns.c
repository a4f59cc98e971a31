        /*
         * The lowest bits of the shifted number count quarter turns. The others are those of the
         * rounding number unless there are many quarter turns, or the angle is no number.
         */
        const ${mask} quarter = (${mask})shifted;
        const ${mask} odd = -(quarter & 1);
        const ${mask} swapped = ((${mask})s ^ (${mask})c) & odd;
        const ${mask} minus = (${mask})(-(${number}){0});
        const ${mask} s_sign = (quarter << ${sign_shift}) & minus;
        const ${mask} c_sign = s_sign ^ (odd & minus);
        many |= quarter ^ (${mask})rounder;
