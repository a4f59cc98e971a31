"""Friction where a cable turns: the ratio of the tensions of the spans beside the bend.

Over a bend of the angle alpha on which it slides (Euler and Eytelwein), with
phi = v/sqrt(v^2 + v_s^2) of the speed v at which it slides to the side before,

    F_before/F_after = exp(mu alpha phi).

On a pulley that turns in a bearing of the radius r_b, with friction mu_b N of the force N on the
bearing, N^2 = F1^2 + F2^2 - 2 F1 F2 cos(alpha), and (F_before - F_after) r = mu_b r_b N phi: with
kappa = mu_b r_b/r phi and F_before/F_after = exp(s)

    cosh(s) = (1 - kappa^2 cos(alpha))/(1 - kappa^2),
    sinh(s/2) = kappa |sin(alpha/2)|/sqrt(1 - kappa^2),

after any number of turns. Where the cable has lifted off, alpha < 0, the ratio is 1.

Of the rates e_k at which the spans get longer, what winches pay out taken off, and their shares w_k
of the length, a cable of one strain slides over bend j at

    v_j = sum over k <= j of (e_k - w_k sum of all e),

and as the mean of the tensions F_k = F r_k over the length is F, friction takes the power

    sum_k (F_k - F) e_k = sum_j (F_j - F_j+1) v_j,

which is not negative at any bend.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.cables.path import Path
from eomc.derive.cables.rest_length import RestLength
from eomc.derive.cables.station import CableStation
from eomc.derive.graph import Expression
from eomc.derive.language.scalar import Scalar


def rubs(route: Sequence[CableStation]) -> bool:
    """True if the cable slides with friction at a station between its ends."""
    return any(station.rubs() for station in route[1:-1])


def ratios(
    path: Path, rest: RestLength, slip_speed: Scalar, pushes: Expression | None = None
) -> list[Expression]:
    """Tension of each span over their mean, weighted by length; `pushes` is a tension that may be
    negative, at which the ratios are those of the pushes."""
    scene, one = path.scene, path.scene.tree.zero + 1
    if not rubs(path.route):
        return [one] * len(path.spans)
    lengths, rates = [part.length for part in path.spans], rest.span_rates
    total, stretching = sum(lengths, scene.tree.zero), sum(rates, scene.tree.zero)
    found, behind, drawn = [one], scene.tree.zero, scene.tree.zero
    inner = zip(path.route[1:-1], path.bends, lengths[:-1], rates[:-1], strict=True)
    for station, bend, length, rate in inner:
        behind, drawn = behind + length, drawn + rate
        if not station.rubs():
            found.append(found[-1])
            continue
        slip = (drawn - stretching * (behind / total)) / scene.scalar(slip_speed)
        if pushes is not None:
            slip = slip * pushes.unary("sign")
        found.append(found[-1] * station.gain(scene, bend, slip / (1 + slip * slip).sqrt()))
    weighted = scene.tree.zero
    for length, ratio in zip(lengths, found, strict=True):
        weighted = weighted + ratio * length
    return [ratio * (total / weighted) for ratio in found]


def over_edge(friction: Expression, bend: Expression, sliding: Expression) -> Expression:
    """F_after/F_before where it slides; `sliding` is phi."""
    return (-(friction * _touching(bend) * sliding)).unary("exp")


def over_bearing(kappa: Expression, bend: Expression) -> Expression:
    """F_after/F_before on a pulley that turns: exp(-s) from sinh(s/2)."""
    half = kappa * (_touching(bend) / 2).sin().unary("abs") / (1 - kappa * kappa).sqrt()
    root = (1 + half * half).sqrt() - half
    return root * root


def _touching(bend: Expression) -> Expression:
    return bend.binary("max", bend * 0)
