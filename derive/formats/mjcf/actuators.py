"""Actuators: an input each, and the force that it makes on a joint, a tendon or at a site.

force = gain * c + bias with c the input, or an activation that follows it. `ctrlrange` cuts the
input off, `forcerange` the force, and `actuatorfrcrange` the sum of the forces on a joint.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy

from eomc.derive.formats.mjcf.compiled import CompiledDocument, word_of
from eomc.derive.formats.mjcf.tendons import pull_tendon
from eomc.derive.formats.numeric_pose import quaternion_matrix
from eomc.derive.language.grammar import law_symbol, speed_symbol

__all__ = ["declare_actuators"]


def declare_actuators(compiled: CompiledDocument) -> None:
    """Those whose force can be said."""
    if compiled.disabled("ACTUATION"):
        return
    on_joints: dict[int, list[tuple[str, Any, Any]]] = {}
    on_tendons: dict[int, list[tuple[str, float, Any]]] = {}
    for index in range(compiled.m.nactuator):
        if int(compiled.m.opt.disableactuator) >> int(compiled.m.actuator_group[index]) & 1:
            continue
        name, source = compiled.name("actuator", index), compiled.source("actuator", index)
        why = _refusal(compiled, index)
        if why:
            compiled.leave_out(f"actuator {name[:80]!r}", source, why)
            continue
        _tell_of_ranges(compiled, index, name, source)
        _declare(compiled, index, name, source, on_joints, on_tendons)
    for joint, forces in on_joints.items():
        _on_joint(compiled, joint, forces)
    for tendon, pulls in on_tendons.items():
        _on_tendon(compiled, tendon, pulls)
    _tell_of_other_forces(compiled)


def _refusal(compiled: CompiledDocument, index: int) -> str:
    """Reason for which no element makes this force; empty if one does."""
    m, code = compiled.m, compiled.code
    if m.actuator_gaintype[index] not in (code("mjtGain", "FIXED"), code("mjtGain", "AFFINE")):
        return "its gain is neither fixed nor affine"
    if m.actuator_biastype[index] not in (code("mjtBias", "NONE"), code("mjtBias", "AFFINE")):
        return "its bias is neither none nor affine"
    if m.actuator_dyntype[index] not in [
        code("mjtDyn", word) for word in ("NONE", "INTEGRATOR", "FILTER", "FILTEREXACT")
    ]:
        return "its activation is neither none, an integrator nor a filter"
    if m.actuator_ctrlnum[index] != 1 or m.actuator_outnum[index] != 1:
        return "it has more than one control"
    if any(
        np.any(values[index])
        for values in (
            m.actuator_armature,
            m.actuator_damping,
            m.actuator_dampingpoly,
            m.actuator_delay,
        )
    ):
        return "it has an armature, a damping or a delay of its own"
    return _place_refusal(compiled, index)


def _place_refusal(compiled: CompiledDocument, index: int) -> str:
    m, code, which = compiled.m, compiled.code, compiled.m.actuator_trntype[index]
    target = int(m.actuator_trnid[index][0])
    if which in (code("mjtTrn", "JOINT"), code("mjtTrn", "JOINTINPARENT")):
        single = m.jnt_type[target] in (code("mjtJoint", "HINGE"), code("mjtJoint", "SLIDE"))
        return "" if single else "its joint has more than one speed"
    if which == code("mjtTrn", "TENDON"):
        wraps = range(m.tendon_adr[target], m.tendon_adr[target] + m.tendon_num[target])
        types = {int(m.wrap_type[k]) for k in wraps}
        read = ({code("mjtWrap", "JOINT")}, {code("mjtWrap", "SITE")})
        return "" if types in read else "its tendon goes over pulleys or geoms"
    if which == code("mjtTrn", "SITE"):
        other = int(m.actuator_trnid[index][1])
        moves = (other >= 0 and m.site_bodyid[other] > 0) or _reads_motion(compiled, index)
        return "it measures the pose of its site" if moves else ""
    return "it acts neither on a joint, a tendon nor a site"


def _reads_motion(compiled: CompiledDocument, index: int) -> bool:
    m = compiled.m
    affine = m.actuator_gaintype[index] == compiled.code("mjtGain", "AFFINE")
    biased = m.actuator_biastype[index] == compiled.code("mjtBias", "AFFINE")
    return bool(
        (affine and m.actuator_gainprm[index][1:3].any())
        or (biased and m.actuator_biasprm[index][1:3].any())
    )


def _tell_of_ranges(compiled: CompiledDocument, index: int, name: str, source: Any) -> None:
    m = compiled.m
    if m.actuator_actlimited[index] and m.actuator_actnum[index]:
        compiled.leave_out(f"actrange of actuator {name[:80]!r}", source, "no state is cut off")
    if m.actuator_actearly[index] and m.actuator_actnum[index]:
        compiled.leave_out(f"actearly of actuator {name[:80]!r}", source, "it is of time steps")


def _tell_of_other_forces(compiled: CompiledDocument) -> None:
    """Tell of forces that `actuatorfrcrange` of a joint cuts off besides its own actuators'."""
    m, code = compiled.m, compiled.code
    own = (code("mjtTrn", "JOINT"), code("mjtTrn", "JOINTINPARENT"))
    others = any(which not in own for which in m.actuator_trntype)
    for joint in range(m.njnt):
        lifted = m.jnt_actgravcomp[joint] and m.body_gravcomp.any()
        if m.jnt_actfrclimited[joint] and (others or lifted):
            compiled.leave_out(
                f"actuatorfrcrange of joint {compiled.name('joint', joint)[:80]!r}",
                compiled.source("joint", joint),
                "it cuts off its own actuators, not tendons, sites and gravcomp",
            )


