"""A compiled model: the functions of an extension module, and what they are about."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.autodiff.in_packages import InPackages
from eomc.runtime.model import ranges
from eomc.runtime.model.errors import UnknownFrameError
from eomc.runtime.model.frame_kinematics import QUESTIONS, FrameKinematics, function_names
from eomc.runtime.model.functions import RESERVED, ModelFunctions
from eomc.runtime.model.load import integrators_of, load_module
from eomc.runtime.model.needed_functions import (
    CLOSURE_NEEDS,
    LINEARIZATIONS,
    LINEARIZATIONS_NEED,
    REACTION_FRICTION_NEEDS,
    SOLVERS_NEED,
    STEPS_NEED,
    is_implicit,
    ways_to_steps,
)
from eomc.runtime.model.shown import ViewedModel
from eomc.runtime.names.displacement_names import displacement_names
from eomc.runtime.names.near_names import near_names

if TYPE_CHECKING:
    from eomc.runtime.autodiff.external import Linker
    from eomc.runtime.page import LiveModel

Extend = Callable[[tuple[str, ...] | None], Any]
"""Compiles the named functions of a model into a further library, or the usual ones if there are no
names, and loads it."""


class CompiledModel(ViewedModel, InPackages, ModelFunctions):
    """Functions of a compiled model, NumPy in and NumPy out.

    Every function of the module (`inverse_dynamics`, `forward_dynamics`, `mass_matrix`, `bias`,
    ...; see `functions`) is an attribute: the compiled function itself, nothing in between.
    One that is not compiled yet is compiled when it is first called.
    Arguments may carry leading batch dimensions, which broadcast; ``out=`` takes the result;
    ``parameters=`` the tunable ones, as an array or a mapping of those to change.

    Made by `eomc.build` or `eomc.runtime.load`.

    Attributes
    ----------
    name : str
    nq, nu : int
        Number of coordinates q and of speeds u; they differ where there are quaternions.
    coordinates, speeds : tuples of str
        Names of the entries of q and u in order; a one-coordinate joint's bears the joint's name.
    displacements : tuple of str
        Names of the tangent displacements, one a speed: a coordinate's where the speed is its rate.
    element_states : mapping of str to float
        Names of the entries of the states z of elements, and their initial values.
    inputs, prescribed : tuples of str
        Names of the entries of the inputs r and of the prescribed coordinates s.
    frames : tuple of str
        Frames and bodies that `frame` knows.
    initial_guess : mapping
        Coordinates near which the loops close, where the model tells.
    redundant : tuple of str
        Constraints that depend on others and are in no equation; `closure_residual` has them all.
    parameters : mapping of str to float
        Tunable parameters and their default values.
    lower, upper : (nq,) arrays [rad or m]
        Limits of the coordinates, infinite where there are none.
    velocity_limits, effort_limits : (nu,) arrays
        Limits of speeds and generalized forces, infinite where there are none.
    manifest : dict
        All of this and more, as the module bears it.
    mesh_folders : tuple of Path
        Where files of meshes are looked for when the model is shown.
    """

    def __init__(
        self,
        module: Any,
        extend: Extend | None = None,
        live: Callable[[Sequence[str]], LiveModel] | None = None,
        linker: Linker | None = None,
        later: Sequence[str] = (),
        configure: Callable[[Sequence[str]], CompiledModel] | None = None,
    ) -> None:
        manifest: dict[str, Any] = module.manifest
        manifest = {**manifest, "functions": dict(manifest["functions"])}
        metadata: Mapping[str, Any] = manifest.get("metadata", {})
        index_names: Mapping[str, Sequence[str]] = manifest.get("index_names", {})

        def names(key: str, array: str) -> tuple[str, ...]:
            return tuple(metadata.get(key, index_names.get(array, ())))

        self.name: str = manifest["name"]
        self.manifest = manifest
        self._later = tuple(later)
        self.coordinates = names("coordinates", "q")
        self.speeds = names("speeds", "u")
        self.inputs = names("inputs", "r")
        self.prescribed = names("prescribed", "s")
        self.frames: tuple[str, ...] = tuple(metadata.get("frames", ()))
        self.element_states: Mapping[str, float] = MappingProxyType(
            {entry["name"]: float(entry["initial"]) for entry in metadata.get("element_states", ())}
        )
        self.nq, self.nu = len(self.coordinates), len(self.speeds)
        self.displacements: tuple[str, ...] = tuple(
            metadata.get("displacements") or displacement_names(self.coordinates, self.speeds)
        )
        self.parameters: Mapping[str, float] = MappingProxyType(
            {entry["name"]: float(entry["default"]) for entry in manifest.get("parameters", ())}
        )
        self.redundant: tuple[str, ...] = tuple(metadata.get("redundant", ()))
        self.initial_guess: Mapping[str, float] = MappingProxyType(
            dict(metadata.get("initial_guess", {}))
        )
        joints = metadata.get("joints", ())
        self.lower = ranges.limits(joints, "lower", self.coordinates, -np.inf)
        self.upper = ranges.limits(joints, "upper", self.coordinates, np.inf)
        self.velocity_limits = ranges.limits(joints, "velocity_limit", self.speeds, np.inf)
        self.effort_limits = ranges.limits(joints, "effort_limit", self.speeds, np.inf)
        self.mesh_folders: tuple[Path, ...] = (Path(str(module.__file__)).parent,)
        self._joints = joints
        self._deviations = ranges.deviations(metadata)
        self._extend = extend
        self._live = live
        self._linker = linker
        self._configure = configure
        told = metadata.get("latches", ())
        own = frozenset(entry["name"] for entry in told if entry["closed"])
        self._latched: dict[frozenset[str], CompiledModel] = {own: self}
        self._lock = threading.RLock()
        self._modules: list[Any] = []
        self._functions: dict[str, Callable[..., Any]] = {}
        self._inputs: dict[str, tuple[str, ...]] = {}
        self._operations: dict[str, int] = {}
        self._solvers: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {}
        self._frames: dict[str, FrameKinematics] = {}
        self._available = dict.fromkeys(metadata.get("functions", ()))
        self._bind(module)

    @property
    def modules(self) -> tuple[Any, ...]:
        """Libraries of the functions that are compiled."""
        return tuple(self._modules)

    # -- functions -------------------------------------------------------------------------------

    def _bind(self, module: Any) -> None:
        """Make the functions of `module` attributes."""
        self._modules.append(module)
        for name, entry in module.manifest["functions"].items():
            self.manifest["functions"].setdefault(name, entry)
            function = getattr(module, entry["python"])
            self._functions[name] = function
            self._inputs[name] = tuple(argument["name"] for argument in entry["inputs"])
            self._operations[name] = sum(entry["operations"].values())
            self._available.setdefault(name)
            # A model function never hides what every model has; `function` finds it all the same.
            if not hasattr(type(self), name) and name not in RESERVED:
                self.__dict__[name] = function
        if self._keeps_constraints(module):
            runs = (entry["name"] for entry in module.manifest.get("rollouts", ()))
            for name in (*integrators_of(module), *runs):
                if hasattr(module, name):
                    self.__dict__.setdefault(name, getattr(module, name))
        for entry in module.manifest.get("rollouts", ()):
            if "contacts" in entry:
                self.__dict__.setdefault(entry["name"], getattr(module, entry["name"]))
        for entry in module.manifest.get("solvers", ()):
            self._solvers.setdefault(
                entry["name"], (getattr(module, entry["name"]), tuple(entry["inputs"]))
            )
            self.__dict__.setdefault(entry["name"], getattr(module, entry["name"]))

    @property
    def library(self) -> Path:
        """File of the compiled library; all usual functions of the model are in it."""
        with self._lock:
            if self._later and self._extend is not None:
                whole = self._extend(None)
                self._bind(whole)
                self._modules.remove(whole)
                self._modules.insert(0, whole)
                self._later = ()
            return Path(str(self._modules[0].__file__))

    @property
    def functions(self) -> tuple[str, ...]:
        """Names of the functions that are compiled."""
        return tuple(self._functions)

    @property
    def available_functions(self) -> tuple[str, ...]:
        """Names of the functions that are compiled or will be when they are asked for."""
        return self.functions if self._extend is None else tuple(self._available)

    def has_function(self, name: str) -> bool:
        """True if a function is compiled, or will be when it is asked for."""
        return name in (self._functions if self._extend is None else self._available)

    def function(self, name: str) -> Callable[..., Any]:
        """The compiled function `name`, compiled now if the model can be extended.

        Raises AttributeError, saying how to build the model with it, otherwise.
        """
        found = self._functions.get(name)
        return self._ensure((name,))[0] if found is None else found

    def prepare(self, *names: str) -> None:
        """Compile those of the named functions that are not compiled yet, all in one go.

        Raises AttributeError as `function` does.
        """
        self._ensure(names)

    def prepare_available(self, *names: str) -> None:
        """The same for those of the named functions that the model offers."""
        self.prepare(*(name for name in names if self.has_function(name)))

    def prepare_default(self) -> None:
        """The same for all usual functions, which are else compiled when they are first used."""
        self.prepare(*self._later)

    def inputs_of(self, name: str) -> tuple[str, ...]:
        """Names of the arguments of the function `name`, without p: ``("q", "u", "tau")``."""
        self.function(name)
        return self._inputs[name]

    def output_names(self, name: str) -> tuple[str, ...]:
        """Names of the rows of the first output of the function `name`, if they have any."""
        self.function(name)
        for module in self._modules:
            if name in module.manifest["functions"]:
                return tuple(module.manifest["functions"][name]["outputs"][0]["rows"])
        raise AttributeError(name)

    def outputs(self, *arguments: Any, **options: Any) -> dict[str, Any]:
        """Outputs of elements beside their forces, by ``element.output``: "rope.tension" [N].

        Takes what the function `element_outputs` takes; an entry is a number, or an array over the
        batch. Raises AttributeError as `function` does.
        """
        values = np.asarray(self.function("element_outputs")(*arguments, **options))
        rows = self.output_names("element_outputs")
        return dict(zip(rows, np.moveaxis(values, -1, 0), strict=True))

    def operations_of(self, name: str) -> int:
        """Operations of one call of the function `name`, sines and square roots counted as one."""
        self.function(name)
        return self._operations[name]

    def _ensure(self, names: tuple[str, ...]) -> list[Callable[..., Any]]:
        with self._lock:
            missing = tuple(name for name in names if name not in self._functions)
            if missing:
                self._compile(missing)
            return [self._functions[name] for name in names]

    def _compile(self, names: tuple[str, ...]) -> None:
        for name in names:
            if name == "rk4_rollouts":
                raise AttributeError(
                    f"model {self.name!r} has no rk4_rollouts; build it with lanes= or "
                    f"march_native=True, and {', '.join(self._needed_by_steps)}"
                )
            if name not in self._available:
                lacking = self.manifest.get("metadata", {}).get("unavailable", {})
                why = lacking.get(name) or near_names(name, self._available)
                raise AttributeError(f"model {self.name!r} has no function {name!r}; {why}")
        if self._extend is None:
            raise AttributeError(
                f"function {names[0]!r} of model {self.name!r} is not compiled; build it with "
                f"eomc.build(model, functions=[*eomc.CORE, {', '.join(map(repr, names))}])"
            )
        self._bind(self._extend(names))

    def _require(self, name: str) -> None:
        if name not in self._available:
            self._compile((name,))  # raises

    if not TYPE_CHECKING:  # so that a misspelt function is seen before it is called

        def __getattr__(self, name: str) -> Callable[..., Any]:
            # Reached only for what is neither an attribute nor compiled.
            if name.startswith("_"):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            if name in LINEARIZATIONS and self.is_constrained:
                return self.solver(name)[0]
            if is_implicit(name) or any(name in integrators_of(module) for module in self._modules):
                return self._projecting(name)
            if self._extend is not None and name in self._available:
                return Uncompiled(self, name)
            return self.function(name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._available})

    def integrator(self, name: str) -> tuple[Callable[..., Any], tuple[str, ...]] | None:
        """The compiled integrator `name` with the names of its arguments before h and steps.

        None if it is neither there nor can be compiled.
        """
        with self._lock:
            for needs in self._ways_to_steps(name):
                found = self._bound_integrator(name)
                if found or self._extend is None:
                    return found
                if all(need in self._available for need in needs):
                    self._bind(self._extend(needs))
            return self._bound_integrator(name)

    def _ways_to_steps(self, name: str) -> tuple[tuple[str, ...], ...]:
        return ways_to_steps(name, self._needed_by_steps, self.is_constrained)

    def integrator_record(self, name: str) -> Mapping[str, Any] | None:
        """The manifest's entry of the compiled integrator `name`: order, coefficients, limits.

        None as for `integrator`.
        """
        self.integrator(name)
        found = (integrators_of(module).get(name) for module in self._modules)
        return next((entry for entry in found if entry is not None), None)

    def _bound_integrator(self, name: str) -> tuple[Callable[..., Any], tuple[str, ...]] | None:
        for module in self._modules:
            entry = integrators_of(module).get(name)
            if entry is not None and ("contacts" in entry or self._keeps_constraints(module)):
                return getattr(module, name), tuple(entry["inputs"])
        return None

    def _projecting(self, name: str) -> Callable[..., Any]:
        """An integrator that is bound nowhere, as those that are compiled do not project."""
        found = self.integrator(name)
        if found is None:
            needs = self._ways_to_steps(name)[-1]
            lacking = self.manifest.get("metadata", {}).get("unavailable", {})
            for need in needs:
                if need in lacking:
                    raise AttributeError(f"model {self.name!r} has no {name!r}: {lacking[need]}")
            missing = (need for need in needs if need not in self._functions)
            why = "does not project onto the constraints" if self.is_constrained else "is missing"
            raise AttributeError(
                f"{name!r} of model {self.name!r} {why}; build it "
                f"with eomc.build(model, functions=[*eomc.CORE, {', '.join(map(repr, missing))}])"
            )
        return found[0]

    @property
    def is_constrained(self) -> bool:
        """True if the model has loops or other constraints that take freedoms away, compiled or
        not."""
        holds = not self.manifest.get("metadata", {}).get("all_constraints_redundant", False)
        return holds and "constraint_jacobian" in self._available

    @property
    def constraint_functions(self) -> tuple[str, ...]:
        """Functions that it takes to stay on the constraints; none without constraints."""
        if not self.is_constrained:
            return ()
        more = [*(CLOSURE_NEEDS if self.redundant else ())]
        more += [REACTION_FRICTION_NEEDS] if self.has_reaction_friction else []
        return (*SOLVERS_NEED, *more)

    @property
    def has_reaction_friction(self) -> bool:
        """True if forces depend on the multipliers of constraints, as friction of bearings does."""
        return self.is_constrained and "forces_by_multipliers" in self._available

    @property
    def _needed_by_steps(self) -> tuple[str, ...]:
        """Functions that compiled integrators call."""
        projection = self.constraint_functions
        # Equations of one's own may have constraints that no solver is emitted for.
        known = all(name in self._available for name in projection)
        return (*self._rates, *(projection if known else ()))

    @property
    def _rates(self) -> tuple[str, ...]:
        """Functions that give the rates of the state, and what normalizes it."""
        return (*STEPS_NEED, "element_state_rates") if self.element_states else STEPS_NEED

    def _keeps_constraints(self, module: Any) -> bool:
        """True if steps of the module end on the constraints, as far as any module's can."""
        return len(self._needed_by_steps) == len(self._rates) or "solvers" in module.manifest

    def solver(self, name: str) -> tuple[Callable[..., Any], tuple[str, ...]]:
        """The compiled solver `name` of the constraints, and the names of its arguments.

        Raises AttributeError if the model has no constraints, or is compiled without.
        """
        with self._lock:
            needed = self._needed_by(name)
            needs = [need for need in needed if need not in self._functions]
            if self.is_constrained and name not in self._solvers and self._extend is not None:
                self._bind(self._extend(needed))
            if name not in self._solvers:
                lacking = f"; build it with {', '.join(needs)}" if needs else ""
                if self.is_constrained and name == "reduced_linearization" and not needs:
                    lacking = "; with constraints on speeds alone there is 'state_space' only"
                raise AttributeError(
                    f"model {self.name!r} has no solver {name!r} of constraints{lacking}"
                )
            return self._solvers[name]

    def _needed_by(self, solver: str) -> tuple[str, ...]:
        """Functions that the solver calls."""
        if not self.is_constrained:
            return ()
        more = LINEARIZATIONS_NEED if solver in LINEARIZATIONS else ()
        inputs = ("input_matrix",) if more and self.inputs else ()
        return (*self.constraint_functions, *more, *inputs)

    # -- frames ----------------------------------------------------------------------------------

    def frame(self, name: str) -> FrameKinematics:
        """Kinematics of the frame or body `name`; see `FrameKinematics`.

        What is not compiled yet is compiled now, if the model can be extended. Raises KeyError with
        near names, or saying how to build the model with this frame.
        """
        known = self._frames.get(name)
        if known is not None:
            return known
        if name not in self.frames:
            raise UnknownFrameError(
                f"model {self.name!r} has no frame {name!r}; {near_names(str(name), self.frames)}"
            )
        names = function_names(name)
        if self._extend is None and not all(name in self._functions for name in names):
            compiled = [
                frame
                for frame in self.frames
                if all(name in self._functions for name in function_names(frame))
            ]
            raise UnknownFrameError(
                f"frame {name!r} of model {self.name!r} is not compiled; build it with "
                f"eomc.build(model, frames=[{name!r}, ...]); compiled: "
                + (", ".join(map(repr, compiled)) or "none")
            )
        functions = dict(zip(QUESTIONS, self._ensure(names), strict=True))
        self._frames[name] = FrameKinematics(name, self.name, functions)
        return self._frames[name]

    # -- latches -----------------------------------------------------------------------------------

    def latched(self, *closed: str) -> CompiledModel:
        """The model in which the latches of these names are closed at the start, and no others;
        compiled when it is first asked for.

        Raises ValueError for a name that is no latch's, or loops that cannot close, AttributeError
        for a model that was loaded and cannot be extended.
        """
        found = self._latched.get(key := frozenset(closed))
        if found is None:
            if self._configure is None:
                raise AttributeError(
                    f"model {self.name!r} is compiled for one set of closed latches; build it with "
                    "eomc.build to run it through others"
                )
            found = self._latched[key] = self._configure(closed)
            found._latched = self._latched  # each knows all that are compiled
        return found

    # -- configurations --------------------------------------------------------------------------

    def random_configuration(
        self, rng: np.random.Generator | int | None = None, size: int | tuple[int, ...] = ()
    ) -> Array:
        """``(*size, nq)``: coordinates drawn uniformly within the limits.

        Unit quaternions are uniform over all rotations. Without limits, angles are drawn from
        [-pi, pi], lengths from [-1, 1] m and internal coordinates of deformable bodies within a
        typical deviation (see `eomc.runtime.model.ranges`) of those at rest; lengths from the
        world's origin, where a mass there attracts, from a tenth about mu^(1/3), at which circles
        take a radian a second. `rng` is a NumPy generator, or the seed of a new one.
        """
        lengths = ranges.length_coordinates(self._joints)
        return ranges.random_configuration(
            *ranges.within(self._deviations, self.coordinates, self.lower, self.upper),
            [name in lengths for name in self.coordinates],
            ranges.quaternions(self._joints, self.coordinates),
            np.random.default_rng(rng),
            (size,) if isinstance(size, int) else tuple(size),
        )

    # -- itself ----------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return (
            f"<CompiledModel {self.name!r}: nq = {self.nq}, nu = {self.nu}, "
            f"{len(self._functions)} functions compiled>"
        )

    def __reduce__(self) -> tuple[Callable[..., CompiledModel], tuple[list[str]]]:
        """Pickled as the files it is made of; the copy cannot be extended."""
        return _from_files, (list(map(str, self.files())),)

    def files(self) -> tuple[Path, ...]:
        """Files of all compiled libraries, the usual functions among them."""
        self.prepare_default()
        return tuple(Path(str(module.__file__)) for module in self._modules)


class Uncompiled:
    """A function of a model that is compiled when it is first called, not when it is looked at."""

    def __init__(self, model: CompiledModel, name: str) -> None:
        self.__name__, self._model = name, model

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Compile, and call."""
        return self._model.function(self.__name__)(*arguments, **options)

    def __repr__(self) -> str:
        return f"<function {self.__name__!r} of {self._model.name!r}, compiled when called>"


def load(path: str | os.PathLike[str], *, trusted: bool = False) -> CompiledModel:
    """The compiled model in an extension module made by `eomc.build`, or in the folder around it.

    Needs NumPy only: neither the model file, nor SymPy, nor a compiler. The file is executed: one
    that others could have written, by its owner and mode or those of its folder, is refused unless
    it is `trusted`. Raises `LoadError`.
    """
    return CompiledModel(load_module(path, trusted))


def _from_files(paths: list[str]) -> CompiledModel:
    model = load(paths[0])
    for path in paths[1:]:
        model._bind(load_module(path))
    return model
