    for (int k = 0; k < ${nu}; k++) {
        energy += x[k]*x[k];
    }
    for (int k = 0; k < ${contact_count}; k++) {
        const int row = ${m}_contact_first[k];
        const int size = ${m}_contact_first[k + 1] - row;
        const ${m}_real *law = &laws[6*k];
        const ${m}_real before = rates[row];
        const ${m}_real pushing = fabs${f}(h*pushes[row]);
        const bool bounces = law[0] > ${zero} && before < -fmax${f}(law[1], ${two}*pushing);
        const ${m}_real given = h*h*law[4] + h*law[5];
        const bool is_predicted = !is_midpoint && (given > ${zero} || bounces);
        const ${m}_real slips[2] = {
            size == 3 ? rates[row + 1] : ${zero}, size == 3 ? rates[row + 2] : ${zero}};
        const ${m}_real slip = slips[0]*slips[0] + slips[1]*slips[1];
        ${m}_real (*w)[3] = at.weights[k];
        ${m}_real next[3] = {${zero}, ${zero}, ${zero}};
        at.mu[k] = slip <= law[1]*law[1] ? law[2] : law[3];
        at.offset[k] = bounces ? law[0]*before : ${zero};
        at.softness[k] = ${zero};
        if (is_predicted) {
            ${m}_contact_times(at.y, k, x, next);
        }
        if (is_midpoint) {
            at.is_active[k] = gaps[k] <= h*law[1];
        } else if (given > ${zero}) {
            at.is_active[k] = gaps[k] + h*(next[0] + at.drift[row]) < ${zero};
            at.offset[k] = gaps[k]*h*law[4]/given;
            at.softness[k] = ${one}/given;
        } else if (bounces) {
            at.is_active[k] = gaps[k] + h*(next[0] + at.drift[row]) < ${zero};
        } else {
            /* No rate that the energy allows closes the others within the step. */
            const ${m}_real rate = gaps[k]/h + at.drift[row];
            at.is_active[k] = rate < ${zero} || rate*rate < ${m}_contact_square(at.y, k)*energy;
            at.offset[k] = gaps[k] > ${zero} ? gaps[k]/h : ${kept_depth}*gaps[k]/h;
        }
        if (!at.is_active[k]) {
            continue;
        }
        ${m}_contact_weigh(at.y, k, w);
        w[0][0] += at.softness[k];
        if (size == 3) {
            at.is_regular[k] = ${m}_contact_inverse((const ${m}_real (*)[3])w, at.inverse[k]);
        }
        if (size == 3 && slip > law[1]*law[1]
            && w[0][0]*sqrt${f}(slip) <= at.mu[k]*(w[0][1]*slips[0] + w[0][2]*slips[1])) {
            jams = ${one};
        }
    }
