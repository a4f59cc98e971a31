"""Variants of a model: another base, locked joints, freed mimic joints, losses left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from eomc.derive.fields.field import is_required
from eomc.derive.joints.joint import Joint
from eomc.derive.joints.joint_declaration import lock_values
from eomc.derive.joints.joint_kind import joint_kind, joint_kinds
from eomc.derive.language.errors import ModelError
from eomc.derive.language.naming import WORLD
from eomc.derive.language.near_names import near_names
from eomc.derive.model.model import Model

__all__ = ["with_base", "with_joints_locked", "with_options"]


def with_options(
    model: Model,
    *,
    base: str | None = None,
    locked: Iterable[str] | Mapping[str, Any] | None = None,
    mimic: bool = True,
    damping: bool = True,
    friction: bool = True,
) -> Model:
    """A copy of `model` with the options of `eomc.load` applied; they are explained there.

    >>> model = Model("buoy")
    >>> model.body("hull", mass=1, inertia=(1, 1, 1))
    >>> with_options(model, base="floating").speeds
    ('root_vx', 'root_vy', 'root_vz', 'root_wx', 'root_wy', 'root_wz')

    Raises `ModelError` for options that do not apply.
    """
    for word, flag in (("mimic", mimic), ("damping", damping), ("friction", friction)):
        if not isinstance(flag, bool):
            raise ModelError(f"{word} is {flag!r}; give True or False")
    given = _moving(model)
    model = with_base(model, base) if base is not None else model.copy()
    changes: dict[str, Any] = {}
    if not mimic:
        changes["mimic"] = None
    for joint in model.joints.values():
        zeros = (0,) * len(joint.speeds)
        changes |= ({} if damping else {"damping": zeros}) | (
            {} if friction else {"friction": zeros}
        )
        model.joints[joint.name] = replace(joint, **changes)
    found = with_joints_locked(model, locked)
    for name in (given - _moving(found)) & set(found.initial_guesses):
        del found.initial_guesses[name]
    return found


def _moving(model: Model) -> set[str]:
    """Coordinates that are not locked."""
    free = [joint for joint in model.joints.values() if joint.locked is None]
    return {name for joint in free for name in joint.coordinates}


def with_joints_locked(model: Model, locked: Iterable[str] | Mapping[str, Any] | None) -> Model:
    """A copy with joints frozen: names (at neutral), or a mapping of names to values."""
    model = model.copy()
    if locked is None:
        return model
    if isinstance(locked, str):
        locked = [locked]
    if not isinstance(locked, Iterable):
        raise ModelError("locked: give names of joints, or a mapping of names to values")
    values = dict(locked) if isinstance(locked, Mapping) else dict.fromkeys(locked, True)
    for name, value in values.items():
        joint = model.joints.get(name) if isinstance(name, str) else None
        if joint is None:
            movable = [joint.name for joint in model.joints.values() if joint.coordinates]
            raise ModelError(
                f"locked: unknown joint {str(name)[:80]!r}; {near_names(str(name), movable)}",
                model.source,
            )
        try:
            given = lock_values(joint, value)
        except ModelError as error:
            raise error.within(f"locked joint {name!r}", joint.source) from None
        if given is not None:
            model.joints[name] = replace(joint, locked=given, mimic=None)
    # What mimics a locked joint stands still with it.
    model.joints = {
        name: resolved if (resolved := model.resolved(name)).is_fixed else joint
        for name, joint in model.joints.items()
    }
    return model


def with_base(model: Model, base: str) -> Model:
    """A copy whose root body is welded to the world ("fixed") or moves freely ("floating", turning
    by a quaternion, or "floating_euler", by three angles).

    A root body without joint gets one named "root"; a weld to the world becomes a floating joint or
    the other way round. Raises `ModelError` if that does not apply.
    """
    bases = {name: joint_kind(name) for name in joint_kinds() if joint_kind(name).is_base}
    if base not in bases:
        raise ModelError(f"base is {base!r}; valid: {', '.join(map(repr, bases))}", model.source)
    model = model.copy()
    held = {joint.child for joint in model.joints.values()}
    loose = [name for name in model.bodies if name not in held]
    if len(loose) > 1:
        shown = ", ".join(map(repr, loose[:5]))
        raise ModelError(f"bodies {shown} have no parent joint; one body is the root", model.source)
    if loose:
        taken = set[str]().union(*(j.declaration.names(j.name) for j in model.joints.values()))
        names = (f"root_joint{k}" if k > 1 else ("root", "root_joint")[k] for k in count())
        name = next(name for name in names if not bases[base].names(name) & taken)
        root = Joint(name, base, WORLD, loose[0], source=model.bodies[loose[0]].source)
        # The root joint leads: its coordinates come first.
        model.joints = {name: _with_losses(root), **model.joints}
        return model
    roots = [joint for joint in model.joints.values() if joint.parent == WORLD]
    if bases[base].is_immobile:
        for joint in roots:
            if joint.declaration.is_free:
                model.joints[joint.name] = _rebased(joint, base)
        return model
    if len(roots) == 1 and roots[0].kind == base:
        return model
    held_by = roots[0].declaration if len(roots) == 1 else None
    if held_by is None or not (held_by.is_immobile or held_by.is_free):
        shown = ", ".join(f"{joint.name!r} ({joint.kind})" for joint in roots[:5]) or "no joint"
        raise ModelError(
            f"base {base!r} frees the one body that is welded to the world; from the world there "
            f"leads {shown}; weld one body, or declare its floating joint in the model",
            model.source,
        )
    model.joints[roots[0].name] = _rebased(roots[0], base)
    return model


def _rebased(joint: Joint, kind: str) -> Joint:
    return _with_losses(
        Joint(
            joint.name,
            kind,
            joint.parent,
            joint.child,
            placement=joint.placement,
            child_placement=joint.child_placement,
            source=joint.source,
        )
    )


def _with_losses(joint: Joint) -> Joint:
    """With the losses and the arguments that a joint of its kind has by default."""
    zeros = (0,) * len(joint.speeds)
    arguments: dict[str, Any] = {
        word: None if is_required(entry) else entry.default
        for word, entry in joint.declaration.arguments.items()
    }
    return replace(joint, damping=zeros, friction=zeros, **arguments)
