"""Steps of blocks of columns in tree axes: a row holds one number of each column.

A column on its way to the base is only shifted, from one origin to the next, whatever the joint.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from eomc.derive.dynamics.partials import ColumnChange, WrenchAscent
from eomc.derive.geometry import Vector
from eomc.derive.geometry.spatial import ForceVector
from eomc.derive.graph import Expression, RolledStep
from eomc.derive.rolled.layouts import (
    ASCENT,
    INERTIA,
    NUMBER,
    PARTIALS,
    SPATIAL_FORCE,
    VECTOR,
    numbers,
)
from eomc.derive.rolled.step_builder import RowConstants, StepBuilder
from eomc.derive.rolled.tree_axes_steps import axes_of_link


@cache
def clear_step(size: int, width: int) -> RolledStep:
    """So many rows of zeros."""
    step = StepBuilder(f"clear_{size}_by_{width}", "Rows of zeros.", width, ("carried",))
    step.give("carried", numbers(size), [step.zero] * size)
    return step.step()


@cache
def join_step(size: int, speeds: int, width: int) -> RolledStep:
    """So many numbers of each speed of a link, added to the rows at its places."""
    step = StepBuilder(
        f"join_{size}_of_{speeds}_by_{width}",
        "Numbers of the speeds of a link, at their places in rows.",
        width,
        ("carried", "unit"),
    )
    carried = step.take("carried", numbers(size))
    rows = list(carried)
    units = step.take("unit", numbers(speeds))
    for speed, unit in enumerate(units):
        rows = _joined(rows, unit, step.take(f"added_{speed}", numbers(size)))
    step.give("carried", numbers(size), rows)
    return step.step()


def momentum_step(name: str, own: RowConstants, width: int) -> RolledStep:
    """The momentum of a subtree in unit motion along a column, at the place of that speed."""
    step = StepBuilder(
        f"{name}_momentum_by_{width}",
        "Momentum of a subtree in unit motion along a column, at its place in rows.",
        width,
        ("carried", "unit"),
    )
    unit, rows = step.take("unit", NUMBER), step.take("carried", numbers(SPATIAL_FORCE.size))
    step.give("carried", numbers(SPATIAL_FORCE.size), _joined(rows, unit, _momentum(step, own)))
    return step.step()


def lone_momentum_step(name: str, own: RowConstants) -> RolledStep:
    """The same of one speed that is alone."""
    step = StepBuilder(
        f"{name}_lone_momentum", "Momentum of a subtree in unit motion along a column."
    )
    step.give("carried", numbers(SPATIAL_FORCE.size), _momentum(step, own))
    return step.step()


def _momentum(step: StepBuilder, own: RowConstants) -> Sequence[Expression]:
    (axis,) = axes_of_link(step, own, 1)
    return list(SPATIAL_FORCE.write(step.take("composite", INERTIA) @ axis))


def _joined(
    rows: Sequence[Expression], unit: Expression, values: Sequence[Expression]
) -> list[Expression]:
    return [row + unit * value for row, value in zip(rows, values, strict=True)]


@cache
def shift_step(width: int) -> RolledStep:
    """Wrenches, about the origin of the parent."""
    step = StepBuilder(
        f"shift_by_{width}", "Wrenches, about the origin of the parent.", width, ("carried",)
    )
    arm, wrenches = step.take("arm", VECTOR), step.take("carried", SPATIAL_FORCE)
    step.give("carried", SPATIAL_FORCE, _shifted(wrenches, arm))
    return step.step()


@cache
def shift_pairs_step(width: int) -> RolledStep:
    """Pairs, seen from the parent."""
    step = StepBuilder(
        f"shift_pairs_by_{width}", "Pairs of speeds, seen from the parent.", width, ("carried",)
    )
    arm, pairs = step.take("arm", VECTOR), step.take("carried", ASCENT)
    by_q, by_u = _shifted(pairs.by_q, arm), _shifted(pairs.by_u, arm)
    momentum = _shifted(pairs.momentum, arm)
    step.give("carried", ASCENT, WrenchAscent(by_q, by_u, momentum, pairs.coriolis))
    return step.step()


def _shifted(force: ForceVector, r: Vector) -> ForceVector:
    """f, h + r x f: sums of two products onto what is there, one after the other."""
    f, h = force.linear, force.angular
    moment = Vector(
        h.x + r.y * f.z - r.z * f.y, h.y + r.z * f.x - r.x * f.z, h.z + r.x * f.y - r.y * f.x
    )
    return type(force)(linear=f, angular=moment)


def meet_step(name: str, own: RowConstants, width: int) -> RolledStep:
    """S^T of wrenches."""
    step = StepBuilder(
        f"{name}_meet_by_{width}", "Force of wrenches along a column.", width, ("carried", "force")
    )
    (s,) = axes_of_link(step, own, 1)
    step.give("force", NUMBER, s.dot(step.take("carried", SPATIAL_FORCE)))
    return step.step()


def meet_pairs_step(
    name: str, own: RowConstants, width: int, *, with_force: bool = True
) -> RolledStep:
    """Derivatives of pairs: of the force along a column by others, and of theirs by its motion;
    `with_force` the mass matrix too."""
    outputs = ("row_q", "row_u", "column_q", "column_u", *["force"] * with_force)
    step = StepBuilder(
        f"{name}_meet_{'pairs' if with_force else 'changes'}_by_{width}",
        "Derivatives between a speed and those in rows.",
        width,
        ("carried", *outputs),
    )
    (s,) = axes_of_link(step, own, 1)
    pairs, changes = step.take("carried", ASCENT), step.take("partials", PARTIALS)
    values = [*pairs.on(s), *pairs.by(ColumnChange(s, *changes))]
    if with_force:
        values.append(s.dot(pairs.momentum))
    for output, value in zip(outputs, values, strict=True):
        step.give(output, NUMBER, value)
    return step.step()
