"""Equations of motion as named functions, to be read, evaluated, counted and emitted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

from eomc.derive.equations.quantity import SymbolicQuantity, quantities
from eomc.derive.equations.symbolic_function import SymbolicFunction
from eomc.derive.functions.core import CORE
from eomc.derive.functions.formulation import Arrays
from eomc.derive.functions.registry import KINDS, Kind
from eomc.derive.graph import Function, GraphError, Program, TunableParameter, flops
from eomc.derive.graph.progress import say
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names

F = TypeVar("F", bound=Arrays)

ALL_PARAMETERS = "all"


class NamedEquations(ABC, Generic[F]):
    """Named functions of one system; a subclass says what they are derived from.

    Every function (`function_names`) is an attribute: a `SymbolicQuantity` that reads as SymPy,
    LaTeX or text, with all parameters as symbols; a named tuple of them for several outputs.
    `program` prepares emission, with the parameters that are not tunable baked in as numbers.
    """

    name: str
    description: str = ""

    def __init__(self) -> None:
        self._formulations: dict[frozenset[str], F] = {}
        self._functions: dict[tuple[frozenset[str], str], Function] = {}

    # -- what it is derived from -----------------------------------------------------------------

    @abstractmethod
    def _derive(self, symbolic: Collection[str]) -> F:
        """A formulation with the parameters `symbolic` as symbols."""

    @property
    @abstractmethod
    def traits(self) -> frozenset[str]:
        """Traits of the system, out of `eomc.derive.functions.registry.TRAITS`."""

    @property
    @abstractmethod
    def coordinates(self) -> tuple[str, ...]:
        """Names of q in order."""

    @property
    @abstractmethod
    def speeds(self) -> tuple[str, ...]:
        """Names of u in order."""

    @property
    @abstractmethod
    def declared(self) -> Mapping[str, TunableParameter]:
        """All parameters by name, with their values at the moment."""

    @property
    def _values(self) -> dict[str, float]:
        """Numbers of the parameters that have one."""
        return {name: parameter.default for name, parameter in self.declared.items()}

    @property
    @abstractmethod
    def _tunable(self) -> tuple[str, ...]:
        """Parameters that stay tunable if none are named."""

    @abstractmethod
    def _facts(self, given: F, functions: Collection[str]) -> dict[str, object]:
        """Of the system, in the manifest, beside what is told of all."""

    def _index_names(self, given: F) -> dict[str, tuple[str, ...]]:
        """Names of the entries of arrays."""
        return {
            "q": given.coordinate_names,
            "u": given.speed_names,
            "r": given.input_names,
            "s": given.prescribed_names,
            "z": given.element_state_names,
        }

    def _limits(self, given: F) -> dict[str, tuple[float, ...]]:
        """Limits of the entries of arrays, as `Program.limits` has them."""
        return {}

    def _own_kinds(self) -> Iterable[Kind]:
        """Functions of this system beside those of all."""
        return ()

    def _written(self, function: Function, given: F) -> Mapping[str, Any]:
        """SymPy forms of symbol nodes, by node name.

        A coordinate bears its own name, the entries of all other inputs are led by the input's.
        """
        return {
            str(given.graph.value[node]): row if argument.name == "q" else f"{argument.name}_{row}"
            for argument in function.inputs
            for node, row in zip(argument.entries, argument.rows, strict=False)
        }

    def _further_inputs(self, kind: Kind) -> Sequence[str]:
        """Of r and t, what matters to a function beside what its kind says."""
        return ()

    # -- names -----------------------------------------------------------------------------------

    @cached_property
    def kinds(self) -> Mapping[str, Kind]:
        """Every function that this system has, by name."""
        kinds = {name: kind for name, kind in KINDS.items() if not kind.lacks(self.traits)}
        return kinds | {kind.name: kind for kind in self._own_kinds()}

    @property
    def function_names(self) -> tuple[str, ...]:
        """Names of all functions that can be read or emitted."""
        return tuple(self.kinds)

    def _unknown(self, name: str) -> str:
        """Message that there is no function `name`: what the system lacks for it, or near names."""
        reason = KINDS[name].lacks(self.traits) if name in KINDS else ""
        if reason:
            return f"model {self.name!r} has no function {name!r}: {reason}"
        return f"{self.name!r} has no function {name!r}; {near_names(name, self.kinds)}"

    @property
    def frames(self) -> tuple[str, ...]:
        """Names of the frames whose kinematics can be asked for."""
        return ()

    @property
    def frame_bodies(self) -> dict[str, str]:
        """Bodies that declared frames are fixed to."""
        return {}

    # -- reading ---------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:  # a Quantity, or a tuple of them
        if name.startswith("_") or name not in self.kinds:
            raise AttributeError(self._unknown(name))
        return self._read(name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.kinds]

    def quantities(self, name: str) -> tuple[SymbolicQuantity, ...]:
        """The outputs of function `name`, with all parameters as symbols."""
        found = self._read(name)
        return found if isinstance(found, tuple) else (found,)

    def function(self, name: str, tunable: Iterable[str] | str | None = None) -> SymbolicFunction:
        """Function `name` to be written in other packages: ``to_casadi()``, ``to_jax()``.

        Parameters are numbers but for those of `tunable`, by default those declared so, which are a
        last input ``p``. Raises `ModelError` for an unknown name.
        """
        program = self.program(functions=[name], tunable=tunable)
        return SymbolicFunction(program.graph, program.functions[0], program.parameters)

    def _read(self, name: str) -> Any:
        given = self.formulation(self.declared)
        function = self._function(given, name)
        return quantities(given.graph, function, self._written(function, given), self._values)

    @property
    def operations(self) -> dict[str, int]:
        """Additions, subtractions, multiplications and divisions of each core function as
        emitted."""
        program = self.program()
        return {f.name: flops(program.graph, f.nodes) for f in program.functions}

    def _repr_html_(self) -> str:
        """For notebooks and reports: its equations where they are small, and what it costs."""
        from eomc.derive.equations.shown import equations_html

        return equations_html(self)

    # -- emission --------------------------------------------------------------------------------

    def formulation(self, symbolic: Collection[str]) -> F:
        """The derivation with the parameters `symbolic` as symbols, kept for the next call."""
        key = frozenset(symbolic)
        if key not in self._formulations:
            self._formulations[key] = self._derive(key)
        return self._formulations[key]

    def _function(self, given: F, name: str) -> Function:
        key = (frozenset(given.symbolic), name)
        if key not in self._functions:
            if name not in self.kinds:
                raise ModelError(self._unknown(name))
            kind = self.kinds[name]
            try:
                self._functions[key] = kind.function(given, self._further_inputs(kind))
            except GraphError as error:
                raise ModelError(f"{self.name!r}, {name}: {error}") from None
        return self._functions[key]

    def tunable(self, names: Iterable[str] | str | None) -> tuple[str, ...]:
        """Parameters that stay tunable: those declared so, those named, or "all"."""
        parameters = self.declared
        if names is None:
            return self._tunable
        if names == ALL_PARAMETERS:
            return tuple(parameters)
        chosen = {names} if isinstance(names, str) else {str(name) for name in names}
        for name in sorted(chosen - set(parameters)):
            raise ModelError(f"no parameter {name!r} to tune; {near_names(name, parameters)}")
        return tuple(name for name in parameters if name in chosen)

    def program(
        self,
        functions: Iterable[str] | str | None = None,
        frames: Iterable[str] | None = None,
        tunable: Iterable[str] | str | None = None,
        name: str | None = None,
        small: bool = False,
    ) -> Program:
        """Program that code generation emits.

        Parameters
        ----------
        functions : names, optional
            Functions to emit; by default `CORE`, and `CLOSURE` if the model is over-constrained.
            Frame functions may be named too; of those in `CORE`, what the system has not is left
            out.
        frames : names, optional
            Frames (or bodies) whose five functions are emitted; the declared frames by default, if
            `functions` is not given.
        tunable : names or "all", optional
            Parameters that stay tunable at run time; those declared tunable by default.
        name : str, optional
            Prefix of the emitted names; made from the system's name by default.
        small : bool
            Functions as loops over the bodies where that is possible (`eomc.derive.rolled`).

        Raises
        ------
        ModelError
            A name is unknown, a parameter has no value, or the system is singular.
        """
        given = self.formulation(self.tunable(tunable))
        asked = [*self._chosen(functions, given), *self._of_frames(functions, frames)]
        names, emitted = list(dict.fromkeys(asked)), list[Function]()
        for k, function in enumerate(names, start=1):
            say(f"deriving {function} of {self.name}, {k} of {len(names)}")
            emitted.append(self._emitted(given, function, small=small))
        return Program(
            name=name or self._prefix,
            graph=given.graph,
            functions=tuple(self._with_loops(given, emitted, small=small)),
            parameters=tuple(self.declared[parameter] for parameter in given.symbolic),
            index_names={array: rows for array, rows in self._index_names(given).items() if rows},
            metadata=self._metadata(given, names),
            limits=self._limits(given),
        )

    def default_functions(self, tunable: Iterable[str] | str | None = None) -> list[str]:
        """Names of the functions that are emitted if none are asked for."""
        return self._chosen(None, self.formulation(self.tunable(tunable)))

    def frame_functions(self) -> list[str]:
        """Names of the functions of declared frames, emitted with the usual ones."""
        return self._of_frames(None, None)

    def _chosen(self, functions: Iterable[str] | str | None, given: F) -> list[str]:
        """Names of the functions to emit."""
        if functions is None:
            return [function for function in self._core(given) if function in self.kinds]
        asked = [functions] if isinstance(functions, str) else list(functions)
        # All of CORE is what the system has of it; drives and constraints are not in every one.
        left_out = CORE if set(CORE) <= set(asked) else ()
        return [name for name in asked if name in self.kinds or name not in left_out]

    def _core(self, given: F) -> tuple[str, ...]:
        """Names of what is emitted if nothing is asked for, as far as the system has it."""
        return CORE

    def _of_frames(
        self, functions: Iterable[str] | str | None, frames: Iterable[str] | None
    ) -> list[str]:
        """Names of the functions of frames to emit."""
        for frame in frames or ():
            raise ModelError(f"{self.name!r} has no frame {frame!r}: it is given without bodies")
        return []

    def _metadata(self, given: F, functions: Collection[str]) -> dict[str, object]:
        return {
            "model": self.name,
            "description": self.description,
            "coordinates": list(given.coordinate_names),
            "speeds": list(given.speed_names),
            "inputs": list(given.input_names),
            "prescribed": list(given.prescribed_names),
            "neutral": given.neutral,
            "frames": list(self.frames),
            "frame_bodies": self.frame_bodies,
            "functions": list(self.kinds),
            **self._facts(given, functions),
        }

    @property
    def _prefix(self) -> str:
        """Prefix of the emitted names."""
        return self.name

    def _emitted(self, given: F, name: str, *, small: bool) -> Function:
        """A function as code generation gets it, without its loops."""
        return self._function(given, name)

    def _with_loops(self, given: F, functions: list[Function], *, small: bool) -> list[Function]:
        """Functions with the loops that may stand for them; without bodies as they are."""
        return functions
