"""Case 42, the part of contacts: what one costs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc_published.case import Case, CaseCheck, agrees

COUNT = 4


def spheres(count: int) -> Model:
    """A body with that many spheres on it, over a plane."""
    model = Model("spheres")
    model.body("b", mass=1, inertia=(0.1, 0.2, 0.3))
    model.joint("free", "floating", parent="world", child="b")
    for k in range(count):
        model.contact(
            f"touch{k}",
            shape={
                "kind": "sphere",
                "at": {"body": "b", "xyz": (k + 1.3, 2.7 * k + 2.1, 3.4 - k)},
                "radius": 0.1 + 0.01 * k,
            },
            surface={"kind": "plane", "at": "world"},
            normal={"kind": "spring", "stiffness": 1e4},
            friction={"kind": "coulomb", "coefficient": 0.3},
        )
    return model


def _cost() -> Iterator[CaseCheck]:
    counts = [build(spheres(n)).operations_of("inverse_dynamics") for n in range(1, COUNT + 1)]
    each = np.diff(counts)
    yield agrees(
        f"operations of a contact ({each[-1]}) among any number", each[:1].repeat(2), each[1:], 0
    )


CASES = (
    Case(
        42,
        "Cost of contacts",
        "7",
        "operations of inverse dynamics with 1 to 4 spheres",
        _cost,
        provenance="reconstructed",
    ),
)
