"""Energies of deformable bodies against integrals over what they are made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy

from eomc.binding.arrays import Array
from eomc.verifier.subject.check import Absent, Comparison, NotApplicable, check, largest
from eomc.verifier.subject.derived_subject import DerivedSubject
from eomc.verifier.witness.deformation import Energies, numeric
from eomc.verifier.witness.line_body import LineBody, declared_line
from eomc.verifier.witness.numbers import Numbers
from eomc.verifier.witness.section_chain import Substitution

ALLOWED = 1e-9
_PANELS, _SIZE = 2, 3e-4


@check(
    "deformation",
    compares="the mass matrix (v, w, xi') and the strain energy of each deformable body that says "
    "what it is made of: at rest, and deformed, to second order among v and w and to first order "
    "with xi'",
    reference="quadrature of mass, section inertia and stiffness over the places and turns of the "
    "body's own sections (Shabana, Dynamics of Multibody Systems, ch. 5); of stiffened beams also "
    "to first order among xi', to second order of w and twist with twist, of their mass without "
    "the inertia of the sections, which counts at rest alone there",
    tolerance=f"{ALLOWED:.0e} of the inertias and stiffnesses, and ten times what twice the panels "
    f"change; deformed by {_SIZE:.0e} of the length, orders told apart by halving it",
    thorough=True,
)
def deformation(subject: DerivedSubject) -> Iterator[Comparison]:
    """One body after the other, in its own coordinates."""
    model = subject.declared
    bodies = {} if model is None else model.deformables
    lines = {name: declared_line(body.given, body.given.kind) for name, body in bodies.items()}
    known = {name: bodies[name].given for name, line in lines.items() if line is not None}
    if model is None or not bodies:
        raise Absent("bodies that deform")
    if not known:
        raise NotApplicable("no deformable body says what it is made of")
    parameters = Numbers(model).parameters
    for name, form in known.items():
        energies = Energies(model, name, parameters, whole=True)
        yield from _of_body(name, form, lines[name], energies, parameters, subject.seed)


def _of_body(
    name: str, form: Any, line: Any, energies: Energies, parameters: Substitution, seed: int
) -> Iterator[Comparison]:
    coarse, fine = (LineBody(form, line, parameters, panels) for panels in (_PANELS, 2 * _PANELS))
    k = len(energies.xi)
    stiffness = numeric(energies.xi, sympy.hessian(energies.strain, energies.xi), (k, k))
    found, expected = stiffness(np.zeros(k)), fine.strain()
    size = float(np.abs(expected).max(initial=1e-300))
    doubt = 10 * largest(coarse.strain(), expected, size)
    yield Comparison(
        f"strain of {name}", "at rest", largest(found, expected, size), ALLOWED + doubt
    )

    mass, _ = energies.mass()
    rest = fine.mass(np.zeros(k))
    sizes = np.diag(rest).copy()
    sizes[3:6] = sizes[3:6].max()
    scale = np.sqrt(np.outer(sizes, sizes))
    doubt = 10 * largest(coarse.mass(np.zeros(k)) / scale, rest / scale)
    error = largest(mass(np.zeros(k)) / scale, rest / scale)
    yield Comparison(f"mass of {name}", "at rest", error, ALLOWED + doubt)

    units = np.array([1.0 if unit == "rad" else fine.length for unit in form.units])
    along = _SIZE * units * np.random.default_rng(seed).uniform(0.5, 1.0, k)

    def apart(sections: bool = True) -> tuple[Array, Array]:
        """Differences, odd and even in xi."""
        differing = [
            (mass(xi) - fine.mass(xi, sections)) / scale
            for xi in (share * along for share in (1.0, -1.0, 0.5, -0.5))
        ]
        ahead, back, half_ahead, half_back = map(np.asarray, differing)
        odd = 8 * (half_ahead - half_back) / 2 - (ahead - back) / 2
        return odd, 16 * (half_ahead + half_back) / 2 - (ahead + back) / 2

    odd, even = apart()
    allowed = (ALLOWED + doubt) * _SIZE
    parts = [("v and w", (odd + even)[:6, :6]), ("xi'", odd[:6, 6:])]
    if getattr(form, "stiffening", False):
        plain, curved = apart(sections=False)
        twists = [6 + j for j, name in enumerate(form.coordinates) if name.startswith("torsion")]
        still = (mass(np.zeros(k)) - fine.mass(np.zeros(k), sections=False)) / scale
        second = curved - 15 * still  # what is left at rest comes 16 - 1 times
        parts += [
            ("xi' alone", plain[6:, 6:]),
            ("w and twist", second[3:6, twists]),
            ("twist alone", second[np.ix_(twists, twists)]),
        ]
    for blocks, rest in parts:
        worst = float(np.abs(rest).max(initial=0.0))
        yield Comparison(f"mass of {name} with {blocks}", "deformed", worst, allowed)
