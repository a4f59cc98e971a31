"""Theo Jansen's leg: one crank and seven links make a foot that walks.

The path of the tip is flat below and high on its way back. The leg has three loops and one degree
of freedom. Apply a torque to the crank, or move it with its slider.
"""

from math import acos, atan2, cos, hypot, sin

import eomc

AXIS = (0, -1, 0)  # angles grow from x to z


def third(p, q, a, b, side):
    """The point at the distances a from p and b from q, on the left (1) or right (-1) of pq."""
    d = hypot(q[0] - p[0], q[1] - p[1])
    turned = atan2(q[1] - p[1], q[0] - p[0]) + side * acos((a * a + d * d - b * b) / (2 * a * d))
    return p[0] + a * cos(turned), p[1] + a * sin(turned)


# The published lengths, here in decimetres: pivot B is fixed, the crank's is the origin.
ORIGIN, B, pin = (0.0, 0.0), (-3.8, -0.78), (1.5, 0.0)
P = third(B, pin, 4.15, 5.0, 1)
Q = third(B, P, 4.01, 5.58, 1)
R = third(B, pin, 3.93, 6.19, -1)
S = third(Q, R, 3.94, 3.67, -1)
foot = third(S, R, 6.57, 4.9, -1)

model = eomc.Model("jansen_leg")
links = {
    "crank": (ORIGIN, pin),
    "upper": (pin, P),
    "rocker": (B, P, Q),
    "side": (Q, S),
    "lower": (B, R),
    "brace": (pin, R),
    "leg": (R, S, foot),
}
for name, (base, *ends) in links.items():
    # All bodies' axes are the world's where the crank points along x: all angles are zero there.
    local = [(0.1 * (x - base[0]), 0, 0.1 * (z - base[1])) for x, z in ends]
    middle = tuple(sum(p[k] for p in local) / (len(local) + 1) for k in range(3))
    model.body(name, mass=0.1 * len(ends), com=middle, inertia=(1e-4, 2e-3, 2e-3))
    corners = [(0, 0, 0), *local, (0, 0, 0)] if len(local) > 1 else [(0, 0, 0), *local]
    model.visual(name, body=name, shape={"kind": "line", "points": corners, "radius": 0.012})


def pinned(name, parent, child, at, cut=False):
    """A hinge at a point of the plane."""
    places = [
        (0.1 * (at[0] - base[0]), 0, 0.1 * (at[1] - base[1]))
        for base in (links[body][0] if body != "world" else ORIGIN for body in (parent, child))
    ]
    model.joint(
        name,
        "revolute",
        parent=parent,
        child=child,
        axis=AXIS,
        cut=cut,
        placement=places[0],
        child_placement=places[1],
    )


pinned("crank", "world", "crank", ORIGIN)
pinned("upper", "crank", "upper", pin)
pinned("rocker", "world", "rocker", B)
pinned("knee", "upper", "rocker", P, cut=True)
pinned("side", "rocker", "side", Q)
pinned("lower", "world", "lower", B)
pinned("brace", "crank", "brace", pin)
pinned("leg", "lower", "leg", R)
pinned("heel", "brace", "lower", R, cut=True)
pinned("ankle", "side", "leg", S, cut=True)
model.frame("foot", body="leg", placement=(0.1 * (foot[0] - R[0]), 0, 0.1 * (foot[1] - R[1])))
start = {"u": {"crank": 5.0}}
