"""Friction where a cable turns: the ratio of the tensions of the spans beside the bend.

Over a bend of the angle alpha on which it slides (Euler and Eytelwein), with
phi = v/sqrt(v^2 + v_s^2) of the speed v at which it is drawn to the side before,

    F_before/F_after = exp(mu alpha phi).

On a pulley that turns in a bearing of the radius r_b, with friction mu_b N of the force N on the
bearing, N^2 = F1^2 + F2^2 - 2 F1 F2 cos(alpha), and (F_before - F_after) r = mu_b r_b N phi: with
kappa = mu_b r_b/r phi and F_before/F_after = exp(s)

    cosh(s) = (1 - kappa^2 cos(alpha))/(1 - kappa^2),
    sinh(s/2) = kappa sin(alpha/2)/sqrt(1 - kappa^2).

Both reverse smoothly, and tensions keep their sign.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.cables.path import Path
from eomc.derive.cables.rest_length import Rest
from eomc.derive.cables.station import Station
from eomc.derive.graph import Expression
from eomc.derive.language.scalar import Scalar


def rubs(route: Sequence[Station]) -> bool:
    """True if the cable slides with friction at a station between its ends."""
    return any(station.rubs() for station in route[1:-1])


def ratios(path: Path, rest: Rest, slip_speed: Scalar) -> list[Expression]:
    """Tension of each span over their mean, weighted by length."""
    scene, one = path.scene, path.scene.tree.zero + 1
    if not rubs(path.route):
        return [one] * len(path.spans)
    # The cable that comes over a bend to the spans before it.
    found, drawn = [one], -rest.paid_out_first
    inner = zip(path.route[1:-1], path.bends, path.spans[:-1], strict=True)
    for station, bend, part in inner:
        drawn = drawn + part.stretch.rate
        if not station.rubs():
            found.append(found[-1])
            continue
        slip = drawn / scene.scalar(slip_speed)
        found.append(found[-1] * station.gain(scene, bend, slip / (1 + slip * slip).sqrt()))
    total = weighted = scene.tree.zero
    for part, ratio in zip(path.spans, found, strict=True):
        total, weighted = total + part.length, weighted + ratio * part.length
    return [ratio * (total / weighted) for ratio in found]


def over_edge(friction: Expression, bend: Expression, sliding: Expression) -> Expression:
    """F_after/F_before where it slides; `sliding` is phi."""
    return (-(friction * bend * sliding)).unary("exp")


def over_bearing(kappa: Expression, bend: Expression) -> Expression:
    """F_after/F_before on a pulley that turns: exp(-s) from sinh(s/2)."""
    half = kappa * (bend / 2).sin() / (1 - kappa * kappa).sqrt()
    root = (1 + half * half).sqrt() - half
    return root * root
