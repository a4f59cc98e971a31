"""Initial states of runs and their derivatives: known, free, or closing the loops of a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.autodiff.external import External, Linker
from eomc.runtime.fit.errors import FitError
from eomc.runtime.fit.recording import Recording
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import initial_state

_CLOSED, _STEPS = 1e-13, 50
_WINDOW = 11
"""Samples of a cubic that tells a speed."""


def guess(model: CompiledModel, run: Recording, first: int = 0) -> Array:
    """x = (q, u, z) at a sample: what is measured, speeds as slopes of cubics, else the model's."""
    state = initial_state(model, run.q, run.u)
    q, u = state.q.copy(), state.u.copy()
    if run.q is not None or run.u is not None:
        return np.concatenate([q, u, np.array(list(model.element_states.values()))])
    low = min(max(first - _WINDOW // 2, 0), max(len(run.t) - _WINDOW, 0))
    window = slice(low, low + _WINDOW)
    t = run.t[window] - run.t[first]
    for name, values in run.columns.items():
        cubic = np.polynomial.Polynomial.fit(t, values[window], min(3, len(t) - 1))
        if name in model.coordinates:
            q[model.coordinates.index(name)] = values[first] if len(t) < 5 else cubic(0.0)
            measured = f"speed({name})" in run.columns
            if name in model.speeds and not measured:
                u[model.speeds.index(name)] = cubic.deriv()(0.0)
        elif name.startswith("speed(") and name[6:-1] in model.speeds:
            u[model.speeds.index(name[6:-1])] = values[first]
    return np.concatenate([q, u, np.array(list(model.element_states.values()))])


class ClosedStart:
    """Initial states on the constraints: Phi(q, p) = 0 and G u + b = 0, with

        dq/dp = -Phi_q^+ Phi_p

    over the entries that the run does not name; lengths so move the start of a run.
    """

    def __init__(self, model: CompiledModel, linker: Linker) -> None:
        self.model = model
        self.position = linker.arrays("constraint_residual", second=False)
        self.velocity = linker.arrays("constraint_velocity", second=False)

    def __call__(self, run: Recording, x: Array, p: Array, dp: Array) -> tuple[Array, Array]:
        """(x, dx/dtheta), closed from the guess x."""
        nq, nu = self.model.nq, self.model.nu
        x, s = x.copy(), np.zeros((len(x), dp.shape[1]))
        for external, names, given, part in (
            (self.position, self.model.coordinates, run.q, slice(0, nq)),
            (self.velocity, self.model.speeds, run.u, slice(nq, nq + nu)),
        ):
            moves = np.array([name not in (given or {}) for name in names])
            place = np.arange(len(x))[part][moves]
            for _ in range(_STEPS):
                value, by_x, by_p = self._linear(external, run, x, p)
                change = np.linalg.lstsq(by_x[:, place], -value, rcond=1e-10)[0]
                x[place] += change
                if np.abs(change).max(initial=0.0) <= _CLOSED * (1 + np.abs(x).max()):
                    break
            value, by_x, by_p = self._linear(external, run, x, p)
            if np.abs(value).max(initial=0.0) > 1e-9:
                raise FitError(
                    f"{run.name}: the loops of {self.model.name!r} do not close at its start with "
                    + ", ".join(f"p = {v:.6g}" for v in p)
                )
            right = -(by_p @ dp + by_x @ s)
            s[place] = np.linalg.lstsq(by_x[:, place], right, rcond=1e-10)[0]
        return x, s

    def _linear(
        self, external: External, run: Recording, x: Array, p: Array
    ) -> tuple[Array, Array, Array]:
        """A residual with its derivatives by x and p."""
        nq, nu = self.model.nq, self.model.nu
        parts = {"q": slice(0, nq), "u": slice(nq, nq + nu)}
        known: dict[str, Any] = {name: x[part] for name, part in parts.items()}
        known |= {"p": p, "t": float(run.t[0])}
        given = [
            known[a.name]
            if a.name in known
            else run.input(a.name, a.size, run.t[:1], False, None)[0]
            for a in external.inputs
        ]
        module: Any = external.library
        value, blocks = module.value(*given), module.jacobian(*given)
        value = value[0] if isinstance(value, tuple) else value
        blocks = blocks if isinstance(blocks, tuple) else (blocks,)
        by_x, by_p = np.zeros((value.size, len(x))), np.zeros((value.size, len(p)))
        for a, block in zip(external.inputs, blocks, strict=False):
            rows = np.asarray(block).reshape(value.size, a.size)
            if a.name in parts:
                by_x[:, parts[a.name]] = rows
            elif a.name == "p":
                by_p[:] = rows
        return np.asarray(value, dtype=np.float64), by_x, by_p


def require_open_start(model: CompiledModel, run: Recording) -> None:
    """Refuse free initial states where entries of the state depend on one another."""
    if run.q is None and run.u is None and (model.is_constrained or model.nq != model.nu):
        why = "loops" if model.is_constrained else "quaternions"
        raise FitError(f"{run.name}: model {model.name!r} has {why}; give the start, Run(q=, u=)")


def entries(model: CompiledModel) -> Mapping[str, int]:
    """Places in x of the entries of an initial state by name: ``q.hinge``."""
    names = [f"q.{n}" for n in model.coordinates] + [f"u.{n}" for n in model.speeds]
    return {name: k for k, name in enumerate([*names, *(f"z.{n}" for n in model.element_states)])}
