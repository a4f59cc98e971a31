    for (int k = 0; k < ${nu}; k++) {
        energy += x[k]*x[k];
    }
    for (int k = 0; k < ${contact_count}; k++) {
        const int row = ${m}_contact_first[k];
        const int size = ${m}_contact_first[k + 1] - row;
        const ${m}_real *law = &laws[6*k];
        const ${m}_real before = ${m}_row_times(at.y, row, x_before) + at.drift[row];
        const ${m}_real rate = ${m}_row_times(at.y, row, x) + at.drift[row];
        const ${m}_real pushing = fabs${f}(h*${m}_row_times(at.y, row, pushed));
        const bool bounces = law[0] > ${zero} && before < -fmax${f}(law[1], ${two}*pushing);
        const ${m}_real given = h*h*law[4] + h*law[5];
        ${m}_real (*w)[3] = at.weights[k];
        ${m}_real slips[2] = {${zero}, ${zero}};
        ${m}_real slip;
        for (int i = 0; i < size; i++) {
            for (int j = 0; j <= i; j++) {
                w[i][j] = ${m}_row_times(at.y, row + i, &at.y[(row + j)*${nu}]);
                w[j][i] = w[i][j];
            }
        }
        for (int i = 1; i < size; i++) {
            slips[i - 1] = ${m}_row_times(at.y, row + i, x_before) + at.drift[row + i];
        }
        slip = sqrt${f}(slips[0]*slips[0] + slips[1]*slips[1]);
        at.mu[k] = slip <= law[1] ? law[2] : law[3];
        at.offset[k] = bounces ? law[0]*before : ${zero};
        at.softness[k] = ${zero};
        if (is_midpoint) {
            at.is_active[k] = gaps[k] <= h*law[1];
        } else if (given > ${zero}) {
            at.is_active[k] = gaps[k] + h*rate < ${zero};
            at.offset[k] = gaps[k]*h*law[4]/given;
            at.softness[k] = ${one}/given;
            w[0][0] += at.softness[k];
        } else if (bounces) {
            at.is_active[k] = gaps[k] + h*rate < ${zero};
        } else {
            /* No rate that the energy allows closes the others within the step. */
            at.is_active[k] = gaps[k] + h*(at.drift[row] - sqrt${f}(w[0][0]*energy)) < ${zero};
            at.offset[k] = gaps[k] > ${zero} ? gaps[k]/h : ${kept_depth}*gaps[k]/h;
        }
        if (at.is_active[k] && size == 3) {
            ${m}_contact_inverse((const ${m}_real (*)[3])w, at.inverse[k]);
        }
        if (at.is_active[k] && size == 3 && slip > law[1]
            && w[0][0] <= at.mu[k]*(w[0][1]*slips[0] + w[0][2]*slips[1])/slip) {
            jams = ${one};
        }
    }
