"""The equations of motion of a model, ready to be read, evaluated and emitted."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, overload

from eomc.derive.equations.metadata import Metadata
from eomc.derive.equations.named import NamedEquations
from eomc.derive.functions import frame_derivative_kind, frame_kinds
from eomc.derive.functions.core import CLOSURE, CORE, OF_INERTIA
from eomc.derive.functions.dynamics import pivots_positive
from eomc.derive.functions.frames import identifier
from eomc.derive.functions.registry import Kind
from eomc.derive.graph import Function, TunableParameter, flops
from eomc.derive.graph.tuning import FEWEST_SPEEDS, LONG_FUNCTION
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names
from eomc.derive.model.elastic_amplitudes import elastic_amplitudes
from eomc.derive.model.model import Model
from eomc.derive.model.moving_mass import has_moving_mass
from eomc.derive.model.singularity import moves_without_mass, singular
from eomc.derive.picture.picture import body_points
from eomc.derive.rolled import BLOCKED, BlockedFunctions, rolled_functions
from eomc.derive.system import System
from eomc.derive.system.base_parameters import Regressor, SymbolicBaseParameters, base_parameters
from eomc.derive.system.redundancy import Redundancy, redundancy

N = TypeVar("N", bound=NamedEquations[Any])


class Equations(NamedEquations[System]):
    """Named symbolic functions of a model on one expression graph.

    Every function (`mass_matrix`, `bias`, `forward_dynamics`, ...; see `function_names`) is an
    attribute: a `Quantity` that reads as SymPy, LaTeX or text, with all parameters of the model as
    symbols. A function of several outputs gives a tuple of them. `program` prepares emission, with
    the parameters that are not tunable baked in as numbers. In SymPy a coordinate bears its own
    name, the entries of all other inputs are led by the input's: ``hinge``, ``u_hinge``,
    ``tau_hinge``.

    Examples
    --------
    >>> from eomc.derive.model import Model
    >>> model = Model("pendulum", gravity=(0, 0, "-g"))
    >>> _ = [model.parameter(name, value) for name, value in (("m", 1.0), ("l", 0.5), ("g", 9.81))]
    >>> model.body("bob", mass="m", com=(0, 0, "-l"))
    >>> model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    >>> pendulum = equations(model)
    >>> pendulum.mass_matrix.to_sympy()
    Matrix([[l**2*m]])
    >>> pendulum.gravity.to_sympy()
    Matrix([[g*l*m*sin(hinge)]])
    """

    def __init__(self, model: Model) -> None:
        super().__init__()
        model.validate(inertia="error" if model.inertia == "error" else "ignore")
        self.model = model
        self.name, self.description = model.name, model.description
        self._blocked: dict[frozenset[str], BlockedFunctions] = {}

    def __reduce__(self) -> tuple[type[Equations], tuple[Model]]:
        """Pickled as the model; what was derived is derived anew."""
        return Equations, (self.model,)

    def _derive(self, symbolic: Collection[str]) -> System:
        return System(self.model, symbolic)

    def system(self, symbolic: Collection[str]) -> System:
        """The derivation with the parameters `symbolic` as symbols, kept for the next call."""
        return self.formulation(symbolic)

    # -- names -----------------------------------------------------------------------------------

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of q in order."""
        return self.model.coordinates

    @property
    def speeds(self) -> tuple[str, ...]:
        """Names of u in order."""
        return self.model.speeds

    @cached_property
    def traits(self) -> frozenset[str]:
        """Traits that the model has by its declarations."""
        model = self.model
        constrained = bool(model.constraints or model.cuts())
        acting = [element for table in model.acting().values() for element in table.values()]
        reacting = any(element.reacts_to() is not None for element in acting)
        has = {
            "prescribed_motions": model.prescribed_motions,
            "rigid bodies": not model.deformables,
            "uniform weight": not any(element.weighs for element in model.elements()),
            "drives": model.servo_constraints,
            "elastic amplitudes": elastic_amplitudes(model),
            "inputs": model.inputs,
            "constraints": constrained,
            "no constraints": not constrained,
            "free steps": not (constrained or model.prescribed_motions or model.element_states()),
            "speeds as rates": model.coordinates == model.speeds,
            "moving mass": has_moving_mass(model),
            "regular mass": not (constrained and moves_without_mass(model.snapshot().reduced)),
            "forces by reactions": reacting,
            "forces free of multipliers": not (reacting and constrained),
            "element states": model.element_states(),
            "element outputs": model.element_outputs(),
            "element lines": any(element.drawn_lines() for element in model.elements()),
            "body lines": body_points(model),
            "strains": model.stretching(),
            "element switches": model.element_switches(),
            "rigid contacts": any(e.closes() for e in acting),
            "latches": model.latches,
            "contact equations": not reacting
            and any(e.closes() or e.rubs() for e in acting)
            and all(e.is_impulsive for e in acting),
        }
        always = ("bodies", "kinetic energy", "potential", "applied forces")
        return frozenset(
            [*always, "tangent displacements", *(trait for trait, found in has.items() if found)]
        )

    def _own_kinds(self) -> Iterator[Kind]:
        for frame in self.frames:
            yield from frame_kinds(frame)
            yield frame_derivative_kind(frame)

    @cached_property
    def frames(self) -> tuple[str, ...]:
        """Names of declared frames and bodies, whose kinematics can be asked for."""
        names = dict.fromkeys([*self.model.frames, *self.model.bodies])
        identifiers: dict[str, str] = {}
        for name in names:
            other = identifiers.setdefault(identifier(name), name)
            if other != name:
                raise ModelError(
                    f"frames {other!r} and {name!r} would have the same name "
                    f"{identifier(name)!r} in emitted code; rename one"
                )
        return tuple(names)

    @property
    def frame_bodies(self) -> dict[str, str]:
        """Bodies that declared frames are fixed to."""
        return {name: frame.body for name, frame in self.model.frames.items()}

    def redundancy(self) -> Redundancy:
        """Rank of the constraints, degrees of freedom, and which joint directions are redundant.

        Without loops and constraints there are no rows. `parameters` of the result are those
        tunable ones on whose default values a redundancy rests. Raises `ModelError` if the model
        cannot be assembled.
        """
        return redundancy(self.formulation(self.tunable(None)).constraints)

    def base_parameters(self) -> SymbolicBaseParameters:
        """Combinations of inertial numbers that forces of motion depend on, in symbols.

        See `eomc.derive.system.base_parameters`. Raises `ModelError` for models with loops or
        constraints, AttributeError for those that have no regressor, each with the reason.

        >>> from eomc.derive.model import Model
        >>> model = Model("pendulum", gravity=(0, 0, -9.81))
        >>> model.body("bob", mass=1, com=(0, 0, -0.5))
        >>> model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
        >>> print(equations(model).base_parameters().to_text())
        hinge.hx = hz_bob
        hinge.hy = hx_bob
        hinge.Jzz = Jyy_bob
        """
        if "constraints" in self.traits:
            raise ModelError(
                f"model {self.name!r} has loops or constraints; base parameters are found for "
                "open trees: cut the loops and leave constraints out"
            )
        system = self.formulation(tuple(self.model.parameters))
        names = self._function(system, "inertial_parameters").outputs[0].rows
        entries = self._function(system, "regressor").outputs[0].entries
        found = Regressor.of(system, entries, tuple(names), self._values)
        return base_parameters(self.model, self._values, found)

    # -- emission --------------------------------------------------------------------------------

    @property
    def declared(self) -> dict[str, TunableParameter]:
        return {
            name: TunableParameter(name, name, float(p.value), p.units, p.description)
            for name, p in self.model.parameters.items()
        }

    @property
    def _tunable(self) -> tuple[str, ...]:
        return tuple(name for name, p in self.model.parameters.items() if p.tunable)

    @property
    def _prefix(self) -> str:
        return program_name(self.name)

    def _core(self, given: System) -> tuple[str, ...]:
        core = (*CORE, *CLOSURE) if Metadata(self.model, given).open_rows() else CORE
        model = self.model
        if model.inertia == "error" or model.deformables:
            return core
        if singular(model.snapshot().reduced, model.defaults()) is None:
            return core
        return tuple(name for name in core if name not in OF_INERTIA)

    def _of_frames(
        self, functions: Iterable[str] | str | None, frames: Iterable[str] | None
    ) -> list[str]:
        if functions is None and frames is None:
            frames = self.model.frames
        chosen = []
        for frame in frames or ():
            if frame not in self.frames:
                raise ModelError(f"no frame or body {frame!r}; {near_names(frame, self.frames)}")
            chosen += [kind.name for kind in frame_kinds(frame)]
        return chosen

    def _with_loops(
        self, given: System, functions: list[Function], *, small: bool
    ) -> list[Function]:
        if small:
            rolled = rolled_functions(given, [function.name for function in functions])
            return [replace(f, rolled=rolled.get(f.name)) for f in functions]
        if given.nu < FEWEST_SPEEDS:
            return functions
        return [
            replace(f, blocked=self._loops(given).of(f.name)) if _is_long(given, f) else f
            for f in functions
        ]

    def _emitted(self, given: System, name: str, *, small: bool) -> Function:
        """One whose loops are faster by estimate is derived when its outputs are asked for."""
        kind = self.kinds.get(name)
        is_short = given.nu < FEWEST_SPEEDS or given.uses_time
        if small or is_short or kind is None or not kind.outline:
            return self._function(given, name)
        loops = self._loops(given)
        if not loops.win(name):
            return self._function(given, name)
        guards = pivots_positive(given) if kind.guards else ()
        return kind.deferred(given, guards, loops.begun(name), lambda: self._function(given, name))

    def _loops(self, given: System) -> BlockedFunctions:
        """Functions of one derivation as loops over blocks of columns."""
        return self._blocked.setdefault(frozenset(given.symbolic), BlockedFunctions(given))

    def _facts(self, given: System, functions: Collection[str]) -> dict[str, object]:
        return Metadata(self.model, given).facts(functions)

    def _limits(self, given: System) -> dict[str, tuple[float, ...]]:
        return Metadata(self.model, given).limits()


