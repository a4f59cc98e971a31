"""The record of a form: a shape meets a surface at so many sites."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from eomc.derive.contacts.shapes.shape import Shape
from eomc.derive.contacts.surfaces.surface import Surface, Touch
from eomc.derive.language.registry import Registry
from eomc.derive.scene.loads import Scene

__all__ = ["PAIRS", "PairForm", "form_of", "pair", "site_count"]

Touches = Callable[[Scene, Any, Any], Sequence[Touch]]


@dataclass(frozen=True)
class PairForm:
    """Number of sites, and what they are on the graph; whether the sites of the shape, one by one,
    would miss the surface.

    Sites of a form come and go at any depth: a force by depth would jump, and change the energy.
    """

    count: int
    touches: Touches
    is_needed: bool = True


#: Every form by "SHAPE on SURFACE".
PAIRS: Registry[PairForm] = Registry("pair", "eomc.derive.contacts.pairs", mark=r"@pair\(")


def pair(words: str, count: int, *, is_needed: bool = True) -> Callable[[Touches], Touches]:
    """Decorator: the function is the form of the pair "SHAPE on SURFACE"."""

    def register(touches: Touches) -> Touches:
        PAIRS.add(PairForm(count, touches, is_needed), words)
        return touches

    return register


def form_of(shape: Shape, surface: Surface) -> PairForm | None:
    """The form of a pair; None if its sites meet the surface one by one."""
    return PAIRS.get(f"{shape.word} on {surface.word}")


def site_count(shape: Shape, form: PairForm | None) -> int:
    """Number of sites at which a shape may touch."""
    return shape.count() if form is None else form.count
