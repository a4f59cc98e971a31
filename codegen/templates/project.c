    {
        ${m}_real u_free[${nu}];
        ${m}_real size = ${zero};
        ${m}_real jump = ${zero};
        ${m}_real change = ${zero};
        int failure;
        for (int k = 0; k < ${nu}; k++) {
            u_free[k] = ${u}[${first}k];
            size = fmax${f}(size, fabs${f}(u_free[k]));
            change = fmax${f}(change, fabs${f}(u_free[k] - ${before}[${first}k]));
        }
        failure = ${m}_project(${arguments});
        for (int k = 0; k < ${nu}; k++) {
            jump = fmax${f}(jump, fabs${f}(${u}[${first}k] - u_free[k]));
        }
        /*
         * So much is no drift: next to a singular configuration it is what the motion carries. Long
         * steps drift more, by a share of what they change.
         */
        if (failure == ${M}_OK && jump > ${most}*size + ${rank_tolerance}
            && jump > ${share}*change) {
            failure = ${singular_constraints};
        }
        if (failure != ${M}_OK) {
            return failure;
        }
    }
