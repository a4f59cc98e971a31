"""Rings of bodies that close where a chosen configuration puts them, cut at any joint.

A chain of all joints, the last one included, ends at a body that is taken for the ground: where the
chain puts it at the chosen coordinates, there the last joint is placed. So all coordinates of the
closed ring are known, and speeds that keep it closed are the null space of the last body's
Jacobian.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from constraints.values import Values

from eomc.binding.arrays import Array
from eomc.derive.model import Model, Placement

SIZES = {
    "revolute": 1,
    "prismatic": 1,
    "screw": 1,
    "cylindrical": 2,
    "universal": 2,
    "spherical": 3,
}


@dataclass(frozen=True)
class Link:
    """A joint, and the body that it leads to."""

    kind: str
    extra: dict[str, Any]
    placement: Placement
    child_placement: Placement
    inertia: tuple[float, ...]
    com: tuple[float, ...]
    mass: float


def _placement(rng: np.random.Generator) -> Placement:
    xyz = tuple((0.4 * rng.normal(size=3)).tolist())
    return Placement(xyz=xyz, rpy=tuple(rng.uniform(-1.5, 1.5, size=3).tolist()))


def random_link(rng: np.random.Generator, kind: str) -> Link:
    """Oblique placements, full inertia, damping."""
    axis = rng.normal(size=3)
    extra: dict[str, Any] = {"damping": float(rng.uniform(0, 0.5))}
    if kind in ("revolute", "prismatic", "screw", "cylindrical"):
        extra["axis"] = tuple(axis.tolist())
    if kind == "screw":
        extra["pitch"] = float(rng.normal())
    if kind == "universal":
        extra |= {"axis": (1, 0, 0), "axis_2": (0, 0.8, 0.6)}
    spread = rng.normal(size=(3, 3))
    tensor = np.trace(spread @ spread.T) * np.eye(3) - spread @ spread.T
    entries = 0.1 * tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    return Link(
        kind,
        extra,
        _placement(rng),
        _placement(rng),
        tuple(entries.tolist()),
        tuple((0.3 * rng.normal(size=3)).tolist()),
        float(rng.uniform(0.5, 2)),
    )


class Ring:
    """Joints j0 ... jn and bodies b0 ... b(n-1) between; joint jn leads back to the base.

    `base` is "world", or a body that floats.
    """

    def __init__(self, links: Sequence[Link], q: Array, *, base: str = "world") -> None:
        self.links, self.base = list(links), base
        self.chain = Values(self._model(None))
        self.q = q
        self.q_of = dict(zip(self.chain.equations.coordinates, q.tolist(), strict=True))
        self.count = len(links) - 1
        end = f"b{self.count}"
        pose = self.chain(f"frame_{end}_pose", q=q)
        if base != "world":
            pose = np.linalg.inv(self.chain(f"frame_{base}_pose", q=q)) @ pose
        self.end = pose

    def speeds(self, rng: np.random.Generator) -> dict[str, float]:
        """Random speeds of all joints that keep the ring closed, by name."""
        end = f"b{self.count}"
        jacobian = self.chain(f"frame_{end}_jacobian", q=self.q)
        if self.base != "world":
            own = self.chain(f"frame_{self.base}_jacobian", q=self.q)
            place, at = (self.chain(f"frame_{b}_pose", q=self.q)[:3, 3] for b in (end, self.base))
            x, y, z = place - at
            arm = np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]])
            own[:3] += arm @ own[3:]
            jacobian = jacobian - own
        _, sizes, right = np.linalg.svd(jacobian)
        rank = int((sizes > 1e-9 * sizes[0]).sum())
        free = right[rank:]
        u = rng.normal(size=len(free)) @ free
        return dict(zip(self.chain.equations.speeds, u.tolist(), strict=True))

    def cut_at(self, k: int) -> Model:
        """The ring, joint k closing it."""
        return self._model(k)

    def state(self, values: Values, u_of: dict[str, float]) -> tuple[Array, Array]:
        """q and u of a ring cut somewhere, spherical joints that were turned round included."""
        q_of, u_of = dict(self.q_of), dict(u_of)
        for joint in values.model.tree():
            declared = values.model.joints[joint.name]
            if joint.kind == "spherical" and joint.child != declared.child:
                w, x, y, z = (q_of[name] for name in joint.coordinates)
                rates = np.array([u_of[name] for name in joint.speeds])
                turned = -_rotated((w, x, y, z), rates)
                q_of.update(zip(joint.coordinates, (w, -x, -y, -z), strict=True))
                u_of.update(zip(joint.speeds, turned.tolist(), strict=True))
        equations = values.equations
        q = np.array([q_of[name] for name in equations.coordinates])
        return q, np.array([u_of[name] for name in equations.speeds])

    def _model(self, cut: int | None) -> Model:
        model = Model("ring", gravity=(0.5, -0.3, -9.81))
        if self.base != "world":
            model.body(self.base, mass=2.0, com=(0.1, 0.1, 0), inertia=(0.3, 0.4, 0.5))
            model.joint("free", "floating", parent="world", child=self.base)
        last = len(self.links) - 1
        for k, link in enumerate(self.links):
            closes = k == last and cut is not None
            if not closes:
                mass = {"mass": link.mass, "com": link.com, "inertia": link.inertia}
                model.body(f"b{k}", **mass)
            placement = link.child_placement
            if closes:  # the ground's frame, where the chain has brought it
                end = Placement(xyz=tuple(self.end[:3, 3]), rotation=self.end[:3, :3])
                placement = end @ placement
            model.joint(
                f"j{k}",
                link.kind,
                parent=f"b{k - 1}" if k else self.base,
                child=self.base if closes else f"b{k}",
                placement=link.placement,
                child_placement=placement,
                cut=k == cut,
                **link.extra,
            )
        return model


def _rotated(quaternion: Sequence[float], vector: Array) -> Array:
    w, *imaginary = quaternion
    axis = np.array(imaginary)
    return vector + 2 * np.cross(axis, np.cross(axis, vector) + w * vector)
