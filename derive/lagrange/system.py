"""A system declared by its Lagrangian in the user's own coordinates."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean
from sympy.physics.vector import dynamicsymbols

from eomc.derive.graph.sympy_parts import carried_out
from eomc.derive.lagrange.equations import SymbolicEquations
from eomc.derive.lagrange.lagrangian import Lagrangian, LagrangianDerivation
from eomc.derive.lagrange.variables import (
    Variables,
    check_prefix,
    declared_constants,
    declared_inputs,
    identifier,
    keyed,
    listed,
    quoted,
    split_coordinates,
    time_of,
    unique_identifiers,
)
from eomc.derive.language.errors import ModelError


class LagrangianSystem(SymbolicEquations[LagrangianDerivation]):
    """Lagrange's equations of a system given by scalar functions.

        d/dt dT/du - dT/dq + dV/dq + dD/du = Q + tau + A^T lambda,      u = q'

    Parameters
    ----------
    name : str
        C identifier; prefix of the emitted functions.
    coordinates : list
        Functions of time, such as ``dynamicsymbols("x theta")``, whose ``.diff()`` are the speeds;
        or pairs of plain symbols (coordinate, speed).
    kinetic_energy : sympy expression
        T(q, u, t), quadratic in the speeds (linear and constant terms may stand beside).
    potential_energy : sympy expression
        V(q, t).
    dissipation : sympy expression
        Rayleigh's function D(q, u, t): the losses are -dD/du.
    generalized_forces : dict
        Further forces Q by coordinate (or its name): expressions of q, u, t and the inputs.
    holonomic, nonholonomic : lists of sympy expressions
        phi(q, t) = 0, and psi(q, u, t) = 0 linear in the speeds; an ``Eq`` is left minus right.
    parameters : dict
        {symbol: value}; a value is a number, a `Parameter` with units and description, or None
        where the system is only read, not emitted.
    tunable : list or "all"
        Parameters that stay adjustable at run time; the others are baked in as numbers.
    inputs : list
        Symbols or functions of time given from outside. A function of time that moves the energies
        or constraints needs its time derivatives in this list too.
    prescribed : list
        Further coordinates, declared as `coordinates` are, whose motion is given from outside:
        ``motion=`` of a run. `generalized_forces` may act on them too.

    Raises
    ------
    ModelError
        Names the expression and what is wrong: an unknown symbol, a kinetic energy that is not
        quadratic, a coordinate without inertia, constraints that depend on each other, ...

    Notes
    -----
    Functions take (q, u, ...) and, after those, inputs ``r`` and time ``t`` where they depend on
    them. The speeds are the coordinate rates: ``integrate`` adds, ``normalize`` changes nothing.
    With constraints ``forward_dynamics`` solves for the accelerations that keep them, and
    ``constraint_forces`` are the multipliers: A^T lambda is the generalized force that the
    constraints exert. References: see `lagrangian`.

    Examples
    --------
    >>> theta = dynamicsymbols("theta")
    >>> m, l, g = sp.symbols("m l g")
    >>> pendulum = LagrangianSystem(
    ...     "pendulum",
    ...     coordinates=[theta],
    ...     kinetic_energy=m * l**2 * theta.diff() ** 2 / 2,
    ...     potential_energy=-m * g * l * sp.cos(theta),
    ...     parameters={m: 1.0, l: 0.5, g: 9.81},
    ... )
    >>> pendulum.mass_matrix.to_sympy()
    Matrix([[l**2*m]])
    >>> pendulum.bias.to_sympy()
    Matrix([[g*l*m*sin(theta(t))]])
    >>> pendulum.forward_dynamics.evaluate(q=[0.1], u=[0.0], tau=[0.0]).round(4).tolist()
    [-1.9587]
    """

    def __init__(
        self,
        name: str,
        coordinates: Iterable[Any],
        kinetic_energy: Any,
        potential_energy: Any = 0,
        dissipation: Any = 0,
        generalized_forces: Mapping[Any, Any] | None = None,
        holonomic: Iterable[Any] = (),
        nonholonomic: Iterable[Any] = (),
        parameters: Mapping[Any, Any] | Iterable[Any] | None = None,
        tunable: Collection[Any] | str = (),
        inputs: Iterable[Any] = (),
        prescribed: Iterable[Any] = (),
    ) -> None:
        variables = declared_variables(coordinates, parameters, tunable, inputs, prescribed)
        super().__init__(check_prefix(name), variables)
        forces = keyed(
            {} if generalized_forces is None else generalized_forces,
            (*variables.coordinates, *variables.prescribed),
            (*variables.coordinate_names, *variables.prescribed_names),
            "coordinate",
        )
        self.given = Lagrangian(
            _expression(kinetic_energy, "kinetic energy"),
            _expression(potential_energy, "potential energy"),
            _expression(dissipation, "dissipation"),
            {index: _expression(force, "generalized force") for index, force in forces.items()},
            _residuals(holonomic, "holonomic"),
            _residuals(nonholonomic, "nonholonomic"),
        )
        self.formulation(variables.constant_names)

    def _derive(self, symbolic: Collection[str]) -> LagrangianDerivation:
        return LagrangianDerivation(self.name, self.variables, self.given, symbolic)

    @property
    def traits(self) -> frozenset[str]:
        """Its energies and forces are given."""
        return super().traits | {"kinetic energy", "potential", "applied forces"}


def declared_variables(
    coordinates: Iterable[Any],
    parameters: Mapping[Any, Any] | Iterable[Any] | None,
    tunable: Collection[Any] | str,
    inputs: Iterable[Any],
    prescribed: Iterable[Any],
) -> Variables:
    """Symbols of a Lagrangian system; two that clash are refused."""
    given = listed(coordinates, "coordinates")
    time = time_of(given, dynamicsymbols._t)
    q, u = split_coordinates(given, time)
    if not q:
        raise ModelError("a system needs at least one coordinate")
    s, s_rate = split_coordinates(listed(prescribed, "prescribed"), time, "prescribed coordinate")
    r = declared_inputs(inputs)
    constants = declared_constants(parameters, tunable)
    every = unique_identifiers((*q, *s), "coordinates")
    names = every[: len(q)]
    variables = Variables(
        q,
        u,
        names,
        tuple(
            identifier(speed) if speed.is_Symbol else name
            for speed, name in zip(u, names, strict=True)
        ),
        r,
        unique_identifiers(r, "inputs"),
        constants,
        time,
        s,
        s_rate,
        every[len(q) :],
    )
    check_distinct(variables)
    return variables


def check_distinct(variables: Variables) -> None:
    """Every symbol has one meaning."""
    kinds = {
        "a coordinate": variables.coordinates,
        "a speed": variables.speeds,
        "an input": variables.inputs,
        "a prescribed coordinate": (*variables.prescribed, *variables.prescribed_rates),
        "a parameter": tuple(constant.symbol for constant in variables.constants),
        "time": (variables.time,),
    }
    meaning: dict[sp.Basic, str] = {}
    for kind, symbols in kinds.items():
        for symbol in symbols:
            other = meaning.setdefault(symbol, kind)
            if other != kind:
                raise ModelError(f"symbol {symbol} is {other} and {kind}; it can have one meaning")


def _expression(expr: Any, what: str) -> Any:
    """A SymPy expression, derivatives by time carried out."""
    try:
        expression = sp.sympify(expr, strict=True)
    except (sp.SympifyError, TypeError, ValueError, AttributeError):
        expression = None
    if not isinstance(expression, (sp.Expr, Boolean)):
        raise ModelError(f"{what}: {quoted(expr)} is no SymPy expression")
    return carried_out(expression)


def _residuals(constraints: Iterable[Any], kind: str) -> tuple[Any, ...]:
    """Expressions that a list of constraints says are zero."""
    residuals = []
    for i, constraint in enumerate(listed(constraints, kind)):
        expression = _expression(constraint, f"{kind}[{i}]")
        if isinstance(expression, sp.Equality):
            expression = expression.lhs - expression.rhs
        residuals.append(expression)
    return tuple(residuals)
