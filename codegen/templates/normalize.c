    {
        const int failure = ${normalize}(${arguments});
        if (failure != ${M}_OK) {
            return failure;
        }
        for (int k = 0; k < ${nq}; k++) {
            ${q}[k] = ${scratch}[k];
        }
    }
