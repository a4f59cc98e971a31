        if (status != 0) {
            for (i = 0; codes[i] == 0; i++) {
            }
            *bad = group*${lanes} + (size_t)i;
            return codes[i];
        }
