"""A Runge-Kutta step and its derivatives, from its tangents stage by stage.

Of the classical step x' = f(x), x = (q, u), each stage moves by dX_i = dx + c_i h dk_{i-1} with
dk_i = df/dx dX_i + df/dp dp; the gradient is the transposed of what all directions give.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.requested.products import Expected, Judge
from eomc.verifier.requested.slopes import FunctionDerivatives

_NODES = (0.0, 0.5, 0.5, 1.0)
_WEIGHTS = (1 / 6, 1 / 3, 1 / 3, 1 / 6)
_RATES, _DYNAMICS, _STEP = "coordinate_rates", "forward_dynamics", "rk4_step"


@dataclass(frozen=True)
class _SteppedChange:
    """x_next = (q_next, u_next), and its change along columns: x entry by entry, then tau, r, p,
    then h."""

    slopes: FunctionDerivatives
    nq: int
    sizes: dict[str, int]
    end: Array
    change: Array

    @property
    def tangent(self) -> tuple[Array, Array]:
        """Changes of x_next by displacements and speeds, rows in the tangent; by the rest."""
        state = self.slopes.state.with_values(q=self.end[: self.nq])
        pull = np.linalg.pinv(FunctionDerivatives(self.slopes.subject, state).tangents)
        rows = np.vstack([pull @ self.change[: self.nq], self.change[self.nq :]])
        by_x, width = rows[:, : len(self.end)], len(self.end)
        by_q = by_x[:, : self.nq] @ self.slopes.tangents
        return np.hstack([by_q, by_x[:, self.nq :]]), rows[:, width:]


def _chain(slopes: FunctionDerivatives) -> _SteppedChange:
    subject, state = slopes.subject, slopes.state
    nq, h = len(state["q"]), float(state["h"])
    given = [name for name in ("tau", "r", "p") if slopes.size(name)]
    x = np.concatenate([state["q"], state["u"]])
    sizes = {name: slopes.size(name) for name in given}
    total = len(x) + sum(sizes.values()) + 1
    start, by_h = np.eye(len(x), total), np.eye(total)[-1]
    pushed = np.split(np.eye(total)[len(x) : -1], np.cumsum(list(sizes.values()))[:-1])
    held = dict(zip(given, pushed, strict=True))
    rate, moved = np.zeros_like(x), np.zeros_like(start)
    end, change = x.copy(), start.copy()
    for node, weight in zip(_NODES, _WEIGHTS, strict=True):
        here = x + node * h * rate
        along = start + node * (h * moved + np.outer(rate, by_h))
        stage = state.with_values(q=here[:nq], u=here[nq:], t=state["t"] + node * h)
        at = FunctionDerivatives(subject, stage)
        rate = np.concatenate([subject.call(name, stage) for name in (_RATES, _DYNAMICS)])
        changes = {"q entries": along[:nq], "u": along[nq:], **held}
        if at.entries("t"):
            changes["t"] = node * by_h[None]
        moved = np.vstack([at.change(name, changes) for name in (_RATES, _DYNAMICS)])
        end = end + weight * h * rate
        change = change + weight * (h * moved + np.outer(rate, by_h))
    ended = FunctionDerivatives(subject, state.with_values(q=end[:nq]))
    change[:nq] = ended.change("normalize", {"q entries": change[:nq]})
    end[:nq] = subject.call("normalize", ended.state)
    return _SteppedChange(slopes, nq, sizes, end, change)


def _gradient(slopes: FunctionDerivatives) -> Expected:
    found, state = _chain(slopes), slopes.state
    weights = np.concatenate([state["q_next_bar"], state["u_next_bar"]])
    lengths = [found.nq, slopes.subject.nu, *found.sizes.values()]
    parts = np.split((weights @ found.change)[:-1], np.cumsum(lengths)[:-1])
    return {f"{name}_bar": x for name, x in zip(("q", "u", *found.sizes), parts, strict=True)}


def _value(slopes: FunctionDerivatives) -> Expected:
    found = _chain(slopes)
    return {"q_next": found.end[: found.nq], "u_next": found.end[found.nq :]}


def _derivatives(slopes: FunctionDerivatives) -> Expected:
    found = _chain(slopes)
    by_x, rest = found.tangent
    width = sum(size for name, size in found.sizes.items() if name != "p")
    expected = {"A": by_x, "B": rest[:, :width], "b_h": rest[:, -1], **_value(slopes)}
    return expected | ({"B_p": rest[:, width:-1]} if "p" in found.sizes else {})


def step_hessian(slopes: FunctionDerivatives, step: str = _STEP) -> Expected:
    """The change of [A B]^T weights, by a complex step."""
    nx, weights = 2 * slopes.subject.nu, slopes.state["weights"]
    outputs = slopes.subject.derived(f"{step}_derivatives").outputs
    names = [name for name in ("q", "u", "tau", "r") if slopes.size(name)]
    pulled: list[Array] = []
    for output in outputs:
        if output.name in ("A", "B"):
            change = np.hstack(
                [
                    slopes.change_of(output.entries, {name: np.eye(slopes.size(name))})
                    for name in names
                ]
            )
            pulled.append(np.einsum("i,ijk->jk", weights, change.reshape(nx, -1, change.shape[1])))
    return {"H": np.vstack(pulled)}


JUDGES: dict[str, Judge] = {
    "rk4_step_vjp": _gradient,
    _STEP: _value,
    f"{_STEP}_derivatives": _derivatives,
    f"{_STEP}_hessian": step_hessian,
}
"""By function: what its outputs must be."""
