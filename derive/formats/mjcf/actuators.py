"""Actuators: an input each, and the force that it makes on a joint, a tendon or at a site.

force = gain * c + bias with c the input, or an activation that follows it; ranges are data, as
limits are everywhere: nothing is cut off.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy

from eomc.derive.formats.mjcf.compiled import Compiled, word_of
from eomc.derive.formats.mjcf.tendons import pull_tendon
from eomc.derive.formats.numeric_pose import quaternion_matrix
from eomc.derive.language.grammar import speed_symbol

__all__ = ["declare_actuators"]


def declare_actuators(compiled: Compiled) -> None:
    """Those whose force can be said."""
    for index in range(compiled.m.nactuator):
        name, source = compiled.name("actuator", index), compiled.source("actuator", index)
        why = _refusal(compiled, index)
        if why:
            compiled.leave_out(f"actuator {name[:80]!r}", source, why)
            continue
        _declare(compiled, index, name, source)


def _refusal(compiled: Compiled, index: int) -> str:
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
        return "it has an armature, a damping or a delay of its own"  # fmt: skip
    return _place_refusal(compiled, index)


def _place_refusal(compiled: Compiled, index: int) -> str:
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
        moves = m.actuator_trnid[index][1] >= 0 or _reads_motion(compiled, index)
        return "it measures the pose of its site" if moves else ""
    return "it acts neither on a joint, a tendon nor a site"


def _reads_motion(compiled: Compiled, index: int) -> bool:
    m = compiled.m
    affine = m.actuator_gaintype[index] == compiled.code("mjtGain", "AFFINE")
    biased = m.actuator_biastype[index] == compiled.code("mjtBias", "AFFINE")
    return bool(
        (affine and m.actuator_gainprm[index][1:3].any())
        or (biased and m.actuator_biasprm[index][1:3].any())
    )


def _declare(compiled: Compiled, index: int, name: str, source: Any) -> None:
    m, model = compiled.m, compiled.model
    # x and v are the length and its rate in laws.
    word = word_of(name, {"x", "v", *model.inputs, *model.states, *model.joints})
    signal = model.input(word, description=f"control of actuator {name}"[:200], source=source)
    signal = _activation(compiled, index, signal, source)
    length, rate = sympy.symbols("x v")
    force = signal * _affine(
        m.actuator_gainprm[index], length, rate,
        m.actuator_gaintype[index] == compiled.code("mjtGain", "AFFINE"),
    )  # fmt: skip
    if m.actuator_biastype[index] == compiled.code("mjtBias", "AFFINE"):
        force += _affine(m.actuator_biasprm[index], length, rate, True)
    which = m.actuator_trntype[index]
    target, gear = int(m.actuator_trnid[index][0]), [float(g) for g in m.actuator_gear[index]]
    x, v = sympy.symbols("x v")
    scaled = gear[0] * force.subs({x: gear[0] * x, v: gear[0] * v}, simultaneous=True)
    if which == compiled.code("mjtTrn", "TENDON"):
        # A positive force lengthens.
        pull_tendon(compiled, target, name, -scaled)
    elif which == compiled.code("mjtTrn", "SITE"):
        _at_site(compiled, target, name, force, gear)
    else:
        joint = compiled.name("joint", target)
        expression = scaled.subs({x: sympy.Symbol(joint), v: speed_symbol(joint)})
        model.generalized_force(
            compiled.unused(model.generalized_forces, name), speed=joint, expression=expression,
            source=source,
        )  # fmt: skip


def _affine(parameters: Any, length: sympy.Symbol, rate: sympy.Symbol, affine: bool) -> Any:
    constant, slope, damping = (float(value) for value in parameters[:3])
    return constant + slope * length + damping * rate if affine else sympy.sympify(constant)


def _activation(compiled: Compiled, index: int, signal: sympy.Symbol, source: Any) -> sympy.Symbol:
    """act' = c, or (c - act)/T, where the actuator has one."""
    m, code = compiled.m, compiled.code
    kind = m.actuator_dyntype[index]
    if kind == code("mjtDyn", "NONE"):
        return signal
    act = sympy.Symbol(f"{signal.name}_activation")
    constant = max(float(m.actuator_dynprm[index][0]), 1e-15)
    rate = signal if kind == code("mjtDyn", "INTEGRATOR") else (signal - act) / constant
    compiled.model.state(act.name, rate=rate, source=source)
    return act


def _at_site(compiled: Compiled, site: int, name: str, force: Any, gear: list[float]) -> None:
    """The gear is a force and a moment in the axes of the site."""
    m, model, source = compiled.m, compiled.model, compiled.source("site", site)
    axes = quaternion_matrix(m.site_quat[site])
    at = compiled.site(site)
    pull, turn = axes @ gear[:3], axes @ gear[3:]
    if pull.any():
        model.force(
            compiled.unused(model.forces, name), at=at, frame="body", magnitude=force,
            direction=tuple(map(float, pull)), source=source,
        )  # fmt: skip
    if turn.any():
        model.torque(
            compiled.unused(model.torques, name), body=at.body, frame="body", magnitude=force,
            direction=tuple(map(float, turn)), source=source,
        )  # fmt: skip
