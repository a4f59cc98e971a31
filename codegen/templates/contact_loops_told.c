    for (int i = ${loops} - 1; i >= 0; i--) {
        ${m}_real sum = pull[i];
        for (int row = 0; row < ${held}; row++) {
            sum -= along[row*${loops} + i]*impulses[row];
        }
        for (int j = i + 1; j < ${loops}; j++) {
            sum -= upper[i*${loops} + j]*impulses[${held} + j];
        }
        impulses[${held} + i] =
            upper[i*${loops} + i] > ${zero} ? sum/upper[i*${loops} + i] : ${zero};
    }
