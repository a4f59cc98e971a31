"""Sensitivities of eigenvalues, eigenvectors, frequencies and damping ratios to parameters.

With (lambda E + F) x = 0 and left vectors y^T (lambda E + F) = 0, of a simple eigenvalue

    lambda' = - y^T (F' + lambda E') x / (y^T E x)
    (lambda E + F) x' = -(F' + lambda' E + lambda E') x,   one entry of x, or x^T E x, held

and with lambda = -zeta omega + i omega sqrt(1 - zeta^2), omega its absolute value,

    zeta'  = -sqrt(1 - zeta^2) (sqrt(1 - zeta^2) Re lambda' + zeta Im lambda') / omega
    omega' = -zeta Re lambda' + sqrt(1 - zeta^2) Im lambda'.

References: Fox and Kapoor, AIAA J. 6 (1968) 2426; Nelson, AIAA J. 14 (1976) 1201; Trom (1990),
appendix, whose (8.4), (8.6) and (8.8) are corrected here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.arrays import Array
from eomc.runtime.derivatives.differences import derivative
from eomc.runtime.derivatives.operating_point import OperatingPoint, Surroundings
from eomc.runtime.equilibria.equilibrium import Equilibrium, equilibrium
from eomc.runtime.equilibria.problem import Candidate, EquilibriumProblem
from eomc.runtime.equilibria.unknowns import unknowns
from eomc.runtime.linearization.linear_model import LinearModel
from eomc.runtime.linearization.linearize import linearize, surrounded
from eomc.runtime.linearization.modes import canonical_order, damping_ratio
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.errors import LinearizationError
from eomc.runtime.names.near_names import places_of, require_known

Complex = NDArray[np.complex128]
Normalization = Literal["largest", "pencil"]

# Condition of an eigenvalue beyond which it counts as repeated: a defective double root of rounding
# 1e-16 shows 1e8.
_SIMPLE = 1e6


@dataclass(frozen=True)
class EigenDerivatives:
    """Derivatives of the eigenvalues of lambda E + F along one direction.

    Attributes
    ----------
    eigenvalues : (n,)
    vectors : (k, n)
    rates : (n,)
        lambda'; meaningful where `simple`.
    vector_rates : (k, n)
        x'.
    simple : (n,) bool
        Where the eigenvalue is simple; only there derivatives exist.
    """

    eigenvalues: Complex
    vectors: Complex
    rates: Complex
    vector_rates: Complex
    simple: NDArray[np.bool_]


def eigen_derivatives(
    e: ArrayLike,
    f: ArrayLike,
    e_rate: ArrayLike,
    f_rate: ArrayLike,
    normalization: Normalization = "largest",
) -> EigenDerivatives:
    """Eigenvalues and eigenvectors of (lambda E + F) x = 0 with their derivatives.

    E is regular. Vectors are normalized to a largest entry of 1, or ("pencil") to x^T E x = 1.
    Rates of repeated eigenvalues are left zero and marked.
    """
    e_, f_ = np.asarray(e, dtype=float), np.asarray(f, dtype=float)
    de, df = np.asarray(e_rate, dtype=float), np.asarray(f_rate, dtype=float)
    import scipy.linalg

    values, left, right = scipy.linalg.eig(-f_, e_, left=True, right=True)
    order = canonical_order(values)
    values, left, right = values[order], left[:, order].conj(), right[:, order]
    n = len(values)
    rates, vector_rates = np.zeros(n, complex), np.zeros((len(e_), n), complex)
    vectors, simple = np.zeros_like(vector_rates), np.zeros(n, bool)
    for k in range(n):
        value, x, y = values[k], right[:, k], left[:, k]
        scale = np.linalg.norm(y) * np.linalg.norm(x) * np.linalg.norm(e_, 2)
        product = y @ e_ @ x
        largest = int(np.argmax(np.abs(x)))
        if normalization == "pencil" and abs(x @ e_ @ x) > 0:
            x = x / np.sqrt(x @ e_ @ x)
        else:
            x = x / x[largest]
        vectors[:, k] = x
        if abs(product) * _SIMPLE < scale:
            continue
        simple[k] = True
        changed = df + value * de
        rates[k] = -(y @ changed @ right[:, k]) / product
        shift = -(changed + rates[k] * e_) @ x
        row, right_side = np.zeros(len(x), complex), 0j
        if normalization == "pencil":
            row, right_side = (x @ (e_ + e_.T)).astype(complex), -(x @ de @ x)
        else:
            row[largest] = 1.0
        column = (y.conj() / np.linalg.norm(y))[:, None]
        bordered = np.block([[value * e_ + f_, column], [row[None], np.zeros((1, 1))]])
        vector_rates[:, k] = np.linalg.solve(bordered, np.append(shift, right_side))[:-1]
    return EigenDerivatives(values, vectors, rates, vector_rates, simple)


def damping_ratio_rate(eigenvalues: ArrayLike, rates: ArrayLike) -> Array:
    """zeta' of lambda and lambda'; zero where lambda is."""
    value, rate = np.asarray(eigenvalues, complex), np.asarray(rates, complex)
    omega, zeta = np.abs(value), damping_ratio(value)
    root = np.sqrt(np.maximum(1 - zeta**2, 0.0))
    # The formula is for the root above the real axis; its conjugate has the conjugate rate.
    imaginary = np.where(value.imag < 0, -rate.imag, rate.imag)
    found = -root * (root * rate.real + zeta * imaginary)
    return np.where(omega > 0, found / np.where(omega > 0, omega, 1.0), 0.0)


def natural_frequency_rate(eigenvalues: ArrayLike, rates: ArrayLike) -> Array:
    """omega' [rad/s] of lambda and lambda'; zero where lambda is."""
    value, rate = np.asarray(eigenvalues, complex), np.asarray(rates, complex)
    omega = np.abs(value)
    found = value.real * rate.real + value.imag * rate.imag
    return np.where(omega > 0, found / np.where(omega > 0, omega, 1.0), 0.0)


@dataclass(frozen=True)
class Sensitivities:
    """Derivatives of the modes of a linear model by tunable parameters.

    Attributes
    ----------
    parameters : tuple of str
    linear : LinearModel
    eigenvalues : (n,)
        In the order of ``linear.modes()``; conjugates included.
    shapes : (nx, n)
        Eigenvectors x, the largest entry 1.
    eigenvalue_rates : (number of parameters, n)
        d lambda / dp.
    shape_rates : (number of parameters, nx, n)
        dx / dp with that entry held at 1.
    simple : (n,) bool
        Where derivatives exist: repeated eigenvalues have none, and zeros stand there.
    mass, damping, stiffness, A : (number of parameters, ...)
        dM/dp, dC/dp, dK/dp, dA/dp; the first three are empty if there is no second-order form.
    """

    parameters: tuple[str, ...]
    linear: LinearModel
    eigenvalues: Complex
    shapes: Complex
    eigenvalue_rates: Complex
    shape_rates: Complex
    simple: NDArray[np.bool_]
    mass: Array
    damping: Array
    stiffness: Array
    A: Array

    @property
    def damping_ratio_rates(self) -> Array:
        """d zeta / dp, (number of parameters, n)."""
        return damping_ratio_rate(self.eigenvalues, self.eigenvalue_rates)

    @property
    def natural_frequency_rates(self) -> Array:
        """d omega / dp [rad/s per unit], (number of parameters, n)."""
        return natural_frequency_rate(self.eigenvalues, self.eigenvalue_rates)

    def of(self, parameter: str, mode: int) -> complex:
        """d lambda / dp of one mode; LinearizationError if its eigenvalue is repeated."""
        (place,) = places_of([parameter], self.parameters, "no parameter")
        if not self.simple[mode]:
            raise LinearizationError(
                f"{self.linear.name!r}: eigenvalue {mode + 1} ({self.eigenvalues[mode]:.4g}) is "
                "repeated and has no derivative"
            )
        return complex(self.eigenvalue_rates[place, mode])


def sensitivities(
    model: CompiledModel, state: Any = None, parameters: Sequence[str] | None = None, **options: Any
) -> Sensitivities:
    """Derivatives of eigenvalues, shapes, frequencies and damping ratios by tunable parameters.

    Exact, from the model's own derivatives; with constraints or states of elements, by extrapolated
    differences. About an
    `Equilibrium` the state follows the parameter:
    what it was solved for changes so that forces balance; any other state is held, with its
    accelerations.

    Parameters
    ----------
    model, state, **options : as of `linearize`
    parameters : names, optional
        Tunable parameters; all by default.

    Raises LinearizationError if the model has none or user forces act, ValueError for unknown
    names.
    """
    if not model.parameters:
        raise LinearizationError(
            f"model {model.name!r} has no tunable parameters: build it with tunable=[...]"
        )
    names = tuple(model.parameters if parameters is None else parameters)
    require_known(names, model.parameters, "no tunable parameter")
    linear = linearize(model, state, **options)
    point = linear.point
    around, _ = surrounded(model, state, options)
    if around.forces:
        raise LinearizationError("sensitivities with user forces: their change is not known")
    if model.is_constrained or model.element_states:
        return _gathered(
            names, linear, [_differenced(model, state, linear, n, options) for n in names]
        )
    everything = list(model.parameters)
    rows = []
    for name in names:
        along_p = np.eye(len(everything))[everything.index(name)]
        shift = _shift(around, state, name) if isinstance(state, Equilibrium) else {}
        rows.append(_changes(around, point, along_p, shift))
    return _gathered(names, linear, rows)


Changes = tuple[Array, Array, Array, Array]


def _gathered(
    names: tuple[str, ...], linear: LinearModel, rows: Sequence[Changes]
) -> Sensitivities:
    mass, damping, stiffness, a = (np.array(part) for part in zip(*rows, strict=True))
    one = np.eye(len(linear.A))
    found = [eigen_derivatives(one, -linear.A, 0 * one, -change) for change in a]
    return Sensitivities(
        names,
        linear,
        found[0].eigenvalues,
        found[0].vectors,
        np.array([part.rates for part in found]),
        np.array([part.vector_rates for part in found]),
        found[0].simple,
        mass,
        damping,
        stiffness,
        a,
    )


def _differenced(
    model: CompiledModel, state: Any, linear: LinearModel, name: str, options: dict[str, Any]
) -> Changes:
    """(M', C', K', A') with constraints or states of elements: extrapolated differences of the
    matrices, of A alone where there is no second-order form.

    Geometry that changes with a parameter changes the constraints' second derivatives too, which
    are not emitted; the equilibrium is solved anew for every value.
    """
    if model.is_constrained and not isinstance(state, Equilibrium):
        raise LinearizationError(
            f"model {model.name!r}: with constraints, sensitivities are those of an Equilibrium: "
            "any other state may leave the constraints when a parameter changes"
        )
    point, p = linear.point, surrounded(model, state, options)[0].excitation.p
    known = model.parameters if p is None else dict(zip(model.parameters, p.tolist(), strict=True))
    value = known[name]
    size = max(abs(value), 1e-3)
    held = {key: options[key] for key in options if key not in ("q", "u", "a", "z", "tau", "t")}

    def matrices(change: float) -> Array:
        parameters = {**known, name: value + size * change}
        if not isinstance(state, Equilibrium):
            given = {**held, "parameters": parameters, "t": point.t}
            return linearize(model, q=point.q, u=point.u, a=point.a, z=point.z, **given).A.ravel()
        moved = equilibrium(
            model,
            state.q,
            state.u,
            z=state.z if model.element_states else None,
            solve_for=state.solved_for,
            acceleration=state.acceleration,
            tau=state.tau,
            inputs=dict(state.inputs) or None,
            prescribed=state.prescribed,
            parameters=parameters,
        )
        independent = {"independent": linear.coordinates} if model.is_constrained else {}
        there = linearize(model, moved, **options | independent)
        second = () if there.second_order is None else there.second_order[:3]
        return np.concatenate([part.ravel() for part in (*second, there.A)])

    slope = derivative(matrices)[0] / size
    n, a = len(linear.coordinates), slope[len(slope) - linear.A.size :]
    mass, damping, stiffness = (
        slope[: 3 * n * n].reshape(3, n, n) if len(slope) > a.size else np.zeros((3, 0, 0))
    )
    return mass, damping, stiffness, a.reshape(linear.A.shape)


def _shift(around: Surroundings, state: Equilibrium, parameter: str) -> dict[str, Array]:
    """Derivatives of q, u, a of the equilibrium by the parameter."""
    model = around.model
    chosen = unknowns(model, state.solved_for)
    (along,) = unknowns(model, [parameter])
    problem = EquilibriumProblem(around, state.acceleration, (*chosen, along))
    at = Candidate(
        state.q,
        state.u,
        state.tau,
        np.array(list(state.inputs.values())),
        np.array(list(state.parameters.values())),
    )
    jacobian = problem.jacobian(at)
    change = -np.linalg.lstsq(jacobian[:, :-1], jacobian[:, -1], rcond=1e-11)[0]
    balance = jacobian[:, :-1] @ change + jacobian[:, -1]
    if np.abs(balance).max(initial=0.0) > 1e-8 * np.abs(jacobian[:, -1]).max(initial=1e-300):
        worst = model.speeds[int(np.argmax(np.abs(balance)))]
        raise LinearizationError(
            f"model {model.name!r}: no equilibrium beside this one when {parameter!r} changes: "
            f"the force on {worst!r} cannot be balanced by {', '.join(state.solved_for)}"
        )
    rates = {"along_q": np.zeros(model.nu), "along_u": np.zeros(model.nu)}
    arrays = {"displacement": "along_q", "speed": "along_u"}
    for unknown, rate in zip(chosen, change, strict=True):
        if unknown.kind == "input":
            raise LinearizationError(
                f"sensitivities about an equilibrium solved for the input {unknown.name!r} are not "
                "available: hold the input and solve for a displacement or a speed"
            )
        if unknown.kind in arrays:
            rates[arrays[unknown.kind]][unknown.place] = rate
    rates["along_a"] = state.acceleration.by_speeds(state.u) @ rates["along_u"]
    return rates


def _changes(
    around: Surroundings, point: OperatingPoint, along_p: Array, shift: dict[str, Array]
) -> Changes:
    """(M', C', K', A') along a parameter and the shift of the state."""
    zero = np.zeros(around.model.nu)
    directions = dict.fromkeys(("along_q", "along_u", "along_a"), zero) | shift
    values = {**point.values, **directions, "along_p": along_p}
    mass, damping, stiffness, w, w_rate = (
        np.asarray(x) for x in around.call("linearization", values)
    )
    dm, dc, dk, dw, dw_rate = (
        np.asarray(x) for x in around.call("linearization_derivative", values)
    )
    by_u = damping + mass @ w
    by_q = stiffness + by_u @ w + mass @ w_rate
    d_by_u = dc + dm @ w + mass @ dw
    d_by_q = dk + d_by_u @ w + by_u @ dw + dm @ w_rate + mass @ dw_rate
    lower = np.hstack([by_q, by_u])
    change = np.hstack([d_by_q, d_by_u])
    solved = np.linalg.solve(mass, lower)
    n = len(mass)
    upper = np.hstack([dw, np.zeros((n, n))])
    return dm, dc, dk, np.vstack([upper, -np.linalg.solve(mass, change - dm @ solved)])
