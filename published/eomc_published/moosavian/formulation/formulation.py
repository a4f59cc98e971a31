"""The explicit formulation of the literature as named functions, to be read and to be compiled.

Independent of the package's recursion over trees: kinematics, energy and equations of motion are
those of Moosavian 1996, chapters 2 and 3, in the coordinates listed there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import Literal, get_args

from eomc.derive.equations.named import NamedEquations
from eomc.derive.equations.quantity import SymbolicQuantity
from eomc.derive.functions import KINDS, Kind
from eomc.derive.graph import Expression, Function, TunableParameter
from eomc.derive.language.errors import ModelError
from eomc.systems.free_flyer.topology import FreeFlyer
from eomc_published.moosavian.formulation.barycentric import Barycentric
from eomc_published.moosavian.formulation.chain import Chain
from eomc_published.moosavian.formulation.direct_path import DirectPath
from eomc_published.moosavian.formulation.euler_parameters import euler_parameter_dynamics
from eomc_published.moosavian.formulation.explicit_dynamics import ExplicitDynamics
from eomc_published.moosavian.formulation.functions import OF_RATES, OWN, ExplicitQuantities
from eomc_published.moosavian.formulation.kinematics import Kinematics
from eomc_published.moosavian.formulation.quasi_coordinates import quasi_coordinate_dynamics
from eomc_published.moosavian.formulation.task_space import TaskSpace

Form = Literal["euler_angles", "quasi_coordinates", "euler_parameters"]
Path = Literal["direct", "barycentric"]
Matrix = list[list[Expression]]

_KINDS: dict[str, Callable[[Chain], Kinematics]] = {
    "direct": DirectPath,
    "barycentric": Barycentric,
}


class FreeFlyerFormulation(NamedEquations[ExplicitQuantities]):
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
        super().__init__()
        self.flyer, self.form, self.path = flyer, form, path
        attitude = "euler_parameters" if form == "euler_parameters" else "euler_angles"
        speeds = "rates" if form == "euler_angles" else "quasi"
        self.chain = Chain(flyer, attitude, speeds, symbolic=symbolic)  # type: ignore[arg-type]
        self.graph = self.chain.graph
        self.kinematics = _KINDS[path](self.chain)
        suffix = "" if path == "direct" else "_barycentric"
        self.name = f"{flyer.name}_{form}{suffix}"
        self.description = flyer.description

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
    def traits(self) -> frozenset[str]:
        """None: it has the functions named below."""
        return frozenset()

    @cached_property
    def kinds(self) -> Mapping[str, Kind]:
        """Those of all systems that the formulation states, and its own."""
        own = (*OWN, *OF_RATES) if self.form == "euler_angles" else OWN
        return {name: KINDS[name] for name in _SHARED} | {kind.name: kind for kind in own}

    def quantity(self, name: str, output: int = 0) -> SymbolicQuantity:
        """An output of a function, to be read or evaluated."""
        return self.quantities(name)[output]

    def _derive(self, symbolic: Collection[str]) -> ExplicitQuantities:
        return ExplicitQuantities(
            self.chain,
            self.kinematics,
            self.equations,
            (self.coordinates, self.speeds),
            tuple(self.declared),
        )

    def _core(self, given: ExplicitQuantities) -> tuple[str, ...]:
        return self.function_names

    @property
    def declared(self) -> dict[str, TunableParameter]:
        """The data kept as symbols, by name."""
        if not self.chain.symbolic:
            return {}
        return {
            name: TunableParameter(name, name, q.value, q.units, q.description)
            for name, q in self.flyer.quantities().items()
        }

    @property
    def _tunable(self) -> tuple[str, ...]:
        return tuple(self.declared)

    def _written(self, function: Function, given: ExplicitQuantities) -> Mapping[str, str]:
        return {}

    def _facts(self, given: ExplicitQuantities, functions: Collection[str]) -> dict[str, object]:
        return {}

    @cached_property
    def task(self) -> TaskSpace:
        """The controlled outputs."""
        return TaskSpace(self.kinematics)


_SHARED = (
    *("mass_matrix", "bias", "forward_dynamics", "kinetic_energy", "center_of_mass"),
    *("coordinate_rates", "normalize", "neutral"),
)
