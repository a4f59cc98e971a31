"""Check a model from its declaration to its machine code: `eomc.verify`.

Names are imported when first used: a compiled module is checked by `run` without SymPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eomc.verifier.compiled import run
    from eomc.verifier.report import Report
    from eomc.verifier.subject import Comparison, NotApplicable, check

__all__ = ["Comparison", "NotApplicable", "Report", "check", "run"]

_HOME = {
    "Comparison": "eomc.verifier.subject",
    "NotApplicable": "eomc.verifier.subject",
    "Report": "eomc.verifier.report",
    "check": "eomc.verifier.subject",
    "run": "eomc.verifier.compiled",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'eomc.verifier' has no attribute {name!r}")
