    {
        int found[${M}_LANES];
        (void)${difference}_lanes(${arguments}, error, found);
        ${m}_rollouts_merge(found, codes);
    }
