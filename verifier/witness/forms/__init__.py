"""Declarations of deformable bodies, worked out again: one file for each kind of them."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from functools import cache

from eomc.verifier.witness.forms.judged import Claim, Judged, witnesses

__all__ = ["Claim", "Judged", "claims"]


def claims(body: Judged) -> Iterator[Claim]:
    """Those of every witness of the body's form."""
    for kind, witness in _known():
        if kind == body.kind:
            yield from witness(body)


@cache
def _known() -> list[tuple[str, Callable[[Judged], Iterator[Claim]]]]:
    for info in sorted(pkgutil.iter_modules(__path__), key=lambda info: info.name):
        importlib.import_module(f"{__name__}.{info.name}")
    return witnesses
