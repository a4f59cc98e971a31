"""Equalities: points that are one, bodies that are welded, joints that follow a polynomial.

Most hold where the file draws its bodies: the coordinates there are the guesses from which loops
are closed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy

from eomc.derive.formats.mjcf.compiled import CompiledDocument
from eomc.derive.formats.numeric_pose import quaternion_matrix

__all__ = ["declare_equalities"]


def declare_equalities(compiled: CompiledDocument) -> None:
    """Those that are active; MuJoCo's are stiff springs, ours hold exactly."""
    if compiled.disabled("EQUALITY", "CONSTRAINT"):
        return
    code = compiled.code
    kinds = {
        code("mjtEq", "CONNECT"): _connect,
        code("mjtEq", "WELD"): _weld,
        code("mjtEq", "JOINT"): _coupling,
        code("mjtEq", "TENDON"): _tendon,
    }
    for index in range(compiled.m.neq):
        name, source = compiled.name("equality", index), compiled.source("equality", index)
        declare = kinds.get(int(compiled.m.eq_type[index]))
        if not compiled.m.eq_active0[index]:
            compiled.leave_out(f"equality {name[:80]!r}", source, "it is not active")
        elif declare is None or not declare(compiled, index, name):
            compiled.leave_out(
                f"equality {name[:80]!r}", source, "connect, weld and joint are read"
            )
        else:
            _guess(compiled)


def _guess(compiled: CompiledDocument) -> None:
    """Coordinates where the file draws the bodies, as far as they are not neutral."""
    m, model = compiled.m, compiled.model
    for joint in range(m.njnt):
        coordinates = model.joints[compiled.name("joint", joint)].coordinates
        start = int(m.jnt_qposadr[joint])
        neutral = f"{compiled.name('joint', joint)}_qw" if len(coordinates) > 1 else None
        for name, value in zip(coordinates, m.qpos0[start : start + len(coordinates)], strict=True):
            if value != (name == neutral) and name not in model.initial_guesses:
                model.initial_guess(
                    name, value=float(value), source=compiled.source("joint", joint)
                )


def _ends(compiled: CompiledDocument, index: int) -> tuple[int, int, bool]:
    m = compiled.m
    by_sites = m.eq_objtype[index] == compiled.code("mjtObj", "SITE")
    return int(m.eq_obj1id[index]), int(m.eq_obj2id[index]), bool(by_sites)


def _connect(compiled: CompiledDocument, index: int, name: str) -> bool:
    first, second, by_sites = _ends(compiled, index)
    data = compiled.m.eq_data[index]
    a = compiled.site(first) if by_sites else compiled.point(first, data[0:3])
    b = compiled.site(second) if by_sites else compiled.point(second, data[3:6])
    compiled.model.constraint(
        name, "coincident", a=a, b=b, source=compiled.source("equality", index)
    )
    return True


def _weld(compiled: CompiledDocument, index: int, name: str) -> bool:
    """A fixed joint that closes a loop: anchor and relative pose are data[0:3] in the second body,
    data[3:6] and the quaternion data[6:10] in the first."""
    m = compiled.m
    first, second, by_sites = _ends(compiled, index)
    if by_sites:
        bodies = m.site_bodyid[first], m.site_bodyid[second]
        place = compiled.placement(m.site_pos[first], m.site_quat[first])
        other = compiled.placement(m.site_pos[second], m.site_quat[second])
    else:
        bodies, data = (first, second), m.eq_data[index]
        # data[3:6] is the place in the first body of what stands at data[0:3] in the second.
        place = compiled.placement(data[3:6], quaternion_matrix(data[6:10]))
        other = compiled.placement(data[0:3], np.eye(3))
    joint = compiled.unused(compiled.model.joints, name)
    compiled.model.joint(
        joint,
        "fixed",
        parent=compiled.name("body", bodies[0]),
        child=compiled.name("body", bodies[1]),
        placement=place,
        child_placement=other,
        cut=True,
        source=compiled.source("equality", index),
    )
    return True


def _coupling(compiled: CompiledDocument, index: int, name: str) -> bool:
    """q1 - q1_0 = polynomial of degree four in q2 - q2_0."""
    m = compiled.m
    first, second, _ = _ends(compiled, index)
    coefficients = [float(value) for value in m.eq_data[index][:5]]
    q1 = compiled.coordinate(first)
    drawn = float(m.qpos0[m.jnt_qposadr[first]])
    law: Any = sympy.Float(drawn) + coefficients[0]
    if second >= 0:
        q2 = compiled.coordinate(second)
        away = q2 - float(m.qpos0[m.jnt_qposadr[second]])
        law = drawn + sum(c * away**k for k, c in enumerate(coefficients) if c)
    compiled.model.constraint(
        name, "expression", expression=q1 - law, source=compiled.source("equality", index)
    )
    return True


def _tendon(compiled: CompiledDocument, index: int, name: str) -> bool:
    """Of fixed tendons: a polynomial between two sums of coordinates."""
    from eomc.derive.formats.mjcf.tendons import fixed_length

    m = compiled.m
    first, second, _ = _ends(compiled, index)
    one = fixed_length(compiled, first)
    other = fixed_length(compiled, second) if second >= 0 else sympy.Integer(0)
    if one is None or other is None:
        return False
    coefficients = [float(value) for value in m.eq_data[index][:5]]
    rest = float(m.tendon_length0[second]) if second >= 0 else 0.0
    away = other - rest
    law = sum(c * away**k for k, c in enumerate(coefficients) if c)
    expression = one - float(m.tendon_length0[first]) - law
    compiled.model.constraint(
        name, "expression", expression=expression, source=compiled.source("equality", index)
    )
    return True
