    (void)unit;
    return fine;
