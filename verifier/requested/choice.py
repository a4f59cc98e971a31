"""Choice of the functions to ask for beside those that a program emits by itself."""

from __future__ import annotations

from eomc.derive.functions import KINDS
from eomc.derive.graph import Program, operation_count
from eomc.verifier.requested import (
    bodies,
    implicit_step,
    midpoint,
    products,
    runge_kutta,
    small_motions,
    sympy_systems,
)
from eomc.verifier.requested.products import Judge, frame_judges

MOST = 20_000
"""Operations of a function that is asked for, by estimate: of large models some are left out."""

JUDGES: dict[str, Judge] = {
    **products.JUDGES,
    **small_motions.JUDGES,
    **runge_kutta.JUDGES,
    **implicit_step.JUDGES,
    **midpoint.JUDGES,
    **bodies.JUDGES,
    **sympy_systems.JUDGES,
}

OF_BODIES = frozenset(bodies.JUDGES)
"""Functions whose judges take the mechanism in numbers."""

_DYNAMICS = ("inverse_dynamics", "forward_dynamics")


def _cost(name: str, n: int) -> int:
    """Operations for one of inverse dynamics, of n speeds."""
    if name in {f"{dynamics}_hessian" for dynamics in _DYNAMICS}:
        return 20 * n
    if name in {f"{dynamics}_second_derivatives" for dynamics in _DYNAMICS}:
        return 10 * n * n
    steps = {"rk4_step_vjp": 40, "rk4_step_derivatives": 8 * n, "rk4_step_hessian": 16 * n}
    steps |= {"midpoint_step": 16 * n, "midpoint_step_derivatives": 30 * n}
    steps |= {"midpoint_step_vjp": 30 * n, "midpoint_step_hessian": 60 * n}
    return steps.get(name, 10)


def asked(program: Program, frames: tuple[str, ...]) -> list[str]:
    """Names of functions to ask for beside those of `program`, as far as the system has them."""
    there = {function.name: function for function in program.functions}
    if "inverse_dynamics" not in there:
        return []
    size = sum(operation_count(program.graph, there["inverse_dynamics"].nodes).values())
    n = next(len(a.entries) for a in there["inverse_dynamics"].inputs if a.name == "a")

    named = [name for name, kind in KINDS.items() if not kind.feeds and name not in there]
    named += [name for name, _ in frame_judges(frames)]
    return [name for name in named if size * _cost(name, n) <= MOST]


def judges(frames: tuple[str, ...]) -> dict[str, Judge]:
    """By function: what its outputs must be."""
    return JUDGES | dict(frame_judges(frames))
