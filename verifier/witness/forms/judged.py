"""A deformable body whose energies and places are judged, and what a witness claims of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import sympy

from eomc.binding.arrays import Array
from eomc.verifier.witness.numbers import Numbers

__all__ = ["Claim", "Judged", "witness_of", "witnesses"]

_TINY = 1e-30
AXES = "xyz"


class Claim(NamedTuple):
    """A thing that the derivation found and what was expected, with the size that errors go by."""

    what: str
    found: Any
    expected: Any
    size: float


Witness: TypeAlias = "Callable[[Judged], Iterator[Claim]]"
"""It makes claims of a body."""

witnesses: list[tuple[str, Witness]] = []


def witness_of(*kinds: str) -> Callable[[Witness], Witness]:
    """Decorator: the generator of claims is asked about bodies of these kinds of forms."""

    def remember(witness: Witness) -> Witness:
        witnesses.extend((kind, witness) for kind in kinds)
        return witness

    return remember


@dataclass(frozen=True, eq=False)
class Judged:
    """The body `name` of a form of some kind, nothing of it held, k coordinates.

    `mass` is H(xi) (6+k, 6+k) of T = y^T H y / 2, y = (v, w, xi'); `strain` V(xi), `strain_slopes`
    dV/dxi and `losses` dD/dxi' at (xi, xi'). `is_ridden` if a joint moves along it.
    """

    name: str
    kind: str
    form: Any
    numbers: Numbers
    mass: Callable[[Array], Array]
    strain: Callable[[Array], float]
    strain_slopes: Callable[[Array], Array]
    losses: Callable[[Array, Array], Array]
    is_ridden: bool
    seed: int

    @property
    def count(self) -> int:
        """k"""
        return len(self.form.coordinates)

    @property
    def rest(self) -> Array:
        """xi of the reference configuration."""
        return np.array([float(value) for value in self.form.neutral])

    @cached_property
    def stiffness(self) -> Array:
        """Columns dV/dxi of unit coordinates beside those at rest."""
        start = self.strain_slopes(self.rest)
        columns = [self.strain_slopes(self.rest + unit) - start for unit in np.eye(self.count)]
        return np.array(columns).reshape(self.count, self.count).T

    @cached_property
    def damping(self) -> Array:
        """Columns dD/dxi' of unit rates, at rest."""
        columns = [self.losses(self.rest, unit) for unit in np.eye(self.count)]
        return np.array(columns).reshape(self.count, self.count).T

    def places(self, stations: Sequence[Any], moving: Any = None) -> Places:
        """The frames at stations; these may hold a symbol `moving`."""
        return Places(self.form, self.numbers, stations, moving)


class Places:
    """Displacements and turns of n stations as functions of xi, by the form's own attachments."""

    def __init__(self, form: Any, numbers: Numbers, stations: Sequence[Any], moving: Any) -> None:
        xi = sympy.symbols(f"xi_0:{len(form.coordinates)}")
        rows: list[Any] = []
        for station in stations:
            at = station(xi) if callable(station) else station
            found = form.attachment(at, xi)
            angles: dict[str, Any] = {}
            for axis, angle in found.turns:
                angles[axis] = angles.get(axis, 0) + angle
            rows += [*found.displacement, *(angles.get(axis, 0) for axis in AXES)]
        flat = [sympy.sympify(entry).xreplace(numbers.parameters) for entry in rows]
        symbols = [*xi, *([] if moving is None else [moving])]
        self._function = sympy.lambdify([symbols], flat, "numpy")
        self.count = len(xi)

    def __call__(self, xi: Any) -> Array:
        """(n, 6): place, then turns about x, y and z; xi may be complex."""
        values = [complex(value) for value in self._function(xi)]
        return np.array(values).reshape(-1, 6)

    def at(self, xi: Array) -> Array:
        """The same in real numbers."""
        return np.asarray(self(xi).real)

    def slopes(self, xi: Array) -> Array:
        """(n, 6, k): derivatives by xi."""
        steps = [self(xi + 1j * _TINY * unit).imag / _TINY for unit in np.eye(len(xi))]
        return np.stack(steps[: self.count], axis=-1)
