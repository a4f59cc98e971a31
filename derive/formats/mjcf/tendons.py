"""Tendons: sums of coordinates with springs, and cables through sites."""

from __future__ import annotations

from typing import Any

import sympy

from eomc.derive.formats.mjcf.compiled import CompiledDocument
from eomc.derive.language.grammar import bare_name, law_symbol, speed_symbol

__all__ = ["declare_tendons", "fixed_length", "pull_tendon"]


def declare_tendons(compiled: CompiledDocument) -> None:
    """Springs and dampers along tendons; a tendon without them acts by its actuators alone."""
    m = compiled.m
    for index in range(m.ntendon):
        name, source = compiled.name("tendon", index), compiled.source("tendon", index)
        if m.tendon_limited[index]:
            compiled.leave_out(f"limits of tendon {name[:80]!r}", source, "declare a tether")
        for what, values in (
            ("springyield", m.tendon_springyield),
            ("dry friction", m.tendon_frictionloss),
            ("armature", m.tendon_armature),
            ("stiffness beyond the linear", m.tendon_stiffnesspoly),
            ("damping beyond the linear", m.tendon_dampingpoly),
        ):
            if values[index].any():
                compiled.leave_out(f"{what} of tendon {name[:80]!r}", source, "no element has it")
        stiffness, damping = float(m.tendon_stiffness[index]), float(m.tendon_damping[index])
        if stiffness or damping:
            low, high = (float(value) for value in m.tendon_lengthspring[index])
            pulls = _pull(stiffness, damping, low, high)
            if not pull_tendon(compiled, index, name, pulls):
                compiled.leave_out(
                    f"tendon {name[:80]!r}",
                    source,
                    "cables go through sites, without pulleys and geoms",
                )


def _pull(stiffness: float, damping: float, low: float, high: float) -> Any:
    """Tension [N or N m] in the length x and its rate v; none between `low` and `high`."""
    x, v = law_symbol("x"), law_symbol("v")
    if low == high:
        stretch: Any = x - low
    else:
        stretch = sympy.Max(x - high, 0) - sympy.Max(low - x, 0)
    return stiffness * stretch + damping * v


def fixed_length(compiled: CompiledDocument, index: int) -> Any:
    """Length of a tendon that is a sum of coordinates, or None."""
    m = compiled.m
    wraps = range(m.tendon_adr[index], m.tendon_adr[index] + m.tendon_num[index])
    if any(m.wrap_type[k] != compiled.code("mjtWrap", "JOINT") for k in wraps):
        return None
    return sum(
        (float(m.wrap_prm[k]) * compiled.coordinate(m.wrap_objid[k]) for k in wraps),
        sympy.Integer(0),
    )


def pull_tendon(compiled: CompiledDocument, index: int, name: str, pull: Any) -> bool:
    """Declare that a tendon pulls with `pull`, in its length x and its rate v, inputs and states.

    False for a way that no cable takes.
    """
    m, model, source = compiled.m, compiled.model, compiled.source("tendon", index)
    length = fixed_length(compiled, index)
    x, v = law_symbol("x"), law_symbol("v")
    if length is not None:
        moving = sorted(length.free_symbols, key=str)
        slopes = {bare_name(q.name): length.coeff(q) for q in moving}
        rate = sum((slope * speed_symbol(q) for q, slope in slopes.items()), sympy.Integer(0))
        force = sympy.sympify(pull).subs({x: length, v: rate}, simultaneous=True)
        for number, (joint, slope) in enumerate(slopes.items(), 1):
            model.generalized_force(
                compiled.unused(model.generalized_forces, f"{name}_{number}"),
                speed=joint,
                expression=-slope * force,
                source=source,
            )
        return True
    wraps = range(m.tendon_adr[index], m.tendon_adr[index] + m.tendon_num[index])
    if any(m.wrap_type[k] != compiled.code("mjtWrap", "SITE") for k in wraps):
        return False
    # A cable's law is in its strain: length = rest (1 + x), rate = rest v.
    rest = float(m.tendon_length0[index])
    own = {x: x, v: v}
    if not {"x", "v"} & set(model.coordinates):
        own = dict(zip(own, sympy.symbols("x v"), strict=True))
    law = sympy.sympify(pull).subs({x: rest * (1 + own[x]), v: rest * own[v]}, simultaneous=True)
    route = [compiled.site(m.wrap_objid[k]) for k in wraps]
    model.cable(
        compiled.unused(model.cables, name), route=route, length=rest, law=law, source=source
    )
    return True
