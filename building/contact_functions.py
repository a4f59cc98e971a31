"""Functions that steps with rigid contacts take."""

from __future__ import annotations

from typing import Any

from eomc.codegen.plan.interface import CONTACT_METHODS, CONTACT_NEEDS
from eomc.derive.model import ModelError


def contact_functions(equations: Any, method: str) -> tuple[str, ...]:
    """Of a method for a model with rigid contacts or dry friction; none for other models.

    Raises ModelError for a method that knows nothing of them.
    """
    known = getattr(equations, "function_names", ())
    if CONTACT_NEEDS[0] not in known:
        return ()
    if method in CONTACT_METHODS:
        return CONTACT_NEEDS
    raise ModelError(
        f"model {equations.name!r} has rigid contacts or dry friction, which {method!r} knows "
        "nothing of; take method='moreau' or 'stewart_trinkle', or give them a law of force"
    )