def _is_long(given: System, function: Function) -> bool:
    """True for a function that may be faster in loops."""
    if function.name not in BLOCKED:
        return False
    return function.is_deferred or flops(given.graph, function.nodes) > LONG_FUNCTION


def program_name(model: str) -> str:
    """Prefix of emitted names for a model of that name.

    >>> program_name("7-dof arm")
    'model_7_dof_arm'
    """
    name = identifier(model)
    return name if name[:1].isalpha() else f"model_{name}"


@overload
def equations(model: Model | str | os.PathLike[str]) -> Equations: ...


@overload
def equations(model: N) -> N: ...


def equations(model: Any) -> Any:
    """Return the equations of motion of `model`, a `Model` or the path of its file.

    A system that is its own equations (`LagrangianSystem`, ...) is given back. Checks the model
    first; raises `ModelError` with the element's name and place if it is malformed or physically
    impossible. Derivation itself happens function by function, when asked for.
    """
    declared: object = model
    if isinstance(model, str | os.PathLike):
        from eomc.derive.formats.load import load

        declared = load(Path(model))
    if isinstance(declared, NamedEquations):
        return declared
    if not isinstance(declared, Model):
        kind = type(declared).__name__
        raise ModelError(
            f"cannot derive {kind!r}; give a Model, the path of its file, or a "
            "system given in SymPy"
        )
    return Equations(declared)
