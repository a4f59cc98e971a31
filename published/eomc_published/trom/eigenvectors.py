"""Case of the eigenvectors of the semitrailer, figures 5.4 to 5.12: 45."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.linearization import linearize
from eomc.runtime.linearization.modes import Modes
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, at_most, holds
from eomc_published.trom.models import Complex, five_axles, five_axles_turning
from eomc_published.trom.truck import TABLE

DRAWN = (10, 12, 14, 16, 18, 22, 28, 32, 38)
"""Eigenvalues of table 5.2 whose vectors figures 5.4 to 5.12 draw."""

_KINDS = {"handling": (0.2, 1.0), "ride": (1.0, 5.0), "axles": (9.0, 20.0)}
_EPSILON = 1e-6


def kind_of(hertz: float) -> str:
    """The kind of a mode of such vehicles by its damped frequency."""
    return next(name for name, (low, high) in _KINDS.items() if low <= hertz <= high)


@cache
def modes() -> Modes:
    """Of the steady turn."""
    return linearize(five_axles(), five_axles_turning()).modes()


@cache
def drawn() -> dict[int, int]:
    """The mode here for each eigenvalue drawn: as many modes of its kind have less frequency."""
    found = modes()
    own = [k for k in found.first_of_pairs if found.damped_frequency[k] > _KINDS["handling"][0]]
    own.sort(key=lambda k: float(found.damped_frequency[k]))
    rows = [(2 * k + 8, row[2]) for k, row in enumerate(TABLE)][1:]
    places: dict[int, int] = {}
    for name in _KINDS:
        here = [k for k in own if kind_of(found.damped_frequency[k]) == name]
        printed = [number for number, hertz in rows if kind_of(hertz) == name]
        places |= dict(zip(printed, here, strict=False))
    return {number: places[number] for number in DRAWN}


def accelerations(shape: Complex, value: complex) -> Complex:
    """Change of the accelerations by the shape and its rates, by differences: lambda^2 shape."""
    model, state = five_axles(), five_axles_turning()
    inputs = np.array(list(state.inputs.values()))

    def at(part: Array, rate: Array, step: float) -> Array:
        q, u = state.q + step * part, state.u + step * rate
        return np.asarray(model.forward_dynamics(q, u, np.zeros(model.nu), r=inputs))

    def slope(part: Array, rate: Array) -> Array:
        return (at(part, rate, _EPSILON) - at(part, rate, -_EPSILON)) / (2 * _EPSILON)

    moving = value * shape
    found: Complex = slope(shape.real, moving.real) + 1j * slope(shape.imag, moving.imag)
    return found


def by_run(shape: Complex, value: complex) -> Complex:
    """The shape as a run of one period shows it, displaced to one side and to the other."""
    model, state = five_axles(), five_axles_turning()
    t = np.linspace(0, 2 * np.pi / abs(value.imag), 33)
    runs = [
        simulate(
            model,
            state.q + step * shape.real,
            state.u + step * (value * shape).real,
            t_span=t,
            inputs=state.inputs,
            rtol=1e-10,
            atol=1e-13,
            progress=False,
        ).q
        for step in (1e-4, -1e-4)
    ]
    moved = (runs[0] - runs[1]) / 2e-4
    wave = np.exp(value * t)
    parts = np.linalg.lstsq(np.column_stack([wave.real, -wave.imag]), moved, rcond=None)[0]
    found: Complex = parts[0] + 1j * parts[1]
    return found


def _vectors() -> Iterator[CaseCheck]:
    found = modes()
    for figure, (number, mode) in enumerate(drawn().items(), 4):
        shape, value = found.shapes[:, mode], complex(found.eigenvalues[mode])
        name = f"figure 5.{figure}, eigenvalue {number}"
        printed, hertz = TABLE[number // 2 - 4][2], float(found.damped_frequency[mode])
        kind = kind_of(printed)
        text = f"{hertz:.2f} Hz, {found.damping_ratio[mode]:.2f}, most in {found.dominant(mode)}"
        yield holds(name, f"{kind}, printed {printed:.2f} Hz", text, kind_of(hertz) == kind)
        change = accelerations(shape, value) - value**2 * shape
        yield at_most(f"{name}: lambda^2", np.abs(change).max() / abs(value) ** 2, 1e-6)
        if kind == "axles":
            yield from _of_axles(name, shape, by_run(shape, value), found.coordinates)


def _of_axles(
    name: str, shape: Complex, run: Complex, coordinates: tuple[str, ...]
) -> Iterator[CaseCheck]:
    """Magnitudes and phases beside those of the run, and where they are large."""
    large = np.abs(shape) > 0.02
    gap = np.abs(np.abs(run) - np.abs(shape)).max()
    yield at_most(f"{name}: magnitudes of a run, of the largest", gap, 1e-3)
    turned = np.abs(np.angle(run[large] / shape[large])).max()
    yield at_most(f"{name}: phases of a run [rad]", turned, 1e-3)
    moving = [c for c, x in zip(coordinates, np.abs(shape), strict=True) if x > 0.5]
    axles = all(not c.startswith(("tractor", "hitch")) for c in moving)
    yield holds(
        f"{name}: magnitudes above a half", "coordinates 10 to 19", ", ".join(moving), axles
    )


CASES = (
    Case(
        45,
        "Eigenvectors of the semitrailer by magnitude and phase",
        "section 5.4, figures 5.4 to 5.12",
        "the nine modes drawn, by differenced accelerations and by runs",
        _vectors,
        "reconstructed",
        note="Of the figures the captions are left: which eigenvalues, which 19 coordinates. "
        "Modes are matched by their kind and order of frequency in table 5.2; with our own data "
        "the vehicle has one ride mode more and two real roots less.",
        slow=True,
    ),
)
