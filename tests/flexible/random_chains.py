"""Random trees with deformable bodies among rigid ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import sympy

from eomc.derive.bodies import Attachment, Form, Invariants
from eomc.derive.language.registry import kind
from eomc.derive.model import Model, Placement

KINDS = ("revolute", "prismatic", "spherical", "universal", "fixed", "floating_euler")


@kind("test_jelly")
class Jelly(Form):
    """Invariants at random, of a mass matrix that is positive definite near xi = 0."""

    seed: int = 0
    modes: int = 1

    @property
    def coordinates(self) -> tuple[str, ...]:
        """e0, e1, ..."""
        return tuple(f"e{j}" for j in range(self.modes))

    def invariants(self, xi: Any) -> Invariants:
        """Point masses again, their coefficients summed in numbers."""
        rng = np.random.default_rng(self.seed)
        size = 6 + self.modes
        masses = rng.uniform(0.3, 1.0, size=3)
        rest, slopes = rng.normal(size=(3, 3)), 0.5 * rng.normal(size=(3, self.modes, 3))
        total = sympy.zeros(size)
        for m, r0, columns in zip(masses, rest, slopes, strict=True):
            r = sympy.Matrix(r0.tolist())
            for x, column in zip(xi, columns, strict=True):
                r += x * sympy.Matrix(column.tolist())
            turning = sympy.Matrix([[0, r[2], -r[1]], [-r[2], 0, r[0]], [r[1], -r[0], 0]])
            j = sympy.Matrix.hstack(sympy.eye(3), turning, sympy.Matrix(columns.T.tolist()))
            total += float(m) * (j.T * j)
        inertia = tuple(
            total[3 + i, 3 + k] for i, k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        )
        modes = range(6, size)
        return Invariants(
            float(masses.sum()),
            (total[1, 5], total[2, 3], total[0, 4]),
            inertia,  # type: ignore[arg-type]
            tuple((total[0, k], total[1, k], total[2, k]) for k in modes),
            tuple((total[3, k], total[4, k], total[5, k]) for k in modes),
            tuple(tuple(total[i, k] for k in modes) for i in modes),
        )

    def strain_energy(self, xi: Any) -> Any:
        """Quadratic."""
        return 3 * sum(x**2 for x in xi)

    def attachment(self, at: Any, xi: Any) -> Attachment:
        """Anywhere."""
        last = xi[-1] if xi else 0
        return Attachment((at, at * last, last**2 / 3), (("y", at * last), ("z", last / 2)))


def random_chain(seed: int, bodies: int) -> Model:
    """Every body hangs on one of the two before it, by a joint or at a place of a deformable."""
    rng = np.random.default_rng(seed)
    model = Model("chain", gravity=tuple(float(x) for x in 5 * rng.normal(size=3)))
    names = ["world"]
    for k in range(bodies):
        name, parent = f"b{k}", names[rng.integers(max(0, len(names) - 2), len(names))]
        place = _placement(rng)
        if k == 0 or rng.integers(2):
            model.deformable(name, Jelly(int(rng.integers(1000)), int(rng.integers(1, 3))))
        else:
            model.body(
                name,
                mass=float(rng.uniform(0.5, 2)),
                com=tuple(rng.normal(size=3).tolist()),
                inertia=(0.5, 0.6, 0.7, 0.1, 0.05, 0.02),
            )
        if parent in model.deformables and rng.integers(4):
            kind = str(rng.choice(["attachment", "track"]))
            at = {"at": float(rng.uniform(0.5, 1.5))} if kind == "attachment" else {}
            model.joint(name, kind, parent=parent, child=name, placement=place, **at)
        else:
            kind = str(rng.choice(KINDS))
            axis = {"axis": tuple(rng.normal(size=3).tolist())}
            more = axis if kind in ("revolute", "prismatic") else {}
            if parent in model.deformables:  # at its root; what is elsewhere on it is attached
                place = replace(place, xyz=(0, 0, 0))
            model.joint(name, kind, parent=parent, child=name, placement=place, **more)
        names.append(name)
    return model


def _placement(rng: np.random.Generator) -> Placement:
    xyz = tuple(rng.normal(size=3).tolist())
    if rng.integers(2):
        return Placement(xyz=xyz)
    return Placement(xyz=xyz, rpy=tuple(rng.uniform(-2, 2, size=3).tolist()))


def random_state(model: Model, rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """(q, u, a): small deformations, unit quaternions."""
    q = rng.uniform(-1, 1, size=len(model.coordinates))
    for name in (n for body in model.deformables.values() for n in body.coordinates):
        q[model.coordinates.index(name)] *= 0.3
    for joint in model.joints.values():
        if joint.kind == "spherical":
            first = model.coordinates.index(joint.coordinates[0])
            q[first : first + 4] /= np.linalg.norm(q[first : first + 4])
    return q, rng.normal(size=len(model.speeds)), rng.normal(size=len(model.speeds))
