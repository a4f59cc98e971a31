"""What can go wrong between a program and its compiled module."""


class EmissionError(ValueError):
    """The program cannot be written as C; the message names the function and the argument."""


class BuildError(RuntimeError):
    """The sources could not be compiled; the message says why, or what to install."""
