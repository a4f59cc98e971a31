"""A linearized model: second-order matrices, state space, and what their entries mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.derivatives.operating_point import OperatingPoint
from eomc.runtime.model.errors import LinearizationError
from eomc.runtime.names.near_names import places_of

if TYPE_CHECKING:
    from eomc.runtime.linearization.discretization import DiscreteModel
    from eomc.runtime.linearization.frequency_response import FrequencyResponse
    from eomc.runtime.linearization.modes import Modes


_CYCLIC = 1e-9


@dataclass(frozen=True)
class LinearModel:
    """Small motions about a state.

        x' = A x + B v,   y = C x + D v,   x = (z, w)

    z are displacements, w speeds beyond those of the state itself, v inputs, y outputs; behind w
    stand the states of elements. Without these and without nonholonomic constraints also, in
    displacements alone,

        mass z'' + damping z' + stiffness z = forcing v

    For the state it was taken at, the matrices are exact; along a motion that is not steady they
    are those of the instant. Where speeds are body rates, z are displacements along the body's axes
    and z' is not w (see `transport`).

    Attributes
    ----------
    name : str
    states, inputs, outputs : tuples of str
        Names of the entries of x, v and y.
    coordinates : tuple of str
        Names of z: of the coordinates themselves, ``displacement(...)`` for body rates.
    A, B, C, D : (nx, nx), (nx, nv), (ny, nx), (ny, nv)
    point : OperatingPoint
    basis : (nu, nz)
        Displacements of all coordinates for unit z: the identity unless there are constraints.
    displacements : tuple of str
        Names of the rows of `basis`.
    transport : (nz, nz)
        W of z' = w + W z; zero where speeds are the rates of coordinates.
    steps : mapping of str to array
        For differences, the steps that were used by "q", "u", "a".
    multipliers : (m,)
        Constraint forces in the state, if there are constraints.
    inertia : (nw, nw)
        Mass matrix of the speeds w.
    """

    name: str
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    coordinates: tuple[str, ...]
    A: Array
    B: Array
    C: Array
    D: Array
    point: OperatingPoint
    basis: Array
    displacements: tuple[str, ...]
    transport: Array
    second_order: tuple[Array, Array, Array, Array] | None = None
    steps: dict[str, Array] = field(default_factory=dict)
    multipliers: Array = field(default_factory=lambda: np.zeros(0))
    redundant: tuple[str, ...] = ()
    element_states: tuple[str, ...] = ()
    inertia: Array | None = None

    # -- second order ----------------------------------------------------------------------------

    def _second_order(self) -> tuple[Array, Array, Array, Array]:
        if self.second_order is None and self.element_states:
            raise LinearizationError(
                f"{self.name!r} has no second-order form: elements have states of their own "
                f"({', '.join(self.element_states)}); use A, B, C, D"
            )
        if self.second_order is None:
            raise LinearizationError(
                f"{self.name!r} has no second-order form: constraints on the speeds alone leave "
                f"{len(self.coordinates)} displacements and "
                f"{len(self.states) - len(self.coordinates)} speeds; use A, B, C, D, or "
                "without_cyclic()"
            )
        return self.second_order

    @property
    def mass(self) -> Array:
        """M (nz, nz)."""
        return self._second_order()[0]

    @property
    def damping(self) -> Array:
        """C (nz, nz): damping and gyroscopic terms."""
        return self._second_order()[1]

    @property
    def stiffness(self) -> Array:
        """K (nz, nz): elastic, gravitational and inertial terms."""
        return self._second_order()[2]

    @property
    def forcing(self) -> Array:
        """(nz, nv)"""
        return self._second_order()[3]

    # -- parts -----------------------------------------------------------------------------------

    def without(self, *names: str) -> LinearModel:
        """The model without displacements that act on nothing else, such as a vehicle's place.

        Raises LinearizationError, naming what it acts on, for one that does; ValueError for unknown
        names.
        """
        drop = sorted(set(places_of(names, self.states, "no state")))
        keep = [i for i in range(len(self.states)) if i not in drop]
        scale = float(np.abs(self.A).max(initial=0.0)) or 1.0
        for column in drop:
            reached = np.abs(self.A[keep, column])
            if reached.size and reached.max() > _CYCLIC * scale:
                onto = self.states[keep[int(np.argmax(reached))]]
                raise LinearizationError(
                    f"state {self.states[column]!r} acts on {onto!r} and cannot be left out"
                )
            outputs = np.abs(self.C[:, column])
            if outputs.size and outputs.max() > 0:
                seen = [n for n, entry in zip(self.outputs, outputs, strict=True) if entry > 0]
                if any(name not in names for name in seen):
                    raise LinearizationError(
                        f"output {seen[0]!r} shows state {self.states[column]!r}, which cannot "
                        "be left out then"
                    )
        rows = [i for i, name in enumerate(self.outputs) if name not in names]
        return replace(
            self,
            states=tuple(self.states[i] for i in keep),
            coordinates=tuple(name for name in self.coordinates if name not in names),
            outputs=tuple(self.outputs[i] for i in rows),
            A=self.A[np.ix_(keep, keep)],
            B=self.B[keep],
            C=self.C[np.ix_(rows, keep)],
            D=self.D[rows],
            basis=self.basis[:, [i for i, n in enumerate(self.coordinates) if n not in names]],
            transport=np.zeros((0, 0)),
            second_order=None,
            inertia=None,
        )

    def without_cyclic(self) -> LinearModel:
        """The model in the displacements that are left after cyclic ones, in second-order form.

        Displacements that act on nothing but one another, such as the place of a vehicle, are left
        out, and so are speeds that act on none of the others, such as that of travel. Its states
        are the displacements that are left and their rates. Also about steady motions with
        constraints on speeds alone, which have no such form otherwise. See
        `eomc.runtime.linearization.steady`. Raises LinearizationError where this does not hold.
        """
        from eomc.runtime.linearization.steady import without_cyclic

        return without_cyclic(self)

    def select(
        self, *, inputs: Sequence[str] | None = None, outputs: Sequence[str] | None = None
    ) -> LinearModel:
        """The model with these inputs and outputs only, in this order."""
        rows = self._places("output", self.outputs, outputs)
        columns = self._places("input", self.inputs, inputs)
        second = self.second_order
        return replace(
            self,
            inputs=tuple(self.inputs[i] for i in columns),
            outputs=tuple(self.outputs[i] for i in rows),
            B=self.B[:, columns],
            C=self.C[rows],
            D=self.D[np.ix_(rows, columns)],
            second_order=None if second is None else (*second[:3], second[3][:, columns]),
        )

    @staticmethod
    def _places(what: str, known: tuple[str, ...], wanted: Sequence[str] | None) -> list[int]:
        if wanted is None:
            return list(range(len(known)))
        return places_of([wanted] if isinstance(wanted, str) else wanted, known, f"no {what}")

    # -- analysis --------------------------------------------------------------------------------

    def modes(self) -> Modes:
        """Eigenvalues, frequencies, damping ratios and mode shapes; see `Modes`."""
        from eomc.runtime.linearization.modes import modes_of

        return modes_of(self)

    def frequency_response(self, omega: Any) -> FrequencyResponse:
        """C (i omega - A)^-1 B + D at the angular frequencies `omega` [rad/s]."""
        from eomc.runtime.linearization.frequency_response import frequency_response

        return frequency_response(self, omega)

    def discrete(self, period: float) -> DiscreteModel:
        """A, B, C and D from sample to sample, exact where inputs are held over a period [s].

        A_d = e^(A T), B_d = int_0^T e^(A s) ds B (zero-order hold). Raises ValueError for a period
        that is not positive.
        """
        from eomc.runtime.linearization.discretization import DiscreteModel, zero_order_hold

        a, b = zero_order_hold(self.A, self.B, period)
        return DiscreteModel(
            a, b, self.C, self.D, float(period), self.states, self.inputs, self.outputs
        )

    def to_control(self) -> Any:
        """python-control's ``StateSpace``, names kept. ImportError without that package."""
        from eomc.runtime.linearization.state_space import to_control

        return to_control(self)

    def as_dict(self) -> dict[str, Any]:
        """For JSON: names, the state, all matrices."""
        second = {}
        if self.second_order is not None:
            second = {
                "M": self.mass.tolist(),
                "C": self.damping.tolist(),
                "K": self.stiffness.tolist(),
                "forcing": self.forcing.tolist(),
            }
        point = self.point
        return {
            "name": self.name,
            "states": list(self.states),
            "inputs": list(self.inputs),
            "outputs": list(self.outputs),
            "coordinates": list(self.coordinates),
            "point": {
                "q": point.q.tolist(),
                "u": point.u.tolist(),
                "a": point.a.tolist(),
                "tau": point.tau.tolist(),
                "t": point.t,
                **({"z": point.z.tolist()} if self.element_states else {}),
            },
            "second_order": second,
            "first_order": {
                "A": self.A.tolist(),
                "B": self.B.tolist(),
                "C": self.C.tolist(),
                "D": self.D.tolist(),
            },
            "steps": {name: used.tolist() for name, used in self.steps.items()},
            "multipliers": self.multipliers.tolist(),
            "redundant": list(self.redundant),
        }

    def _repr_html_(self) -> str:
        """For notebooks: A, B, C and D where they are small, and the modes."""
        from eomc.runtime.report.of_results import linear_model

        return linear_model(self)

    def __repr__(self) -> str:
        return (
            f"<LinearModel {self.name!r}: {len(self.states)} states, {len(self.inputs)} inputs, "
            f"{len(self.outputs)} outputs>"
        )
