"""Switches of <option>: what the file switches off is taken out of the compiled numbers."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.formats.mjcf.compiled import CompiledDocument

__all__ = ["apply_switches"]

#: Numbers of the compiled document that a switch sets to zero. What holds by constraints goes with
#: "CONSTRAINT" too.
_CONSTRAINTS: dict[str, Sequence[str]] = {
    "FRICTIONLOSS": ("dof_frictionloss", "tendon_frictionloss"),
    "LIMIT": ("jnt_limited", "tendon_limited"),
    "CONTACT": ("geom_contype", "geom_conaffinity"),
}
_FORCES: dict[str, Sequence[str]] = {
    "SPRING": (
        *("jnt_stiffness", "jnt_stiffnesspoly"),
        *("tendon_stiffness", "tendon_stiffnesspoly"),
    ),
    "DAMPER": (
        *("dof_damping", "dof_dampingpoly", "tendon_damping", "tendon_dampingpoly"),
        *("actuator_damping", "actuator_dampingpoly"),
    ),
    "CLAMPCTRL": ("actuator_ctrllimited",),
    "GRAVITY": ("body_gravcomp",),
}


def apply_switches(compiled: CompiledDocument) -> None:
    """<flag ...="disable">; actuators and equalities are left out where they are declared."""
    m = compiled.m
    for switch, numbers in {**_CONSTRAINTS, **_FORCES}.items():
        if compiled.disabled(switch) or (
            switch in _CONSTRAINTS and compiled.disabled("CONSTRAINT")
        ):
            for name in numbers:
                getattr(m, name)[:] = 0
    if compiled.disabled("SPRING") and compiled.disabled("DAMPER"):
        # MuJoCo then computes no passive force at all.
        m.body_gravcomp[:] = 0
        m.opt.density = m.opt.viscosity = 0
    if compiled.disabled("GRAVITY"):
        m.opt.gravity[:] = 0
