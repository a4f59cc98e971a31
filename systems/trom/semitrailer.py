def semitrailer():
    pass