def _declare(
    compiled: CompiledDocument,
    index: int,
    name: str,
    source: Any,
    on_joints: dict[int, list[tuple[str, Any, Any]]],
    on_tendons: dict[int, list[tuple[str, float, Any]]],
) -> None:
    """Forces on joints and tendons are collected: those on one may be cut off together."""
    m, model = compiled.m, compiled.model
    taken = {"x", "v", *model.inputs, *model.states, *model.joints, *model.coordinates}
    word = word_of(name, taken)
    signal = model.input(word, description=f"control of actuator {name}"[:200], source=source)
    control = int(m.actuator_ctrladr[index])
    if m.actuator_ctrllimited[control]:
        signal = _cut(signal, m.actuator_ctrlrange[control])
    signal = _activation(compiled, index, signal, word, taken)
    length, rate = x, v = law_symbol("x"), law_symbol("v")
    force = signal * _affine(
        m.actuator_gainprm[index],
        length,
        rate,
        m.actuator_gaintype[index] == compiled.code("mjtGain", "AFFINE"),
    )
    if m.actuator_biastype[index] == compiled.code("mjtBias", "AFFINE"):
        force += _affine(m.actuator_biasprm[index], length, rate, True)
    if m.actuator_forcelimited[index]:
        force = _cut(force, m.actuator_forcerange[index])
    which = m.actuator_trntype[index]
    target, gear = int(m.actuator_trnid[index][0]), [float(g) for g in m.actuator_gear[index]]
    own = force.subs({x: gear[0] * x, v: gear[0] * v}, simultaneous=True)
    scaled = gear[0] * own
    if which == compiled.code("mjtTrn", "TENDON"):
        on_tendons.setdefault(target, []).append((name, gear[0], own))
    elif which == compiled.code("mjtTrn", "SITE"):
        _at_site(compiled, target, int(m.actuator_trnid[index][1]), name, force, gear)
    else:
        at = {x: compiled.coordinate(target), v: speed_symbol(compiled.name("joint", target))}
        found = (name, scaled.subs(at, simultaneous=True), source)
        on_joints.setdefault(target, []).append(found)


