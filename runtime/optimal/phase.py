"""The unknowns, rows and blocks of one phase of a problem."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.runtime.optimal.arrays import Array
from eomc.runtime.optimal.blocks import (
    DifferencedBlock,
    LinearBlock,
    NonlinearProgram,
    QuadraticBlock,
    QuadraticFormBlock,
)
from eomc.runtime.optimal.coordinates import IndependentCoordinates, TreeCoordinates
from eomc.runtime.optimal.dynamics import ChainedStep, CompiledStep, ControlledModel, Dynamics, Step
from eomc.runtime.optimal.quantities import NodeOutputs
from eomc.runtime.optimal.transcription import (
    COLLOCATIONS,
    CollocationBlock,
    Horizon,
    PointBlock,
    StepBlock,
    Term,
)

if TYPE_CHECKING:
    from eomc.runtime.optimal.problem import OptimalControl


class Phase:
    """Nodes with states (P, nx) and, at those of `controlled`, controls; parameters and duration.

    Attributes
    ----------
    fractions : (P,) times of the nodes by T
    x_at, v_at : places of states and controls among the unknowns, (P, nx) and (controlled, m)
    p_at, T_at : places of free parameters, and of T where it is free
    """

    def __init__(self, problem: OptimalControl, program: NonlinearProgram) -> None:
        self.problem, self.program = problem, program
        self.method = COLLOCATIONS.get(problem.transcription)
        names = problem.names
        self.coordinates: TreeCoordinates = problem.coordinates
        self.motion = ControlledModel(
            self.coordinates, names.control_places, problem.parameters, tuple(problem.free)
        )
        self.nx, self.m = self.motion.nx, len(names.controls)
        low, high = problem.t_bounds
        self.horizon = Horizon(problem.t_span, low < high)
        self.mesh = problem.mesh
        nodes = np.array([0.0, 1.0]) if self.method is None else self.method.nodes
        shares = np.diff(self.mesh)
        inner = self.mesh[:-1, None] + shares[:, None] * nodes[:-1]
        self.fractions = np.append(inner.ravel(), 1.0)
        self.count = len(self.fractions)
        self.of_interval = np.arange(len(shares))[:, None] * (len(nodes) - 1) + np.arange(
            len(nodes)
        )
        if self.method is None:
            self.controlled = np.arange(self.count - 1)
        else:
            self.controlled = np.unique(self.of_interval[:, self.method.used])
        self.outputs = NodeOutputs(self.motion, problem.outputs, names.expressions)
        self._unknowns()
        self._dynamics(shares)
        self._points(shares)
        self._limits_between()
        self._ends()

    # -- unknowns --------------------------------------------------------------------------------

    def _unknowns(self) -> None:
        problem, names = self.problem, self.problem.names
        sides = []
        for side, endless in ((0, -np.inf), (1, np.inf)):
            own = {n: pair[side] for n, pair in problem.bounds.items() if n not in problem.soft}
            x = np.tile([own.get(name, endless) for name in names.states], (self.count, 1))
            v = np.tile([own.get(name, endless) for name in names.controls], (self.count, 1))
            for k, name in enumerate(names.states):
                for end, limits in ((0, problem.start_limits), (-1, problem.target_limits)):
                    if name in limits:  # the narrower ones
                        x[end, k] = (max, min)[side](x[end, k], limits[name][side])
            sides.append((x, v))
        has = np.isin(np.arange(self.count), self.controlled)
        wide = np.hstack([np.ones((self.count, self.nx), dtype=bool), np.tile(has, (self.m, 1)).T])
        low, high = (np.hstack(side)[wide] for side in sides)
        whole = np.full(wide.shape, -1)
        whole[wide] = self.program.unknowns(low, high, low.shape)
        self.x_at, self.v_at = whole[:, : self.nx], whole[self.controlled, self.nx :]
        free = list(problem.free.values())
        low, high = np.array(free).reshape(-1, 2).T
        self.p_at = self.program.unknowns(low, high, (len(free),))
        shape = (int(self.horizon.free),)
        self.T_at = self.program.unknowns(*problem.t_bounds, shape)

    def columns(self, points: Any) -> Array:
        """Places of (x, v, p, T) at points with controls; of (x, p, T) at others."""
        points = np.asarray(points)
        parts = [self.x_at[points]]
        if np.isin(points, self.controlled).all():
            parts.append(self.v_at[np.searchsorted(self.controlled, points)])
        globals_ = np.concatenate([self.p_at, self.T_at])
        return np.hstack([*parts, np.tile(globals_, (len(points), 1))])

    # -- dynamics --------------------------------------------------------------------------------

    def stepper(self) -> Step:
        """The step of the model."""
        if isinstance(self.coordinates, IndependentCoordinates):
            return ChainedStep(Dynamics(self.motion))
        return CompiledStep(self.motion, self.problem.method)

    def _dynamics(self, shares: Array) -> None:
        program, stages = self.program, np.arange(len(shares))
        if self.method is None:
            self.rows = program.more_rows(0, 0, (len(shares), self.nx), stages)
            self.step = self.stepper()
            columns = np.hstack([self.columns(self.controlled), self.x_at[1:]])
            program.blocks.append(
                StepBlock(self.rows, columns, self.step, self.horizon, shares, self.mesh[:-1])
            )
            return
        height = len(self.method.D) * self.nx
        self.rows = program.more_rows(0, 0, (len(shares), height), stages)
        matrix = np.kron(self.method.D, np.eye(self.nx))
        columns = self.x_at[self.of_interval].reshape(len(shares), -1)
        program.blocks.append(LinearBlock(self.rows, columns, matrix))
        self.flow = Dynamics(self.motion)
        interval, node = np.nonzero(np.tile(self.method.used, (len(shares), 1)))
        point = np.searchsorted(self.controlled, self.of_interval[interval, node])
        program.blocks.append(
            CollocationBlock(
                self.rows, self.columns(self.controlled), (point, interval, node), self.flow,
                self.method, self.horizon, shares, self.fractions[self.controlled],
                self.controlled,
            )
        )  # fmt: skip

    # -- costs and rows at nodes -----------------------------------------------------------------

    def _shares(self, shares: Array) -> Array:
        """Weights of the nodes in the quadrature of the cost, by T."""
        found = np.zeros(self.count)
        weights = np.array([1.0, 0.0]) if self.method is None else self.method.weights
        np.add.at(found, self.of_interval, shares[:, None] * weights)
        return found

    def _points(self, shares: Array) -> None:
        last = self.count - 1
        inner = np.arange(last)
        with_v = np.isin(inner, self.controlled)
        quadrature = self._shares(shares)
        for points in (inner[with_v], inner[~with_v], np.array([last])):
            if len(points):
                self._point_block(points, quadrature[points], bool(points[0] == last))

    def _point_block(self, points: Array, quadrature: Array, final: bool) -> None:
        problem, names, outputs = self.problem, self.problem.names, self.outputs.names
        controls = names.controls if np.isin(points, self.controlled).all() else ()
        known = (*names.states, *controls, *outputs)
        terms = []
        for given, share, timed in (
            (problem.cost, quadrature, True),
            (problem.final_cost if final else {}, np.ones(len(points)), False),
        ):
            w, c = np.array([given.get(name, (0.0, 0.0)) for name in known]).T
            if w.any() and share.any():
                terms.append(Term(share, w, c, timed))
        path, low, high = [], [], []
        for k, name in enumerate(outputs, len(known) - len(outputs)):
            sides = problem.bounds.get(name)
            if final and name in problem.target_limits:
                sides = problem.target_limits[name]
            if sides is not None and name not in problem.soft:
                path.append(k)
                low.append(sides[0])
                high.append(sides[1])
        rows = self.program.more_rows(low, high, (len(points), len(path)), points)
        rows = self._soft(points, known, path, rows, len(known) - len(outputs))
        if not (terms or path):
            return
        width = self.nx + len(controls) + len(self.p_at)
        self.program.blocks.append(
            PointBlock(
                rows, self.columns(points), self.outputs, width, self.horizon, terms, path,
                points, self.fractions[points],
            )
        )  # fmt: skip

    def _soft(
        self, points: Array, known: tuple[str, ...], path: list[int], rows: Array, plain: int
    ) -> Array:
        """Slacks s >= 0 of the bounds that may be exceeded: lower <= y + s, y - s <= upper."""
        for name, (price, square) in self.problem.soft.items():
            if name not in known:
                continue  # a control, where there is none
            place, n = known.index(name), len(points)
            low, high = self.problem.bounds[name]
            slack = self.program.unknowns(0.0, np.inf, (n,))
            own = self.program.more_rows([low, -np.inf], [np.inf, high], (n, 2), points)
            sign = np.array([[1.0], [-1.0]])
            if place < plain:
                column = np.stack([self.columns(points)[:, place], slack], axis=1)
                self.program.blocks.append(
                    LinearBlock(own, column, np.hstack([[[1.0], [1.0]], sign]))
                )
            else:
                path += [place, place]
                rows = np.hstack([rows, own])
                self.program.blocks.append(LinearBlock(own, slack[:, None], sign))
            self.program.blocks.append(QuadraticBlock(slack[:, None], price, square / 2))
        return rows

    def _limits_between(self) -> None:
        """Rates of controls between the nodes."""
        times = self.fractions[self.controlled]
        gaps = np.diff(times)
        for name, (low, high) in self.problem.rates.items():
            k = self.problem.names.controls.index(name)
            n = len(gaps)
            rows = self.program.more_rows(low, high, (n, 1), np.arange(n))
            pairs = np.stack([self.v_at[:-1, k], self.v_at[1:, k]], axis=1)
            if not self.horizon.free:
                change = np.array([[-1.0, 1.0]]) / (self.horizon.span * gaps)[:, None, None]
                self.program.blocks.append(LinearBlock(rows, pairs, change))
                continue
            columns = np.hstack([pairs, np.tile(self.T_at, (n, 1))])
            self.program.blocks.append(
                DifferencedBlock(
                    rows, columns, lambda z: ((z[:, 1] - z[:, 0]) / gaps / z[:, 2])[:, None]
                )
            )

    def _ends(self) -> None:
        """Rows of both ends, and of the last one alone."""
        problem, program, states = self.problem, self.program, self.problem.names.states
        if problem.periodic:
            places = [states.index(name) for name in problem.periodic]
            shift = np.array(list(problem.periodic.values()))
            n = len(places)
            rows = program.more_rows(
                shift[:, None], shift[:, None], (n, 1), np.full(n, self.count - 1)
            )
            pairs = np.stack([self.x_at[0, places], self.x_at[-1, places]], axis=1)
            program.blocks.append(LinearBlock(rows, pairs, [[-1.0, 1.0]]))
        if problem.final_set is not None:
            matrix, level = problem.final_set
            row = program.more_rows(-np.inf, level, (1,), [self.count - 1])
            program.blocks.append(
                QuadraticFormBlock(int(row[0]), self.x_at[-1], matrix, problem.center)
            )
        if problem.final_matrix is not None:
            program.blocks.append(
                QuadraticFormBlock(0, self.x_at[-1], problem.final_matrix, problem.center)
            )
        of_p = [problem.final_cost.get(name, (0.0, 0.0)) for name in problem.free]
        if any(w for w, _ in of_p):
            w, c = np.array(of_p).T
            program.blocks.append(QuadraticBlock(self.p_at, 0.0, w, c))
        if self.horizon.free and problem.time_cost:
            program.blocks.append(QuadraticBlock(self.T_at, problem.time_cost))

    # -- unknowns from values, and back ----------------------------------------------------------

    def put(self, w: Array, values: Mapping[str, ArrayLike]) -> None:
        """Write the guess of `OptimalControl.guess` into the unknowns w."""
        problem = self.problem
        q, u, v = problem.guessed(values, self)
        self.coordinates.set_guess(q)
        w[self.x_at] = self.coordinates.reduced(q, u, np.arange(self.count))
        w[self.v_at] = v
        known = dict(problem.model.parameters) | problem.parameters
        for k, (name, (low, high)) in enumerate(problem.free.items()):
            w[self.p_at[k]] = np.clip(values.get(name, known[name]), low, high)
        w[self.T_at] = np.clip(values.get("T", problem.t_span), *problem.t_bounds)

    def span(self, w: Array) -> float:
        """T"""
        return float(w[self.T_at[0]]) if self.horizon.free else self.horizon.span

    def parameters(self, w: Array) -> dict[str, float]:
        """Values of fixed and free parameters."""
        return self.motion.fixed | dict(zip(self.motion.free, w[self.p_at].tolist(), strict=True))

    def states(self, w: Array) -> tuple[Array, Array]:
        """(q, u) at all nodes."""
        at = np.arange(self.count)
        return self.coordinates.full(w[self.x_at], at, self.parameters(w))

    @property
    def staged(self) -> bool:
        """True where unknowns and rows are those of single steps, as fatrop takes them."""
        own = self.problem
        apart = own.soft, own.rates, own.periodic, len(self.p_at), len(self.T_at)
        return self.method is None and not any(apart)
