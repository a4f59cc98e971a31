"""Depth of two bodies in each other: d_+, which is zero apart, and its slope by d = -gap.

With the width delta it is smooth and never zero,

    root      d_+ = (d + sqrt(d^2 + delta^2))/2        at d = 0 delta/2
    softplus  d_+ = delta ln(1 + exp(d/delta))         at d = 0 delta ln 2

and without it d_+ = max(d, 0), whose slope is that of the side on which d is.
"""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.graph import Expression


@dataclass(frozen=True, eq=False)
class Depth:
    """d = -gap [m], d_+, its slope by d, and the rate of d [m/s]."""

    inward: Expression
    depth: Expression
    slope: Expression
    rate: Expression

    def power(self, exponent: Expression) -> Expression:
        """d_+^n, flat where it is zero."""
        zero = self.depth * 0
        some = zero.if_less(self.depth, self.depth, zero + 1)
        return zero.if_less(self.depth, some**exponent, zero)


def depth(gap: Expression, gap_rate: Expression, width: Expression, smoothing: str) -> Depth:
    """By the gap and its rate."""
    d, rate, zero = -gap, -gap_rate, gap * 0
    if width.is_zero:
        return Depth(d, zero.if_less(d, d, zero), zero.if_less(d, zero + 1, zero), rate)
    if smoothing == "softplus":
        # Even and odd part, so that nothing overflows and the slope at 0 is 1/2.
        size = d.unary("abs")
        even = size / 2 + width * (1 + (-(size / width)).unary("exp")).unary("log")
        return Depth(d, d / 2 + even, (1 + (d / (2 * width)).unary("tanh")) / 2, rate)
    root = (d * d + width * width).sqrt()
    # Apart, where d and the root nearly cancel, by the quotient that the two are.
    found = d.if_less(zero, width * width / (2 * (root - d)), (d + root) / 2)
    return Depth(d, found, found / root, rate)
