"""Errors between a program and its compiled module: of emission and of the build."""


class EmissionError(ValueError):
    """The program cannot be written as C; the message names the function and the argument."""


class BuildError(RuntimeError):
    """The sources could not be compiled; the message says why, or what to install."""
