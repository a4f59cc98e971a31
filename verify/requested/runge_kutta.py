"""The gradient of a Runge-Kutta step, from its tangents stage by stage.

Of the classical step x' = f(x), x = (q, u), each stage moves by dX_i = dx + c_i h dk_{i-1} with
dk_i = df/dx dX_i + df/dp dp; the gradient is the transposed of what all directions give.
"""

from __future__ import annotations

import numpy as np

from eomc.binding.arrays import Array
from eomc.verify.requested.products import Expected, Judge
from eomc.verify.requested.slopes import FunctionDerivatives

_NODES = (0.0, 0.5, 0.5, 1.0)
_WEIGHTS = (1 / 6, 1 / 3, 1 / 3, 1 / 6)
_RATES, _DYNAMICS = "coordinate_rates", "forward_dynamics"


def _step(slopes: FunctionDerivatives) -> Expected:
    subject, state = slopes.subject, slopes.state
    nq, h = len(state["q"]), float(state["h"])
    given = [name for name in ("tau", "r", "p") if slopes.size(name)]
    x = np.concatenate([state["q"], state["u"]])
    sizes = [slopes.size(name) for name in given]
    total = len(x) + sum(sizes)
    start = np.eye(len(x), total)
    pushed = np.split(np.eye(total)[len(x) :], np.cumsum(sizes)[:-1])
    held = dict(zip(given, pushed, strict=True))
    rate, moved = np.zeros_like(x), np.zeros_like(start)
    end, change = x.copy(), start.copy()
    for node, weight in zip(_NODES, _WEIGHTS, strict=True):
        here, along = x + node * h * rate, start + node * h * moved
        stage = state.with_values(q=here[:nq], u=here[nq:], t=state["t"] + node * h)
        at = FunctionDerivatives(subject, stage)
        rate = np.concatenate([subject.call(name, stage) for name in (_RATES, _DYNAMICS)])
        changes = {"q entries": along[:nq], "u": along[nq:], **held}
        moved = np.vstack([at.change(name, changes) for name in (_RATES, _DYNAMICS)])
        end, change = end + weight * h * rate, change + weight * h * moved
    ended = FunctionDerivatives(subject, state.with_values(q=end[:nq]))
    change[:nq] = ended.change("normalize", {"q entries": change[:nq]})
    found: Array = np.concatenate([state["q_next_bar"], state["u_next_bar"]]) @ change
    parts = np.split(found, np.cumsum([nq, subject.nu, *sizes])[:-1])
    return {f"{name}_bar": x for name, x in zip(("q", "u", *given), parts, strict=True)}


JUDGES: dict[str, Judge] = {"rk4_step_vjp": _step}
"""By function: what its outputs must be."""
