"""Multiple shooting: unknowns x_0, v_0, x_1, ..., x_N, and rows x_{k+1} - F(x_k, v_k) = 0.

One function y(w) = (cost, rows) of all unknowns with sparse first derivatives and the Hessian under
weights: what solvers ask for. Steps of all nodes are one call of compiled code each.

Reference: Bock and Plitt, *A multiple shooting algorithm for direct solution of optimal control
problems*, IFAC World Congress 1984.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.optimal.quantities import FrameOutputs, Quantities

Weights = Mapping[str, tuple[float, float]]


@dataclass(frozen=True)
class Terms:
    """By name (w, c) of w (y - c)^2: in every step, and at the end."""

    stage: Weights
    final: Weights

    @staticmethod
    def arrays(terms: Weights, names: Sequence[str]) -> tuple[Array, Array]:
        """w and c, zero for other names."""
        found = np.array([terms.get(name, (0.0, 0.0)) for name in names]).reshape(-1, 2)
        return found[:, 0], found[:, 1]


class MultipleShooting:
    """y(w) = (cost, rows) with its derivatives. `exact` says whether Hessians have second
    derivatives of steps and outputs; without these they are those of Gauss and Newton."""

    exact = True

    def __init__(
        self,
        names: Quantities,
        outputs: FrameOutputs,
        step: float,
        count: int,
        terms: Terms,
        parameters: Mapping[str, float] | None,
        bounded: Sequence[str],
        aimed: Sequence[str],
    ) -> None:
        model = names.model
        self.h, self.count, self.n, self.outputs = step, count, model.nu, outputs
        self.nx, self.m = 2 * model.nu, len(names.controls)
        self.block, self._names = self.nx + self.m, names
        self.size = count * self.block + self.nx
        self._bounded = [outputs.names.index(name) for name in bounded]
        self._aimed = [outputs.names.index(name) for name in aimed if name not in bounded]
        self.last = [*self._bounded, *self._aimed]
        self._functions = {x: f"rk4_step{x}" for x in ("", "_derivatives", "_hessian")}
        model.prepare(*self._functions.values())
        self._options = {} if parameters is None else {"parameters": parameters}
        self._places = names.control_places
        self._of_states = self._over_nodes(terms, names.states)
        self._of_outputs = self._over_nodes(terms, outputs.names)
        weight, self._control_aim = Terms.arrays(terms.stage, names.controls)
        self._of_controls = step * weight
        self._patterns()
        self._last: tuple[bytes, Array] = (b"", np.zeros(0))

    def _over_nodes(self, terms: Terms, names: Sequence[str]) -> tuple[Array, Array]:
        """w and c at all nodes, (N + 1, number of names); w in steps times h."""
        w, c = Terms.arrays(terms.stage, names)
        w_end, c_end = Terms.arrays(terms.final, names)
        every = self.count, 1
        return np.vstack([np.tile(self.h * w, every), w_end]), np.vstack([np.tile(c, every), c_end])

    # -- unknowns and rows -----------------------------------------------------------------------

    def joined(self, x: Array, v: Array) -> Array:
        """All unknowns from states (N + 1, nx) and controls (N, m)."""
        return np.concatenate([np.hstack([x[:-1], v]).ravel(), x[-1]])

    def parted(self, w: Array) -> tuple[Array, Array]:
        """States and controls."""
        steps = w[: self.count * self.block].reshape(self.count, self.block)
        return np.vstack([steps[:, : self.nx], w[-self.nx :]]), steps[:, self.nx :]

    def rows(self, bounds: Mapping[str, float], target: Mapping[str, float]) -> Array:
        """One side of the bounds of all rows."""
        names = self.outputs.names
        path = [bounds[names[k]] for k in self._bounded]
        stage = np.concatenate([np.zeros(self.nx), path])
        end = [target.get(names[k], bounds.get(names[k], 0.0)) for k in self._bounded]
        return np.concatenate([*[stage] * self.count, end, [target[names[k]] for k in self._aimed]])

    @property
    def equality(self) -> list[bool]:
        """True for rows that are steps, and for targets."""
        stage = [True] * self.nx + [False] * len(self._bounded)
        return stage * self.count + [False] * len(self._bounded) + [True] * len(self._aimed)

    def _patterns(self) -> None:
        """Rows and columns of all entries of the Jacobian of (cost, rows), and of the Hessian."""
        nx, b, path = self.nx, self.block, len(self._bounded)
        k = np.arange(self.count)[:, None, None]
        top = 1 + k * (nx + path)  # the row where a step begins

        def block(row: Any, column: Any, height: int, width: int) -> list[Array]:
            i, j = np.arange(height)[:, None], np.arange(width)
            return [part.ravel() for part in np.broadcast_arrays(row + i, column + j)]

        end, last = self.count * b, 1 + self.count * (nx + path)
        self.height = last + len(self.last)
        diagonal = [part.ravel() for part in np.broadcast_arrays(
            top[..., 0] + np.arange(nx), (k[..., 0] + 1) * b + np.arange(nx))]  # fmt: skip
        self.jacobian_rows, self.jacobian_columns = _joined(
            block(0, 0, 1, self.size),
            block(top, k * b, nx, b),
            diagonal,
            block(top + nx, k * b, path, self.n),
            block(last, end, len(self.last), self.n),
        )
        self.hessian_rows, self.hessian_columns = _joined(
            block(k * b, k * b, b, b), block(end, end, nx, nx)
        )

    # -- values ------------------------------------------------------------------------------------

    def moved(self, x: Array, v: Array, t: float, h: float) -> Array:
        """(q, u, a) after a step of length h from state x (nx,) at t, under controls v (m,)."""
        arguments = self._arguments(x[None], v[None], at=(np.array([t]), h))
        state = np.hstack([np.asarray(p).reshape(1, -1) for p in self._call("", arguments)])
        names = self._names.model.inputs_of("forward_dynamics")
        known = dict(zip(self._names.model.inputs_of("rk4_step"), arguments, strict=True))
        known |= {"q": state[:, : self.n], "u": state[:, self.n :], "t": np.array([t + h])}
        dynamics = self._names.model.function("forward_dynamics")
        a = dynamics(*(known[name] for name in names), **self._options)
        return np.concatenate([state[0], np.ravel(a)])

    def _arguments(
        self, x: Array, v: Array, *more: Any, at: tuple[Array, float] | None = None
    ) -> list[Any]:
        """Those of the functions of a step at states (K, nx) under controls (K, m)."""
        model = self._names.model
        times, h = at or (self.h * np.arange(len(x)), self.h)
        forces = np.zeros((len(x), len(self._names.forces)))
        forces[:, self._places] = v
        known: dict[str, Any] = {
            "q": x[:, : self.n],
            "u": x[:, self.n :],
            "tau": forces[:, : self.n],
        }
        known |= {"r": forces[:, self.n :], "t": times, "h": h}
        names = model.inputs_of(self._functions[""])
        return [*(known[name] for name in names), *more]

    def step(self, x: Array, v: Array) -> Array:
        """F at states (K, nx)."""
        found = self._call("", self._arguments(x, v))
        return np.hstack([np.asarray(part).reshape(len(x), -1) for part in found])

    def derivatives(self, x: Array, v: Array) -> tuple[Array, Array]:
        """A (K, nx, nx) and B (K, nx, m)."""
        a, b = self._call("_derivatives", self._arguments(x, v))[2:4]
        return a, b[..., self._places]

    def _call(self, which: str, arguments: list[Any]) -> Any:
        return self._names.model.function(self._functions[which])(*arguments, **self._options)

    def value(self, w: Array) -> Array:
        """(cost, rows)"""
        x, v = self.parted(w)
        gaps = x[1:] - self.step(x[:-1], v)
        y = self.outputs.value(x[:, : self.n])
        rows = np.hstack([gaps, y[:-1, self._bounded]]).ravel()
        end = y[-1, self.last]
        return np.concatenate([[self.cost(w)], rows, end])

    def cost(self, w: Array) -> float:
        """h times the sum over steps, and the cost of the end."""
        x, v = self.parted(w)
        y = self.outputs.value(x[:, : self.n])
        parts = zip((x, y), (self._of_states, self._of_outputs), strict=True)
        total = sum(float(np.sum(w * (z - c) ** 2)) for z, (w, c) in parts)
        return total + float(np.sum(self._of_controls * (v - self._control_aim) ** 2))

    def jacobian(self, w: Array) -> Array:
        """Entries of the Jacobian of (cost, rows), in the order of the pattern."""
        if self._last[0] == w.tobytes():
            return self._last[1]
        x, v = self.parted(w)
        q = x[:, : self.n]
        y, by_q = self.outputs.value(q), self.outputs.jacobian(q)
        slope = 2 * self._of_states[0] * (x - self._of_states[1])
        apart = self._of_outputs[0] * (y - self._of_outputs[1])
        slope[:, : self.n] += 2 * np.einsum("ki,kij->kj", apart, by_q)
        of_controls = 2 * self._of_controls * (v - self._control_aim)
        a, b = self.derivatives(x[:-1], v)
        end = by_q[-1, self.last]
        parts = (self.joined(slope, of_controls), -np.concatenate([a, b], axis=2),
                 np.ones(self.count * self.nx), by_q[:-1, self._bounded], end)  # fmt: skip
        found = np.concatenate([np.ravel(part) for part in parts])
        self._last = w.tobytes(), found
        return found

    def hessian(self, w: Array, weights: Array) -> Array:
        """Entries of the Hessian of weights^T (cost, rows), in the order of the pattern."""
        x, v = self.parted(w)
        n, q, of_cost = self.n, x[:, : self.n], weights[0]
        path = len(self._bounded)
        stage = weights[1 : 1 + self.count * (self.nx + path)].reshape(self.count, -1)
        found = np.zeros((self.count + 1, self.block, self.block))
        diagonal = np.arange(self.nx)
        found[:, diagonal, diagonal] = 2 * of_cost * self._of_states[0]
        controls = self.nx + np.arange(self.m)
        found[:-1, controls, controls] = 2 * of_cost * self._of_controls
        if self.outputs.names:
            y, by_q = self.outputs.value(q), self.outputs.jacobian(q)
            heavy = 2 * of_cost * self._of_outputs[0]
            found[:, :n, :n] += np.einsum("ki,kij,kil->kjl", heavy, by_q, by_q)
            bend = heavy * (y - self._of_outputs[1])
            bend[:-1, self._bounded] += stage[:, self.nx :]
            bend[-1, self.last] += weights[len(weights) - len(self.last) :]
            if self.exact:
                found[:, :n, :n] += self.outputs.hessian(q, bend)
        if self.exact:
            kept = [*range(self.nx), *(self.nx + k for k in self._places)]
            bent = self._call("_hessian", self._arguments(x[:-1], v, stage[:, : self.nx]))
            found[:-1] -= bent[:, kept][:, :, kept]
        return np.concatenate([found[:-1].ravel(), found[-1, : self.nx, : self.nx].ravel()])


def _joined(*blocks: Sequence[Array]) -> tuple[Array, Array]:
    """Rows and columns of all blocks."""
    rows, columns = (np.concatenate(part) for part in zip(*blocks, strict=True))
    return rows, columns
