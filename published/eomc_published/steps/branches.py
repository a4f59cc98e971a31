"""Case 7: springs across branches of a tree, whose rows the matrix of a step holds beside it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.model.compiled import CompiledModel
from eomc_published.case import Case, CaseCheck, at_most

_LEGS, _LINK, _APART = 4, 0.4, 0.3
_H = 1e-2


def _walker() -> CompiledModel:
    """A trolley with legs of two links on sprung joints, and a band from foot to foot."""
    model = Model("walker_with_bands", gravity=(0, 0, -9.81))
    model.body("trolley", mass=5)
    model.joint("x", "prismatic", parent="world", child="trolley", axis=(1, 0, 0))
    for leg in range(_LEGS):
        parent, place = "trolley", (_APART * leg, 0.0, 0.0)
        for part in ("hip", "knee"):
            name, child = f"{part}_{leg}", f"{part}_{leg}_link"
            model.body(child, mass=1, com=(0, 0, -0.2), inertia=(0.01, 0.01, 0.01))
            model.joint(
                name,
                "revolute",
                parent=parent,
                child=child,
                axis=(0, 1, 0),
                placement=place,
                damping=2,
            )
            model.joint_spring(f"spring_{name}", joint=name, stiffness=1e4)
            parent, place = child, (0.0, 0.0, -_LINK)
    for leg in range(_LEGS - 1):
        for name in ("stiffness", "damping", "length"):
            model.parameter(f"{name}_{leg}", 0.0 if name != "length" else 0.3)
        model.spring(
            f"band_{leg}",
            a={"body": f"knee_{leg}_link", "xyz": (0, 0, -_LINK)},
            b={"body": f"knee_{leg + 1}_link", "xyz": (0, 0, -_LINK)},
            stiffness=f"stiffness_{leg}",
            damping=f"damping_{leg}",
            free_length=f"length_{leg}",
        )
    return build(model, tunable="all")


def _feet(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places of the feet (legs, 2) and their Jacobian (legs, 2, speeds), by hand."""
    hip, total = q[1::2], q[1::2] + q[2::2]
    found = np.stack([q[0] + _APART * np.arange(_LEGS), np.zeros(_LEGS)], axis=1)
    by_q = np.zeros((_LEGS, 2, q.size))
    by_q[:, 0, 0] = 1
    for angles in (hip, total):
        found -= _LINK * np.stack([np.sin(angles), np.cos(angles)], axis=1)
    for leg in range(_LEGS):
        upper = -_LINK * np.array([np.cos(hip[leg]), -np.sin(hip[leg])])
        lower = -_LINK * np.array([np.cos(total[leg]), -np.sin(total[leg])])
        by_q[leg, :, 1 + 2 * leg] = upper + lower
        by_q[leg, :, 2 + 2 * leg] = lower
    return found, by_q


def _bands() -> Iterator[CaseCheck]:
    model, rng, worst = _walker(), np.random.default_rng(7), 0.0
    rate, zero = 1 / _H, np.zeros(model.nu)
    for _ in range(100):
        q, tau = 0.3 * rng.normal(size=model.nu), 10 * rng.normal(size=model.nu)
        places, by_q = _feet(q)
        across, slope = np.diff(places, axis=0), np.diff(by_q, axis=0)
        length = np.linalg.norm(across, axis=1)
        rows = np.einsum("ki,kij->kj", across / length[:, None], slope)
        stiffness = 10 ** rng.uniform(2, 7, size=_LEGS - 1)
        damping = 10 ** rng.uniform(0, 3, size=_LEGS - 1)
        given = {f"length_{k}": value for k, value in enumerate(length)}
        # Without bands: the tree's own matrix A = M + h D + h^2 K, with tau and from rest.
        matrix, mass, *_ = model.step_matrix(q, zero, tau, rate, parameters=given)
        force = mass @ model.forward_dynamics(q, zero, tau, parameters=given)
        own = np.linalg.solve(matrix, np.column_stack([force, rows.T]))
        free, by_rows = own[:, 0], own[:, 1:]
        compliance = np.diag(1 / (damping + stiffness * _H))
        bands = np.linalg.solve(rows @ by_rows + compliance, -rows @ free)
        expected = free + by_rows @ bands
        for name, values in (("stiffness", stiffness), ("damping", damping)):
            given |= {f"{name}_{k}": value for k, value in enumerate(values)}
        _, u = model.linear_euler(q, zero, tau, _H, 1, parameters=given)
        worst = max(worst, float(np.abs(u[-1] - expected).max() / np.abs(expected).max()))
    yield at_most("speeds against compliant rows beside the tree's matrix", worst, 1e-11)


CASES = (
    Case(
        7,
        "Springs across branches as compliant rows",
        "(A + J^T S J)^-1 f = A^-1 (f + J^T l), (J A^-1 J^T + S^-1) l = -J A^-1 f",
        "a hundred random states, stiffnesses and dampings of one tree",
        _bands,
    ),
)
