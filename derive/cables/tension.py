"""The tension in a cable by its strain eps and strain rate, and who may do work with it.

    F = A E eps_+  + A mu H eps'        eps_+ = (eps + sqrt(eps^2 + delta^2))/2,  H = d eps_+/d eps

A cable cannot push: eps_+ is never negative, and where delta = 0 is the step. With the rest length
L0 and the length L off the winches, L = (1 + eps) L0, two forms of the work are models in their own
right:

    `energy`   V = A E eps_+^2 L0 / 2, so dV = F dL - (F (1 + eps) - A E eps_+^2 / 2) dL0 with
               F = A E eps_+ H
    `work`     F d(L - L0): moment balance of a massless cable whose wound part carries no strain;
               while a winch turns it is not conservative, by A E eps^2 / 2 dL0
"""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.graph import Expression


@dataclass(frozen=True, eq=False)
class Tension:
    """Forces that work on the length (`on_length`, the tension) and on the rest length (`on_rest`):
    the virtual work is -on_length dL + on_rest dL0."""

    on_length: Expression
    on_rest: Expression

    def __add__(self, other: Tension) -> Tension:
        return Tension(self.on_length + other.on_length, self.on_rest + other.on_rest)


def taut(strain: Expression, width: Expression) -> tuple[Expression, Expression]:
    """eps_+ and H."""
    zero = strain * 0
    if width.is_zero:
        return strain.if_less(zero, zero, strain), strain.if_less(zero, zero, zero + 1)
    root = (strain * strain + width * width).sqrt()
    return (strain + root) / 2, (1 + strain / root) / 2


def elastic(strain: Expression, stiffness: Expression, width: Expression, form: str) -> Tension:
    """The share of the strain; `stiffness` is A E."""
    stretched, step = taut(strain, width)
    if form == "work":
        force = stiffness * stretched
        return Tension(force, force)
    force = stiffness * stretched if width.is_zero else stiffness * stretched * step
    return Tension(force, force * (1 + strain) - stiffness * stretched * stretched / 2)


def damped(
    strain: Expression,
    rate: Expression,
    viscosity: Expression,
    width: Expression,
    dissipation: str,
    pull: Expression | None = None,
) -> Tension:
    """The share of the strain rate; `viscosity` is A mu. Beside `pull` it never makes a push.

    Its work is that of the `strain`, L0 deps, with the power -A mu H L0 eps'^2, or of the
    `elongation`, d(L - L0).
    """
    force = viscosity * taut(strain, width)[1] * rate
    if pull is not None:
        force = force.binary("max", -pull)
    return Tension(force, force if dissipation == "elongation" else force * (1 + strain))


def pulls(
    strain: Expression, rate: Expression, stiffness: Expression, viscosity: Expression
) -> Expression:
    """Above zero where there is a tension that goes to zero at a kink and never pushes: where it is
    stretched, and strain and rate together pull."""
    if viscosity.is_zero:
        return strain
    return strain.binary("min", stiffness * strain + viscosity * rate)


def strain_energy(
    strain: Expression, rest: Expression, stiffness: Expression, width: Expression
) -> Expression:
    """A E eps_+^2 L0 / 2"""
    stretched, _ = taut(strain, width)
    return stiffness * stretched * stretched * rest / 2
