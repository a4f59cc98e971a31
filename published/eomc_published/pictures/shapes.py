"""Case 29: shapes that are made without data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.picture.placed import PlacedPicture, placed
from eomc.systems.tensegrity.single_strut import single_strut
from eomc_published.case import Case, CaseCheck, at_most, holds
from eomc_published.pictures.models import delta, four_bar, panda, quick_return

__all__ = ["CASES", "Still", "closed"]


class Still:
    """A model at rest in given configurations (n, nq), for pictures."""

    def __init__(self, model: CompiledModel, q: Array) -> None:
        self.model, self.q = model, np.atleast_2d(q)

    @property
    def count(self) -> int:
        """Of the configurations."""
        return len(self.q)

    def evaluate(self, function: str) -> Any:
        """A function of q, z and r, those at rest."""
        sizes = {"z": len(self.model.element_states), "r": len(self.model.inputs)}
        given = {"q": self.q, "t": np.zeros(self.count)}
        given |= {name: np.zeros((self.count, size)) for name, size in sizes.items()}
        return self.model.function(function)(*(given[n] for n in self.model.inputs_of(function)))


def closed(model: CompiledModel, start: dict[str, float]) -> Array:
    """Coordinates near those given at which all loops are closed, by Gauss and Newton's steps."""
    q = np.array(
        [start.get(name, model.initial_guess.get(name, 0.0)) for name in model.coordinates]
    )
    for _ in range(40 if model.is_constrained else 0):
        residual = model.function("constraint_residual")(q)
        step = np.linalg.lstsq(model.function("constraint_jacobian")(q), residual, rcond=None)[0]
        q = q - step / max(1.0, float(np.abs(step).max()) / 0.3)
    return q


def _joint_points(
    model: Model, shown: PlacedPicture
) -> Iterator[tuple[str, str, str, Array, Array]]:
    """Name, bodies, and where the joint is in the world by its parent and by its child."""
    for joint in model.joints.values():
        sides = ((joint.parent, joint.placement), (joint.child, joint.child_placement))
        a, b = (shown.at(body, [float(x) for x in at.xyz])[0, 0] for body, at in sides)
        yield joint.name, joint.parent, joint.child, a, b


def _near(points: Array, at: Array) -> float:
    return float(np.linalg.norm(points - at, axis=1).min()) if len(points) else np.inf


def _sampled(shown: PlacedPicture) -> list[tuple[str, Array]]:
    """Body and points of everything solid that is drawn."""
    share = np.linspace(0, 1, 201)[:, None]
    found = []
    for solid, faces in zip(shown.solids, shown.faces(0), strict=True):
        points = faces.reshape(-1, 3)
        if solid.ends is not None:
            a, b = shown.at(solid.body, solid.ends)[0]
            points = a + share * (b - a)
        found.append((solid.body, np.concatenate([points, points.mean(axis=0)[None]])))
    for line in shown.lines:
        if line.record["kind"] == "rod":
            a, b = line.points[0]
            found.append((line.record["ends"][1][0], a + share * (b - a)))
    return found


def _pieces(parts: Sequence[Array], reach: float) -> int:
    """Number of connected pieces: parts that come nearer than `reach` hang together."""
    left, pieces = list(range(len(parts))), 0
    while left:
        pieces += 1
        grown = [left.pop()]
        while grown:
            here = parts[grown.pop()]
            touching = [k for k in left if min(_near(parts[k], point) for point in here) < reach]
            left = [k for k in left if k not in touching]
            grown += touching
    return pieces


def _checks_of(model: Model, start: dict[str, float]) -> Iterator[CaseCheck]:
    compiled = build(model, functions=_needed(model))
    shown = placed(Still(compiled, closed(compiled, start)))
    radius = float(shown.description["radius"])
    joints = list(_joint_points(model, shown))
    name = model.name
    gaps = [
        float(np.linalg.norm(a - b))
        for word, _, _, a, b in joints
        if not any(line.record.get("joint") == word for line in shown.lines)
    ]
    yield at_most(f"{name}: two sides of joints [m]", max(gaps), 1e-9)
    parts = _sampled(shown)
    missing = [
        f"{word} on {body}"
        for word, parent, child, *sides in joints
        for body, at in zip((parent, child), sides, strict=True)
        if body in {solid.body for solid in shown.solids}
        and _near(np.concatenate([p for owner, p in parts if owner == body]), at) > 1.5 * radius
    ]
    yield holds(
        f"{name}: joints that are drawn on both bodies", "all", str(missing or "all"), not missing
    )
    at_origin = any(_near(np.array([a, b]), np.zeros(3)) < 1e-9 for *_, a, b in joints)
    moving = [points for body, points in parts if body != "world"]
    distance = min(_near(points, np.zeros(3)) for points in moving)
    yield holds(
        f"{name}: nothing reaches to the world's origin",
        "a joint, or no link is there",
        "a joint" if at_origin else f"{distance:.3g} m off",
        at_origin or distance > 2 * radius,
    )
    pieces = _pieces([points for _, points in parts], 2 * radius)
    yield at_most(f"{name}: pieces, of which there are as many as trees", pieces, _trees(model))


def _needed(model: Model) -> list[str]:
    """Functions that pictures and the closing of loops take, and no others."""
    lines = any(element.drawn_lines() for element in model.elements())
    loops = ["constraint_residual", "constraint_jacobian"] if model.cuts() else []
    return ["poses", *(["element_lines"] if lines else []), *loops]


def _trees(model: Model) -> int:
    """Groups of bodies that joints hold together without the world."""
    owner = {body: body for body in model.bodies}

    def root(body: str) -> str:
        return body if owner[body] == body else root(owner[body])

    for joint in model.joints.values():
        if joint.parent in owner:
            owner[root(joint.child)] = root(joint.parent)
    return len({root(body) for body in owner})


def _without_data() -> Iterator[CaseCheck]:
    for make in (quick_return, four_bar, delta, panda):
        yield from _checks_of(*make())
    yield from _checks_of(single_strut(), {})


CASES = (
    Case(
        29,
        "shapes without data",
        "five mechanisms: quick-return, four-bar, delta robot, Panda, tensegrity strut",
        "joints found by the placements of both of their bodies, beside what is drawn",
        _without_data,
        slow=True,
    ),
)
