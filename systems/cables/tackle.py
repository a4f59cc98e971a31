"""Block and tackle: a load on n parts of one cable, over sheaves with friction.

All parts are vertical, side by side, so that the cable turns by pi on each sheave. With the ratio
rho = exp(mu pi) a sheave makes the effort for a weight W, by Euler and Eytelwein,

    F/W = (rho - 1) rho^n/(rho^n - 1)  to raise it,     (rho - 1)/(rho (rho^n - 1))  to lower it.
"""

from __future__ import annotations

from typing import Any

from eomc.derive.model import Model, ModelError, Point

__all__ = ["tackle"]


def tackle(
    parts: int,
    *,
    friction: float = 0.1,
    load: float = 100.0,
    radius: float = 0.1,
    height: float = 3.0,
    modulus: float = 1e9,
    slip_speed: float = 1e-3,
) -> Model:
    """A load that hangs on `parts` of the cable; the effort pulls the ``hand`` down.

    Coordinates ``load`` and ``hand`` [m], both upward from where the load is `height` under the
    upper block, and the hand as far.

    Parameters
    ----------
    parts : number of parts between the blocks, at least 1; the dead end is at the upper block if it
        is even, else at the load
    friction : coefficient between cable and sheaves
    load : mass [kg]; the hand has 1 kg
    radius : of all sheaves [m]
    modulus : of the cable [Pa], with the section 1e-4 m^2; its rest length is the length at zero
    slip_speed : at which friction is established [m/s]

    >>> [station.word for station in tackle(2).cables["rope"].route]
    ['eyelet', 'pulley', 'pulley', 'eyelet']
    """
    if isinstance(parts, bool) or not isinstance(parts, int) or parts < 1:
        raise ModelError(f"parts is {parts!r}; give a whole number, at least 1")
    model = Model(f"tackle_{parts}")
    for name, mass in (("load", load), ("hand", 1.0)):
        model.body(name, mass=mass)
        model.joint(
            name, "prismatic", parent="world", child=name, axis=(0, 0, 1), placement=(0, 0, -height)
        )
    # Part k hangs at x = 2 r k, the sheave behind it stands r further; the blocks take turns.
    lower = parts % 2 == 1
    route: list[Any] = [_at(lower, 0)]
    for k in range(parts):
        lower = not lower
        route.append(
            {
                "kind": "pulley",
                "at": _at(lower, (2 * k + 1) * radius),
                "axis": (0, 1, 0),
                "radius": radius,
                "sense": -1 if lower else 1,
                "friction": friction,
            }
        )
    route.append(Point("hand", (2 * radius * parts, 0, 0)))
    length = (parts + 1) * height + parts * 3.141592653589793 * radius
    model.cable("rope", route, length=length, modulus=modulus, area=1e-4, slip_speed=slip_speed)
    return model


def _at(lower: bool, x: float) -> Point:
    return Point("load" if lower else "world", (x, 0, 0))
