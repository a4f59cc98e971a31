"""Check a model from its declaration to its machine code.

The package is the verb: ``eomc.verify(model)``. Names are imported when first used: a compiled
module is checked by `run` without SymPy.

Parameters
----------
model : Model, path of a model file, Equations, or any system with a method ``program``
states : int, optional
    Number of random states, besides the edge states; 24 by default, 6 if `quick`.
seed : int
    Of the random states.
quick : bool
    Fewer states, shorter runs.
checks : names, optional
    Only these checks; see `eomc.verify.procedure.all_checks`.
small : bool
    Check the small code, of loops over the bodies, as `eomc.build` makes it.
**options
    How to compile, as for `eomc.build`: compiler, flags, march_native, cache_dir.

Returns
-------
Report
    True if no check found a breach; ``print(report)``, ``report.write("report.html")``.

Raises
------
ModelError, EmissionError, BuildError
    The model is malformed, or cannot be emitted or compiled.
ValueError
    `states`, `seed` or `checks` is not valid.

Examples
--------
>>> import eomc
>>> model = eomc.Model("pendulum")
>>> model.body("bob", mass=1, com=(0, 0, -0.5))
>>> model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
>>> eomc.verify(model, quick=True).ok
True
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from eomc.verify.compiled import run
    from eomc.verify.report import Report
    from eomc.verify.subject import Comparison, NotApplicable, check

__all__ = ["Comparison", "NotApplicable", "Report", "check", "run"]

_HOME = {
    "Comparison": "eomc.verify.subject",
    "NotApplicable": "eomc.verify.subject",
    "Report": "eomc.verify.report",
    "check": "eomc.verify.subject",
    "run": "eomc.verify.compiled",
}


class _Verify(ModuleType):
    """A package that can be called."""

    def __call__(
        self,
        model: Any,
        *,
        states: int | None = None,
        seed: int = 0,
        quick: bool = False,
        checks: Iterable[str] | None = None,
        small: bool = False,
        **options: Any,
    ) -> Report:
        """Check a model and return the report; arguments are those of the package's docstring."""
        from eomc.verify.procedure import verify

        asked: dict[str, Any] = {"states": states, "seed": seed, "quick": quick}
        return verify(model, checks=checks, small=small, **asked, **options)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'eomc.verify' has no attribute {name!r}")


sys.modules[__name__].__class__ = _Verify