def _on_joint(compiled: CompiledDocument, joint: int, forces: list[tuple[str, Any, Any]]) -> None:
    """A generalized force each, or one where their sum is cut off."""
    m, model, name = compiled.m, compiled.model, compiled.name("joint", joint)
    if m.jnt_actfrclimited[joint]:
        total = sum((force for _, force, _ in forces), sympy.Integer(0))
        forces = [
            (
                f"{name}_actuators",
                _cut(total, m.jnt_actfrcrange[joint]),
                compiled.source("joint", joint),
            )
        ]
    for own, force, source in forces:
        model.generalized_force(
            compiled.unused(model.generalized_forces, own),
            speed=name,
            expression=force,
            source=source,
        )


def _on_tendon(
    compiled: CompiledDocument, tendon: int, forces: list[tuple[str, float, Any]]
) -> None:
    """A pull each, gear times force, or one where the sum of the forces before the gear is cut off;
    a positive force lengthens."""
    m, tendon_name = compiled.m, compiled.name("tendon", tendon)
    gears = {gear for _, gear, _ in forces}
    if m.tendon_actfrclimited[tendon] and len(gears) == 1:
        total = sum((force for _, _, force in forces), sympy.Integer(0))
        total = _cut(total, m.tendon_actfrcrange[tendon])
        forces = [(f"{tendon_name}_actuators", gears.pop(), total)]
    elif m.tendon_actfrclimited[tendon]:
        what, why = f"actuatorfrcrange of tendon {tendon_name[:80]!r}", "its motors differ in gear"
        compiled.leave_out(what, compiled.source("tendon", tendon), why)
    for name, gear, force in forces:
        pull_tendon(compiled, tendon, name, -gear * force)


def _cut(value: Any, limits: Any) -> Any:
    """The value, or the limit beyond which it is; MuJoCo does not compare them."""
    low, high = (float(limit) for limit in limits)
    return sympy.Max(sympy.Min(value, high), low)


def _affine(parameters: Any, length: sympy.Symbol, rate: sympy.Symbol, affine: bool) -> Any:
    constant, slope, damping = (float(value) for value in parameters[:3])
    return constant + slope * length + damping * rate if affine else sympy.sympify(constant)


def _activation(
    compiled: CompiledDocument, index: int, signal: Any, word: str, taken: set[str]
) -> Any:
    """act' = c, or (c - act)/T, where the actuator has one."""
    m, code = compiled.m, compiled.code
    kind = m.actuator_dyntype[index]
    if kind == code("mjtDyn", "NONE"):
        return signal
    act = sympy.Symbol(word_of(f"{word}_activation", {*taken, word}))
    constant = max(float(m.actuator_dynprm[index][0]), 1e-15)
    rate = signal if kind == code("mjtDyn", "INTEGRATOR") else (signal - act) / constant
    compiled.model.state(act.name, rate=rate, source=compiled.source("actuator", index))
    return act


def _at_site(
    compiled: CompiledDocument, site: int, other: int, name: str, force: Any, gear: list[float]
) -> None:
    """The gear is a force and a moment in the axes of the site, or of another one on the world."""
    m, model, source = compiled.m, compiled.model, compiled.source("site", site)
    axes = quaternion_matrix(m.site_quat[site if other < 0 else other])
    frame = "body" if other < 0 else "world"
    at = compiled.site(site)
    pull, turn = axes @ gear[:3], axes @ gear[3:]
    if pull.any():
        model.force(
            compiled.unused(model.forces, name),
            at=at,
            frame=frame,
            magnitude=force,
            direction=tuple(map(float, pull)),
            source=source,
        )
    if turn.any():
        model.torque(
            compiled.unused(model.torques, name),
            body=at.body,
            frame=frame,
            magnitude=force,
            direction=tuple(map(float, turn)),
            source=source,
        )
