"""Case 31: beams with shapes of one's own; a slider-crank whose rod bends, beside a form of its
own whose kinetic energy SymPy integrates."""

from __future__ import annotations

from collections.abc import Iterator
from math import pi, sqrt
from typing import Any

import numpy as np
import sympy

from eomc.building import build
from eomc.derive.bodies import Attachment, Beam, Form
from eomc.derive.fields.field import record
from eomc.derive.model import Model
from eomc.runtime.constraints import assemble
from eomc.runtime.linearization.linearize import linearize
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees

CRANK, ROD, DENSITY, STIFFNESS = 0.15, 0.3, 0.5, 20.0
SINES = ["sin(pi*s)", "sin(2*pi*s)"]


@record
class SinesOfSympy(Form):
    """v = sum_j xi_j sin(j pi x/l), by the velocity of every point."""

    coordinates = ("y1", "y2")
    units = ("m", "m")
    scalars = ()

    def _sines(self) -> tuple[sympy.Symbol, list[sympy.Expr]]:
        x = sympy.Symbol("x")
        return x, [sympy.sin(j * sympy.pi * x / sympy.Rational(3, 10)) for j in (1, 2)]

    def kinetic_energy(self, v: Any, w: Any, xi: Any, xi_rate: Any) -> Any:
        """Integral of |v + w x r + r'|^2/2 over the mass."""
        x, sines = self._sines()
        r, rate = (
            sympy.Matrix([x if k == 0 else 0, sum(a * b for a, b in zip(q, sines, strict=True)), 0])
            for k, q in enumerate((xi, xi_rate))
        )
        velocity = sympy.Matrix(v) + sympy.Matrix(w).cross(r) + sympy.Matrix([0, rate[1], 0])
        density = sympy.expand(velocity.dot(velocity) / 2)
        return DENSITY * sympy.integrate(density, (x, 0, sympy.Rational(3, 10)))

    def strain_energy(self, xi: Any) -> Any:
        """EI/2 times the integral of v''^2."""
        squares = ((j * pi / ROD) ** 4 * a**2 for j, a in zip((1, 2), xi, strict=True))
        return STIFFNESS * ROD / 4 * sum(squares)

    def attachment(self, at: Any, xi: Any) -> Attachment:
        """The tip, which stays on the axis and turns by v'."""
        slope = sum(j * pi / ROD * (-1) ** j * a for j, a in zip((1, 2), xi, strict=True))
        return Attachment((ROD, 0, 0), (("z", slope),))


def slider_crank(rod: Form) -> CompiledModel:
    """A crank turns a piston by a rod that bends."""
    model = Model("slider_crank", gravity=(0, -9.81, 0))
    model.body("crank", mass=0.2, inertia=(1e-3, 1e-3, 1e-3))
    model.body("piston", mass=0.5)
    model.deformable("rod", rod)
    z = (0, 0, 1)
    model.joint("crank", "revolute", parent="world", child="crank", axis=z)
    model.joint("pin", "revolute", parent="crank", child="rod", axis=z, placement=(CRANK, 0, 0))
    model.joint("bore", "prismatic", parent="world", child="piston", axis=(1, 0, 0))
    model.attachment("wrist", body="rod", at="tip")
    model.joint("gudgeon", "revolute", parent="wrist", child="piston", axis=z, cut=True)
    return build(model)


def _frequencies() -> Iterator[CaseCheck]:
    model = Model("beam", gravity=(0, 0, 0))
    model.deformable("rod", Beam(length=ROD, mass_per_length=DENSITY, EI=STIFFNESS, shapes=SINES))
    model.joint("held", "fixed", parent="world", child="rod")
    found = linearize(build(model)).modes().natural_frequency[::2] * 2 * pi
    exact = [(j * pi / ROD) ** 2 * sqrt(STIFFNESS / DENSITY) for j in (1, 2)]
    yield agrees("frequencies between pins [rad/s]", exact, found, 1e-10, relative=True)


def _slider_crank() -> Iterator[CaseCheck]:
    beam = Beam(length=ROD, mass_per_length=DENSITY, EI=STIFFNESS, shapes=SINES)
    runs = []
    for rod in (beam, SinesOfSympy()):
        model = slider_crank(rod)
        guess = {"crank": 0.7, "pin": -1.0, "bore": 0.4}
        start = assemble(model, guess, {"crank": 30.0}, fixed=["crank", "speed(crank)"])
        times = np.linspace(0, 0.1, 101)
        runs.append(simulate(model, start.q, start.u, t_span=times, rtol=1e-11, atol=1e-13))
    bends = [np.stack([run["rod_y1"], run["rod_y2"]]) for run in runs]
    yield agrees("bending of the rod, by its largest", bends[1], bends[0], 1e-7, relative=True)
    speeds = [run["speed(bore)"] for run in runs]
    yield agrees("speed of the piston", speeds[1], speeds[0], 1e-7)


def _own() -> Iterator[CaseCheck]:
    yield from _frequencies()
    yield from _slider_crank()


CASES = (
    Case(
        31,
        "Beams with shapes of one's own",
        "exact",
        "frequencies; a rod beside a form",
        _own,
        slow=True,
    ),
)
