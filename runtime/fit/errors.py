"""The error of fits."""

from __future__ import annotations

from typing import Any


class FitError(ValueError):
    """Runs that do not fit a model, or a fit that came to no end.

    Attributes
    ----------
    partial : Fit or None
        Of a fit that diverged, its state before.
    """

    partial: Any = None
    theta: Any = None
