"""The error of fits."""


class FitError(ValueError):
    """Runs that do not fit a model, or a fit that came to no end."""
