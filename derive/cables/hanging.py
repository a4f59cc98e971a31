"""A cable that hangs between two points under its own weight: the elastic catenary, on the graph.

A cable of rest length L, stiffness E A and weight w per rest length spans a horizontally and b
downward. With H and V the horizontal and downward pull on its upper point, W = V - w L on the way
out, T_A = sqrt(H^2 + V^2), T_B = sqrt(H^2 + W^2) and s = asinh(V/H) - asinh(W/H),

    a = H L/EA + (H/w) s            b = L (V + W)/(2 EA) + L (V + W)/(T_A + T_B)

are solved for H and V by a fixed number of steps of Newton's method. They converge quadratically,
so the derivatives of the last steps are those of the implicit function. Reference: Irvine, *Cable
Structures*, MIT Press (1981), ch. 1; the start after Jayaraman and Knudson, *A curved element for
the analysis of cable structures*, Computers & Structures 14 (1981) 325.
"""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.graph import Expression

__all__ = ["Hanging", "hanging"]

#: From the start below, 99.9 % of random cables take no more than 7 steps to rounding; the others
#: stand almost upright.
STEPS = 8
_OF_START = 6


@dataclass(frozen=True, eq=False)
class Hanging:
    """The pulls H and V on the one end, H and -W on the other, and what follows from them."""

    horizontal: Expression
    vertical: Expression
    vertical_end: Expression
    tension: Expression
    tension_end: Expression
    turned: Expression
    rest: Expression
    stiffness: Expression
    weight: Expression

    @property
    def reach(self) -> tuple[Expression, Expression]:
        """(a, b) that belong to H and V."""
        length, share = self.rest, (self.vertical + self.vertical_end) * self.rest
        stretched = length / self.stiffness + self.turned / self.weight
        sum_ = self.tension + self.tension_end
        return self.horizontal * stretched, share / (2 * self.stiffness) + share / sum_

    @property
    def _mean_by_length(self) -> Expression:
        """Integral of the tension over the rest length."""
        h, w = self.horizontal, self.weight
        ends = self.vertical * self.tension - self.vertical_end * self.tension_end
        return (ends + h * h * self.turned) / (2 * w)

    @property
    def length(self) -> Expression:
        """Stretched [m]."""
        return self.rest + self._mean_by_length / self.stiffness

    def energy(self, a: Expression, b: Expression) -> Expression:
        """Of strain and weight, counted from the upper point: H a + V b less the integral of
        T + T^2/(2 EA)."""
        h, v, w = self.horizontal, self.vertical, self.vertical_end
        squares = h * h * self.rest + (v * v * v - w * w * w) / (3 * self.weight)
        return h * a + v * b - self._mean_by_length - squares / (2 * self.stiffness)

    def improved(self, a: Expression, b: Expression) -> tuple[Expression, Expression]:
        """H and V after a step of Newton's method; H stays positive."""
        h, v, w = self.horizontal, self.vertical, self.vertical_end
        first, second = self.tension, self.tension_end
        found = self.reach
        x, z = found[0] - a, found[1] - b
        slack = self.rest / self.stiffness
        bend = (v / first - w / second) / self.weight
        a_h = slack + self.turned / self.weight - bend
        a_v = h / self.weight * (1 / first - 1 / second)
        b_v = slack + bend
        det = a_h * b_v - a_v * a_v
        changed = h - (b_v * x - a_v * z) / det
        return changed.binary("max", h / 4), v - (a_h * z - a_v * x) / det


def _state(
    h: Expression, v: Expression, rest: Expression, stiffness: Expression, weight: Expression
) -> Hanging:
    w, carried = v - weight * rest, weight * rest
    first, second = (h * h + v * v).sqrt(), (h * h + w * w).sqrt()
    total = first + second
    share = carried / total
    # s = 2 atanh(w L/(T_A + T_B)), by logarithms where the lowest point is inside.
    taut = 2 * share.binary("min", 0.5).unary("atanh")
    gap = _difference(h, v, first) + _difference(h, -w, second)
    inside = ((total + carried) / gap).unary("log")
    turned = share.if_less(share * 0 + 0.5, taut, inside)
    return Hanging(h, v, w, first, second, turned, rest, stiffness, weight)


def _difference(h: Expression, v: Expression, root: Expression) -> Expression:
    """root - v without loss, root = sqrt(h^2 + v^2)."""
    total = root + v.unary("abs")
    return v.if_less(v * 0, total, h * h / total)


def hanging(
    a: Expression, b: Expression, rest: Expression, stiffness: Expression, weight: Expression
) -> Hanging:
    """The cable between points that are a > 0 apart horizontally and b downward."""
    h, v = _start(a, b, rest, stiffness, weight)
    found = _state(h, v, rest, stiffness, weight)
    for _ in range(STEPS):
        found = _state(*found.improved(a, b), rest, stiffness, weight)
    return found


def _start(
    a: Expression, b: Expression, rest: Expression, stiffness: Expression, weight: Expression
) -> tuple[Expression, Expression]:
    """H and V of the catenary that does not stretch, of a length that has stretched.

    The tension T of that is the parabola's, T^3 + p T^2 = q, by Newton's method from above.
    """
    chord = (a * a + b * b).sqrt()
    level = weight * a / chord * rest
    p, q = stiffness * (1 - chord / rest), stiffness * level * level / 24
    tension = (q.unary("log") / 3).unary("exp") + (-p).binary("max", 0)
    for _ in range(_OF_START):
        value = tension * tension * (tension + p) - q
        tension = tension - value / (tension * (3 * tension + 2 * p))
    longer = rest * (1 + tension / stiffness)
    sag = rest * q / (stiffness * tension * tension)
    slope = (3 * sag * (longer + chord)).sqrt() / a
    own = weight * rest / longer
    return own * a / (2 * slope), own / 2 * (b / slope.unary("tanh") + longer)
