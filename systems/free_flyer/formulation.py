"""The explicit formulation of the literature as named functions, to be read and to be compiled.

Independent of the package's recursion over trees: kinematics, energy and equations of motion are
those of Moosavian 1996, chapters 2 and 3, in the coordinates listed there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Literal, get_args

from eomc.derive.dynamics.factor import factor
from eomc.derive.graph import Argument, Expression, Function, Guard, Parameter, Program, nodes
from eomc.derive.graph import symbols as graph_symbols
from eomc.derive.model.errors import ModelError
from eomc.derive.model.near_names import near_names
from eomc.derive.quantity import Quantity
from eomc.systems.free_flyer.barycentric import Barycentric
from eomc.systems.free_flyer.chain import Chain
from eomc.systems.free_flyer.direct_path import DirectPath
from eomc.systems.free_flyer.euler_parameters import euler_parameter_dynamics
from eomc.systems.free_flyer.explicit_dynamics import ExplicitDynamics
from eomc.systems.free_flyer.generalized_forces import generalized_force_matrix
from eomc.systems.free_flyer.kinematics import Kinematics
from eomc.systems.free_flyer.kinetic_energy import kinetic_energy
from eomc.systems.free_flyer.momenta import mass_center, momenta
from eomc.systems.free_flyer.quasi_coordinates import quasi_coordinate_dynamics
from eomc.systems.free_flyer.task_space import TaskSpace
from eomc.systems.free_flyer.topology import FreeFlyer

Form = Literal["euler_angles", "quasi_coordinates", "euler_parameters"]
Path = Literal["direct", "barycentric"]
Matrix = list[list[Expression]]

_KINDS: dict[str, Callable[[Chain], Kinematics]] = {
    "direct": DirectPath,
    "barycentric": Barycentric,
}


class Formulation:
    """Equations of motion H u' + C = Q of a free-flyer.

    Parameters
    ----------
    flyer : FreeFlyer
    form : "euler_angles", "quasi_coordinates" or "euler_parameters"
        u = q' in Euler angles (3.14); or u = v = (R', ^0omega_0, theta') with Euler angles (3.31)
        or with Euler parameters (3.49) as coordinates. A planar free-flyer has the first two.
    path : "direct" or "barycentric"
        Translation reference: the base's centre of mass, or the system's.
    symbolic : bool
        Keep all masses and lengths as parameters tunable at run time.

    `eomc.build` compiles it. Functions: see `function_names`. Raises ModelError for other forms.
    """

    def __init__(
        self,
        flyer: FreeFlyer,
        form: Form = "euler_angles",
        path: Path = "direct",
        *,
        symbolic: bool = False,
    ) -> None:
        for what, value, valid in (("form", form, get_args(Form)), ("path", path, get_args(Path))):
            if value not in valid:
                raise ModelError(f"{what} is {value!r}; valid: {', '.join(map(repr, valid))}")
        if flyer.planar and form == "euler_parameters":
            raise ModelError("a planar free-flyer has one angle and no Euler parameters")
        self.flyer, self.form, self.path = flyer, form, path
        attitude = "euler_parameters" if form == "euler_parameters" else "euler_angles"
        speeds = "rates" if form == "euler_angles" else "quasi"
        self.chain = Chain(flyer, attitude, speeds, symbolic=symbolic)  # type: ignore[arg-type]
        self.graph = self.chain.graph
        self.kinematics = _KINDS[path](self.chain)
        suffix = "" if path == "direct" else "_barycentric"
        self.name = f"{flyer.name}_{form}{suffix}"
        self._functions: dict[str, Function] = {}

    # -- names -----------------------------------------------------------------------------------

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of q: translation, attitude, joints."""
        at = "_C0" if self.path == "direct" else "_CM"
        translation = tuple(f"{axis}{at}" for axis in "xyz"[: self.chain.translations])
        attitude = {
            "angle": ("theta0",),
            "euler_angles": ("alpha0", "beta0", "gamma0"),
            "euler_parameters": ("epsilon1", "epsilon2", "epsilon3", "eta"),
        }[self.chain.attitude_kind]
        return (*translation, *attitude, *self.flyer.joint_names)

    @property
    def speeds(self) -> tuple[str, ...]:
        """Names of u, entry by entry; base rates are named by what they turn about."""
        if self.form == "euler_angles" or self.flyer.planar:
            return self.coordinates
        return (*self.coordinates[:3], "omega_x", "omega_y", "omega_z", *self.flyer.joint_names)

    # -- equations -------------------------------------------------------------------------------

    @cached_property
    def explicit(self) -> ExplicitDynamics:
        """H, C1, C2 term by term; in Euler-angle rates."""
        if self.form != "euler_angles":
            raise ModelError(f"C1 and C2 are those of the form 'euler_angles', not {self.form!r}")
        return ExplicitDynamics(self.kinematics)

    @cached_property
    def equations(self) -> tuple[Matrix, list[Expression]]:
        """(H, C)"""
        if self.form == "euler_angles":
            return self.explicit.mass_matrix, self.explicit.nonlinear_terms
        if self.form == "quasi_coordinates":
            return quasi_coordinate_dynamics(self.kinematics)
        return euler_parameter_dynamics(self.kinematics, _KINDS[self.path])

    @property
    def lower(self) -> list[Expression]:
        """Lower triangle of H, row by row."""
        return [row[j] for i, row in enumerate(self.equations[0]) for j in range(i + 1)]

    # -- functions -------------------------------------------------------------------------------

    @property
    def function_names(self) -> tuple[str, ...]:
        """Names of all functions."""
        common = (
            *("mass_matrix", "bias", "forward_dynamics", "kinetic_energy", "momenta"),
            *("center_of_mass", "coordinate_rates", "normalize", "neutral"),
            "generalized_force_matrix",
        )
        return (*common, *_OF_RATES) if self.form == "euler_angles" else common

    def _function(self, name: str) -> Function:
        if name not in self.function_names:
            raise ModelError(
                f"{self.name!r} has no function {name!r}; {near_names(name, self.function_names)}"
            )
        if name not in self._functions:
            self._functions[name] = getattr(self, f"_{name}")()
        return self._functions[name]

    def quantity(self, name: str, output: int = 0) -> Quantity:
        """An output of a function, to be read or evaluated."""
        function = self._function(name)
        values = {name: parameter.default for name, parameter in self._symbolic().items()}
        return Quantity(self.graph, function.outputs[output], function.inputs, values=values)

    def program(
        self, functions: Iterable[str] | str | None = None, name: str | None = None
    ) -> Program:
        """What code generation emits; all functions by default."""
        chosen = self.function_names if functions is None else functions
        chosen = (chosen,) if isinstance(chosen, str) else tuple(chosen)
        return Program(
            name=name or self.name,
            graph=self.graph,
            functions=tuple(self._function(function) for function in chosen),
            parameters=tuple(self._symbolic().values()),
            index_names={"q": self.coordinates, "u": self.speeds},
            metadata={
                "model": self.name,
                "description": self.flyer.description,
                "coordinates": list(self.coordinates),
                "speeds": list(self.speeds),
                "functions": list(self.function_names),
                "neutral": [1.0 if name == "eta" else 0.0 for name in self.coordinates],
            },
        )

    def _symbolic(self) -> dict[str, Parameter]:
        """The data kept as symbols, by name."""
        if not self.chain.symbolic:
            return {}
        return {
            name: Parameter(name, name, q.value, q.units, q.description)
            for name, q in self.flyer.quantities().items()
        }

    def _make(
        self,
        name: str,
        inputs: Sequence[str],
        description: str,
        outputs: Sequence[Argument],
        guards: Sequence[Guard] = (),
    ) -> Function:
        rows = {"q": self.coordinates, "u": self.speeds, "tau": self.speeds}
        arguments = tuple(
            Argument(
                array,
                (len(rows[array]),),
                nodes(graph_symbols(self.graph, array, len(rows[array]))),
                *_MEANING[array],
                rows[array],
            )
            for array in inputs
        )
        return Function(name, arguments, tuple(outputs), description, tuple(guards))

    def _vector(
        self, name: str, values: Sequence[Expression], description: str, units: str = ""
    ) -> Argument:
        return Argument(name, (len(values),), nodes(values), description, units)

    def _matrix(self, name: str, rows: Matrix, description: str) -> Argument:
        entries = tuple(entry.node for row in rows for entry in row)
        return Argument(name, (len(rows), len(rows[0])), entries, description)

    def _mass_matrix(self) -> Function:
        matrix = self._matrix("H", self.equations[0], "mass matrix")
        return self._make("mass_matrix", ("q",), "Mass matrix H(q).", [matrix])

    def _bias(self) -> Function:
        terms = self._vector("C", self.equations[1], "nonlinear terms", "N m or N")
        return self._make("bias", ("q", "u"), "Nonlinear terms C(q, u).", [terms])

    def _forward_dynamics(self) -> Function:
        matrix, terms = self.equations
        size = len(terms)
        lower = {(i, j): matrix[i][j] for i in range(size) for j in range(i + 1)}
        factored = factor({k: v for k, v in lower.items() if not v.is_zero}, size)
        tau = graph_symbols(self.graph, "tau", size)
        a = factored.solve([force - term for force, term in zip(tau, terms, strict=True)])
        guards = [
            Guard(pivot.node, "singular_mass_matrix")
            for pivot in factored.pivots
            if not pivot.is_constant
        ]
        return self._make(
            "forward_dynamics",
            ("q", "u", "tau"),
            "u' = H^-1 (tau - C).",
            [self._vector("a", a, "rates of the speeds", "rad/s^2 or m/s^2")],
            guards,
        )

    def _kinetic_energy(self) -> Function:
        energy = Argument("T", (), (kinetic_energy(self.kinematics).node,), "kinetic energy", "J")
        return self._make("kinetic_energy", ("q", "u"), "Kinetic energy T(q, u).", [energy])

    def _momenta(self) -> Function:
        linear, angular = momenta(self.kinematics)
        outputs = [
            self._vector("P", list(linear), "linear momentum", "kg m/s"),
            self._vector("L", list(angular), "angular momentum about the CM", "kg m^2/s"),
        ]
        return self._make("momenta", ("q", "u"), "Momenta of the system, inertial axes.", outputs)

    def _center_of_mass(self) -> Function:
        center = self.chain.reference + mass_center(self.kinematics)[0]
        output = self._vector("com", list(center), "centre of mass of the system", "m")
        return self._make("center_of_mass", ("q",), "Centre of mass R_CM.", [output])

    def _coordinate_rates(self) -> Function:
        rates = self._vector("q_rate", self.chain.coordinate_rates, "q'", "rad/s or m/s")
        return self._make("coordinate_rates", ("q", "u"), "Rates of the coordinates.", [rates])

    def _normalize(self) -> Function:
        q = list(self.chain.q)
        if self.form == "euler_parameters":
            kappa = q[3:7]
            length = sum((entry * entry for entry in kappa), start=self.chain.zero).sqrt()
            q[3:7] = [entry / length for entry in kappa]
        output = self._vector("q_unit", q, "coordinates, Euler parameters at unit length")
        return self._make("normalize", ("q",), "q with kappa . kappa = 1.", [output])

    def _neutral(self) -> Function:
        values = [self.chain.zero + (name == "eta") for name in self.coordinates]
        output = self._vector("q", values, "reference configuration")
        return self._make("neutral", (), "Reference configuration.", [output])

    def _generalized_force_matrix(self) -> Function:
        matrix = self._matrix("J_Q", generalized_force_matrix(self.chain), "Q = J_Q (f, n, tau)")
        return self._make(
            "generalized_force_matrix", ("q",), "J_Q of the actuators, base axes.", [matrix]
        )

    @cached_property
    def task(self) -> TaskSpace:
        """The controlled outputs."""
        return TaskSpace(self.kinematics)

    def _task_outputs(self) -> Function:
        outputs = self._vector("outputs", self.task.outputs(), "controlled outputs", "m or rad")
        return self._make("task_outputs", ("q",), "Controlled outputs.", [outputs])

    def _task_jacobian(self) -> Function:
        matrix = self._matrix("J_c", self.task.jacobian(), "output rates by q'")
        return self._make("task_jacobian", ("q",), "Jacobian of the outputs.", [matrix])

    def _task_jacobian_rate(self) -> Function:
        matrix = self._matrix("J_c_rate", self.task.jacobian_rate(), "rate of J_c")
        return self._make("task_jacobian_rate", ("q", "u"), "Rate of the Jacobian.", [matrix])


_MEANING = {
    "q": ("coordinates", "rad or m"),
    "u": ("speeds", "rad/s or m/s"),
    "tau": ("generalized forces", "N m or N"),
}
_OF_RATES = (*("task_outputs", "task_jacobian", "task_jacobian_rate"),)
