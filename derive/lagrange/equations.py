"""Equations of motion given in SymPy, as named functions to be read, evaluated and emitted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from eomc.derive.graph import (
    Argument,
    Function,
    GraphError,
    Guard,
    Parameter,
    Program,
    flops,
    nodes,
    reachable,
    symbols,
)
from eomc.derive.lagrange.derivation import Derivation
from eomc.derive.lagrange.variables import Constant, Variables
from eomc.derive.model.errors import ModelError
from eomc.derive.model.near_names import near_names
from eomc.derive.quantity import quantities

D = TypeVar("D", bound=Derivation)

FORCE_UNITS = "N m or N"

_MEANING = {
    "q": ("coordinates", "rad or m"),
    "u": ("generalized speeds", "rad/s or m/s"),
    "a": ("time derivatives of the generalized speeds", "rad/s^2 or m/s^2"),
    "tau": ("generalized forces on the speeds", FORCE_UNITS),
    "du": ("displacement", "rad or m"),
    "q0": ("coordinates, from", "rad or m"),
    "q1": ("coordinates, to", "rad or m"),
    "r": ("inputs", ""),
    "t": ("time", "s"),
}


@dataclass(frozen=True)
class Kind(Generic[D]):
    """A named function before it is made for a system.

    `inputs` are the arrays it takes in order. Inputs r and time t come after them if the system has
    any and the function `sees_forces`, or if its outputs depend on them. `core` functions are
    emitted unless others are asked for; `exists` says which systems have the function at all.
    """

    name: str
    inputs: tuple[str, ...]
    description: str
    make: Callable[[D], Sequence[Argument]]
    sees_forces: bool = False
    guards: Callable[[D], Sequence[Guard]] | None = None
    core: bool = True
    exists: Callable[[D], bool] | None = None


class SymbolicEquations(ABC, Generic[D]):
    """Named functions on a graph; a subclass says how they are derived.

    Every name in `functions` is an attribute: a `Quantity` in the user's own symbols (a named tuple
    of them for several outputs).
    """

    def __init__(self, name: str, variables: Variables) -> None:
        self.name = name
        self.variables = variables
        self._derivations: dict[frozenset[str], D] = {}
        self._made: dict[tuple[frozenset[str], str], Function] = {}

    @abstractmethod
    def _derive(self, symbolic: Collection[str]) -> D:
        """A derivation with the constants `symbolic` as symbols."""

    @abstractmethod
    def _all_kinds(self) -> Mapping[str, Kind[D]]:
        """Every function that some system of this sort has."""

    @abstractmethod
    def _metadata(self) -> dict[str, object]:
        """What the manifest says of the constraints."""

    # -- names -----------------------------------------------------------------------------------

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of q in order."""
        return self.variables.coordinate_names

    @property
    def speeds(self) -> tuple[str, ...]:
        """Names of u in order."""
        return self.variables.speed_names

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of r in order."""
        return self.variables.input_names

    @property
    def parameters(self) -> dict[str, float | None]:
        """Values of the constants by name; None where none was given."""
        return {constant.name: constant.value for constant in self.variables.constants}

    @cached_property
    def kinds(self) -> dict[str, Kind[D]]:
        """The functions of this system."""
        d = self.derivation(self.variables.constant_names)
        kinds = self._all_kinds().items()
        return {name: kind for name, kind in kinds if kind.exists is None or kind.exists(d)}

    @property
    def functions(self) -> tuple[str, ...]:
        """Names of all functions that can be read or emitted."""
        return tuple(self.kinds)

    # -- reading ---------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self.kinds:
            known = "" if name.startswith("_") else f"; {near_names(name, self.kinds)}"
            raise AttributeError(f"{type(self).__name__} has no function {name!r}{known}")
        d = self.derivation(self.variables.constant_names)
        return quantities(d.graph, self._function(d, name), self.variables.written(), d.values)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.kinds]

    @property
    def operations(self) -> dict[str, int]:
        """Additions, subtractions, multiplications and divisions of each core function."""
        d = self.derivation(self.variables.constant_names)
        core = [name for name, kind in self.kinds.items() if kind.core]
        return {name: flops(d.graph, self._function(d, name).nodes) for name in core}

    # -- derivation ------------------------------------------------------------------------------

    def derivation(self, symbolic: Collection[str]) -> D:
        """The derivation with the constants `symbolic` as symbols, kept for the next call."""
        key = frozenset(symbolic)
        if key not in self._derivations:
            self._derivations[key] = self._derive(key)
        return self._derivations[key]

    def _function(self, d: D, name: str) -> Function:
        key = (frozenset(d.symbolic), name)
        if key not in self._made:
            if name not in self.kinds:
                raise ModelError(
                    f"{self.name!r} has no function {name!r}; {near_names(name, self.kinds)}"
                )
            try:
                self._made[key] = self._make(d, self.kinds[name])
            except GraphError as error:
                raise ModelError(f"{self.name!r}, {name}: {error}") from None
        return self._made[key]

    def _make(self, d: D, kind: Kind[D]) -> Function:
        outputs = tuple(kind.make(d))
        guards = tuple(kind.guards(d)) if kind.guards else ()
        inputs = tuple(self._argument(d, array) for array in self._arrays(kind))
        return Function(kind.name, inputs, outputs, kind.description, guards)

    def _arrays(self, kind: Kind[D]) -> list[str]:
        """Input arrays of a function: the same however many constants are baked in."""
        d = self.derivation(self.variables.constant_names)
        if kind.sees_forces:
            has_inputs, has_time = bool(d.r), self._uses_time
        else:
            outputs = [node for output in kind.make(d) for node in output.entries]
            reached = set(reachable(d.graph, outputs))
            has_inputs = any(entry.node in reached for entry in d.r)
            has_time = d.time.node in reached
        return [*kind.inputs, *["r"] * has_inputs, *["t"] * has_time]

    @property
    @abstractmethod
    def _uses_time(self) -> bool:
        """True if time stands explicitly anywhere in the system."""

    def _argument(self, d: D, name: str) -> Argument:
        description, units = _MEANING[name]
        if name == "t":
            return Argument("t", (), (d.time.node,), description, units)
        rows = {
            **dict.fromkeys(("q", "q0", "q1"), self.coordinates),
            **dict.fromkeys(("u", "a", "tau", "du"), self.speeds),
            "r": self.inputs,
        }[name]
        entries = nodes(symbols(d.graph, name, len(rows)))
        return Argument(name, (len(rows),), entries, description, units, rows)

    # -- emission --------------------------------------------------------------------------------

    def tunable(self, names: Iterable[str] | str | None) -> tuple[Constant, ...]:
        """Constants that stay tunable: those declared so, those named, or "all"."""
        constants = self.variables.constants
        if names is None:
            return tuple(constant for constant in constants if constant.tunable)
        if names == "all":
            return constants
        chosen = {names} if isinstance(names, str) else {str(name) for name in names}
        known = self.variables.constant_names
        for name in sorted(chosen - set(known)):
            raise ModelError(f"no parameter {name!r} to tune; {near_names(name, known)}")
        return tuple(constant for constant in constants if constant.name in chosen)

    def program(
        self,
        functions: Iterable[str] | str | None = None,
        frames: Iterable[str] | None = None,
        tunable: Iterable[str] | str | None = None,
        name: str | None = None,
    ) -> Program:
        """What code generation emits.

        Parameters
        ----------
        functions : names, optional
            Functions to emit; by default all but the derivatives.
        frames : names, optional
            None or empty: a system given in SymPy has no frames to ask for.
        tunable : names or "all", optional
            Constants that stay tunable at run time; those declared so by default. The others are
            baked in as numbers.
        name : str, optional
            Prefix of the emitted names; the name of the system by default.

        Raises
        ------
        ModelError
            A constant has no value, a name is unknown, or the system is singular.
        """
        for frame in frames or ():
            raise ModelError(f"{self.name!r} has no frame {frame!r}: it is given without bodies")
        constants = self.tunable(tunable)
        missing = [c.name for c in self.variables.constants if c.value is None]
        if missing:
            raise ModelError(
                f"{self.name!r}: no value for parameter {', '.join(missing)}; give "
                f"parameters={{{missing[0]!r}: ...}}"
            )
        d = self.derivation([constant.name for constant in constants])
        if functions is None:
            chosen = [kind.name for kind in self.kinds.values() if kind.core]
        else:
            chosen = [functions] if isinstance(functions, str) else list(functions)
        arrays = {"q": self.coordinates, "u": self.speeds, "r": self.inputs}
        return Program(
            name=name or self.name,
            graph=d.graph,
            functions=tuple(self._function(d, function) for function in dict.fromkeys(chosen)),
            parameters=tuple(_parameter(constant) for constant in constants),
            index_names={array: names for array, names in arrays.items() if names},
            metadata={
                "model": self.name,
                "description": "",
                "coordinates": list(self.coordinates),
                "speeds": list(self.speeds),
                "inputs": list(self.inputs),
                "prescribed": [],
                "neutral": [0.0] * len(self.coordinates),
                "frames": [],
                "functions": list(self.functions),
                "joints": [],
                **self._metadata(),
            },
        )


def _parameter(constant: Constant) -> Parameter:
    assert constant.value is not None, "checked by program"
    return Parameter(
        constant.name, constant.name, constant.value, constant.units, constant.description
    )
