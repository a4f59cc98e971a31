"""Number of modes that a reduction keeps, and its truncation error.

A unit load l at a station deflects it by the flexibility l.K^-1 l; n modes give the share
sum of (l.phi_k)^2 / kappa_k, which grows to the whole with n. What is lacking bounds the response
too: up to the frequency w below that of the first mode left out, w_n, the modes left out answer by
at most lacking / (1 - (w / w_n)^2). Reference: Geradin and Rixen, *Mechanical Vibrations*, ch. 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.finite_elements.node_rotation import motion_rows
from eomc.derive.finite_elements.reduced_structure import Support
from eomc.derive.finite_elements.reduction import strained_modes
from eomc.derive.finite_elements.structure import Structure
from eomc.derive.language.errors import ModelError

_DIRECTIONS = ("ux", "uy", "uz")


@dataclass(frozen=True, eq=False)
class ReductionReport:
    """Normal modes of a structure with supports and interfaces held, and what they carry.

    Attributes
    ----------
    order : int
        Modes kept.
    frequencies : (n,)
        Of all modes with strain [Hz], rising.
    effective : (n, 3)
        Share of the mass that moves with each mode when the supports shake along x, y, z.
    lacking : mapping of (station, direction) to (n + 1,)
        Share of the flexibility that the first 0, 1, ... modes lack.
    """

    order: int
    frequencies: Array
    effective: Array
    lacking: Mapping[tuple[str, str], Array]

    @property
    def error(self) -> float:
        """The largest share of flexibility that is lacking at the order."""
        return max((float(share[self.order]) for share in self.lacking.values()), default=0.0)

    def __str__(self) -> str:
        lines = [f"{self.order} of {len(self.frequencies)} modes"]
        left = self.frequencies[self.order : self.order + 1]
        lines += [f"first left out: {value:.6g} Hz" for value in left]
        lines.append("mode   frequency [Hz]   mass x, y, z [%]")
        for k in range(self.order):
            shares = "  ".join(f"{100 * share:5.1f}" for share in self.effective[k])
            lines.append(f"{k + 1:4d}   {self.frequencies[k]:14.6g}   {shares}")
        for (station, direction), share in self.lacking.items():
            lines.append(
                f"flexibility of {station!r} along {direction}: lacks {share[self.order]:.3g}"
            )
        return "\n".join(lines)


def reduction_report(
    structure: Structure,
    modes: Any,
    root: str | None = None,
    interfaces: Iterable[str] = (),
    stations: Iterable[str] = (),
    supports: Mapping[str, Any] | None = None,
    strainless: str = "refused",
) -> ReductionReport:
    """The report of the reduction that `from_structure` does with these arguments.

    >>> from eomc.derive.finite_elements import Section
    >>> rod = Structure(planar=True)
    >>> for name, x in (("root", 0), ("tip", 1)):
    ...     rod.node(name, (x, 0))
    >>> rod.beam("root", "tip", Section(1e-3, 1e3, 1e9, Iz=1e-8), elements=8)
    >>> print(str(reduction_report(rod, {"error": 0.04}, "root", stations=["tip"]))[:14])
    20 of 24 modes
    """
    interfaces, stations = tuple(interfaces), tuple(stations)
    support = Support.of(structure, root, supports, interfaces)
    origin = np.zeros(3) if root is None else structure.nodes[root]
    rows = {name: motion_rows(structure, name, origin, None) for name in stations}
    return _report(support, modes, strainless, rows)


def chosen_order(support: Support, modes: Any, strainless: str, rows: Mapping[str, Array]) -> Any:
    """The number of modes that `modes` stands for."""
    if not isinstance(modes, Mapping):
        return modes
    return _report(support, modes, strainless, rows).order


def _report(
    support: Support, modes: Any, strainless: str, rows: Mapping[str, Array]
) -> ReductionReport:
    inside = [i for i in range(len(support.mass)) if i not in support.boundary]
    at = np.ix_(inside, inside)
    squares, vectors, loose = strained_modes(support.mass[at], support.stiffness[at])
    extra = loose.shape[1] - support.rigid if strainless == "kept" else 0
    frequencies = np.sqrt(squares) / (2 * np.pi)
    carried = support.transform[:, inside] @ vectors
    lacking = {
        (name, word): _lacking(row @ carried, squares)
        for name, motion in rows.items()
        for word, row in zip(_DIRECTIONS, motion[:3], strict=True)
        if np.abs(row @ carried).max(initial=0.0) > 1e-12 * np.abs(carried).max(initial=0.0)
    }
    count = _count(modes, frequencies, lacking)
    order = count + extra if isinstance(modes, Mapping) else count
    if isinstance(modes, Mapping) and not order and not support.boundary:
        raise ModelError(
            f"modes: {dict(modes)} leaves none; the lowest with strain has {frequencies[0]:.4g} Hz"
        )
    return ReductionReport(order, frequencies, _effective(support, carried), lacking)


def _lacking(share: Array, squares: Array) -> Array:
    parts = share**2 / squares
    left = np.concatenate([np.cumsum(parts[::-1])[::-1], [0.0]])
    result: Array = left / left[0]
    return result


def _effective(support: Support, carried: Array) -> Array:
    shaken = np.array(
        [[float(kind == word) for _, kind in support.structure.freedoms] for word in _DIRECTIONS]
    ).T
    mass = support.structure.mass_matrix()
    total = np.einsum("ni,ni->i", shaken, mass @ shaken)
    result: Array = (carried.T @ mass @ shaken) ** 2 / np.where(total > 0, total, np.inf)
    return result


def _count(modes: Any, frequencies: Array, lacking: Mapping[Any, Array]) -> int:
    if not isinstance(modes, Mapping):
        if isinstance(modes, bool) or not isinstance(modes, int) or modes < 0:
            raise ModelError(f"modes: {modes!r}; give a whole number >= 0")
        if modes > len(frequencies):
            raise ModelError(f"{modes} modes of {len(frequencies)} with strain")
        return modes
    if len(modes) != 1 or next(iter(modes)) not in ("below", "error"):
        raise ModelError(
            f"modes: {dict(modes)!r}; give a number, {{'below': Hz}} or {{'error': share}}"
        )
    ((word, bound),) = modes.items()
    if isinstance(bound, bool) or not isinstance(bound, int | float) or not bound > 0:
        raise ModelError(f"modes: {word} is {bound!r}; give a number > 0")
    if word == "below":
        return int(np.count_nonzero(frequencies <= bound))
    if not lacking:
        raise ModelError("modes: an error is that of the flexibility at stations; give stations")
    worst = np.max(list(lacking.values()), axis=0)
    return int(np.argmax(worst <= bound))
