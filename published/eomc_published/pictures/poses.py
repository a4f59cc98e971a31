"""Case 20: poses, lines of bent beams and cables, each beside another way to the same points."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.building import build
from eomc.derive.functions import function_name
from eomc.derive.model import Model
from eomc_published.case import Case, CaseCheck, at_most
from eomc_published.pictures.models import panda

_STATES = 50


def _poses() -> Iterator[CaseCheck]:
    """Rows of the one function against the frames, one by one."""
    model, _ = panda()
    names = [*model.bodies, *model.frames]
    single = [function_name(name, "pose") for name in names]
    compiled = build(model, functions=["poses", *single])
    q = compiled.random_configuration(20, _STATES)
    found = compiled.function("poses")(q).reshape(_STATES, len(names), 3, 4)
    worst = max(
        float(np.abs(found[:, k] - compiled.function(name)(q)[:, :3]).max())
        for k, name in enumerate(single)
    )
    yield at_most("poses of bodies and frames against each frame's own", worst, 1e-14)


def _beam() -> Iterator[CaseCheck]:
    """Stations of a bent beam against massless bodies that are fastened there."""
    model = Model("beam", gravity=(0, 0, 0))
    model.deformable("arm", "beam", length=1.5, mass_per_length=0.6, EI=30, modes={"y": 2, "z": 1})
    model.joint("turn", "revolute", parent="world", child="arm", axis=(0, 0, 1))
    for k in range(1, 12):
        model.attachment(f"at{k}", body="arm", at=1.5 * k / 12)
    compiled = build(model, functions=["body_lines", "poses"])
    q = np.random.default_rng(20).uniform(-0.1, 0.1, (_STATES, compiled.nq))
    names = compiled.picture()["poses"]["rows"]
    poses = compiled.function("poses")(q).reshape(_STATES, len(names), 3, 4)
    line = compiled.function("body_lines")(q)
    fastened = np.stack([poses[:, names.index(f"at{k}"), :, 3] for k in range(1, 12)], axis=1)
    yield at_most(
        "stations of a bent beam [m]", float(np.abs(line[:, 1:12] - fastened).max()), 1e-12
    )


def _cable() -> Iterator[CaseCheck]:
    """Length of the drawn polygon, and radii at the ends of the arc, of a cable over a pulley."""
    radius = 0.2
    model = Model("hoist", gravity=(0, 0, 0))
    model.body("load", mass=1)
    model.joint("load", "translational", parent="world", child="load")
    over = {
        "kind": "pulley",
        "at": {"body": "world", "xyz": (2, 0.5, 0)},
        "axis": (0, 0, 1),
        "radius": radius,
        "sense": 1,
    }
    model.cable("rope", ["world", over, "load"], length=2, modulus=1)
    compiled = build(model, functions=["element_lines", "element_outputs"])
    rng = np.random.default_rng(20)
    q = np.array([3.5, 2.0, 0.0]) + rng.uniform(-0.4, 0.4, (_STATES, 3)) * [1, 1, 0]
    (label, _) = compiled.picture()["lines"]
    line = np.asarray(compiled.function("element_lines")(q))[:, : label["points"]["count"]]
    length = compiled.outputs(q, np.zeros_like(q))["rope.length"]
    steps = np.diff(line, axis=1)
    drawn = np.linalg.norm(steps, axis=2).sum(axis=1)
    yield at_most(
        "polygon of a cable against its length", float(np.abs(drawn / length - 1).max()), 1e-3
    )
    arms = line[:, [1, -2]] - [2, 0.5, 0]
    slants = np.einsum("nki,nki->nk", arms, steps[:, [0, -1]])
    yield at_most(
        "cable along the tangents of its pulley [m^2]", float(np.abs(slants).max()), 1e-12
    )


def _all() -> Iterator[CaseCheck]:
    yield from _poses()
    yield from _beam()
    yield from _cable()


CASES = (
    Case(
        20,
        "poses and lines",
        "50 states of an arm, a bent beam and a cable over a pulley",
        "one function for all against frames one by one, fastened bodies, and the element's length",
        _all,
    ),
)
