"""The symbols of a system given in SymPy: coordinates, speeds, inputs, constants, time."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from eomc.derive.fields.parameter import Parameter
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names

TIME = "t"
_RATES = {1: "rate", 2: "acceleration"}
_LONGEST = 60
_DIGIT_FIRST = re.compile(r"\d")


@dataclass(frozen=True)
class Constant:
    """A symbolic constant: a parameter baked in as `value` or, if `tunable`, left to run time."""

    symbol: sp.Symbol
    name: str
    value: float | None
    tunable: bool = False
    units: str = ""
    description: str = ""


@dataclass(frozen=True)
class Variables:
    """Symbols of a system by their meaning, and their names in emitted code.

    `coordinates` and `speeds` are the SymPy symbols, functions of time or derivatives that stand in
    the user's expressions; `inputs` likewise, and `prescribed` coordinates with their rates, whose
    motion is given from outside.
    """

    coordinates: tuple[sp.Basic, ...]
    speeds: tuple[sp.Basic, ...]
    coordinate_names: tuple[str, ...]
    speed_names: tuple[str, ...]
    inputs: tuple[sp.Basic, ...]
    input_names: tuple[str, ...]
    constants: tuple[Constant, ...]
    time: sp.Symbol
    prescribed: tuple[sp.Basic, ...] = ()
    prescribed_rates: tuple[sp.Basic, ...] = ()
    prescribed_names: tuple[str, ...] = ()

    @property
    def constant_names(self) -> tuple[str, ...]:
        """Names of the constants, in order of declaration."""
        return tuple(constant.name for constant in self.constants)

    def rate(self, symbol: sp.Basic, order: int = 1) -> sp.Basic | None:
        """Time derivative of a function of time, None for a plain symbol."""
        is_function = isinstance(symbol, (AppliedUndef, sp.Derivative))
        return sp.diff(symbol, self.time, order) if is_function else None

    def accelerations(
        self, speeds: Sequence[sp.Basic], names: Sequence[str]
    ) -> tuple[sp.Basic, ...]:
        """Time derivatives of speeds; of plain symbols a symbol of the name with a d behind."""
        return tuple(
            self.rate(speed) or sp.Symbol(name + ("d" if speed.is_Symbol else ""))
            for speed, name in zip(speeds, names, strict=True)
        )

    @property
    def prescribed_accelerations(self) -> tuple[sp.Basic, ...]:
        """Time derivatives of the prescribed rates."""
        return self.accelerations(self.prescribed_rates, self.prescribed_names)

    def written(self) -> dict[str, sp.Basic]:
        """SymPy forms of the symbol nodes of the graph, by name: as the user wrote them."""
        names: dict[str, sp.Basic] = {TIME: self.time}
        arrays = {
            "q": self.coordinates,
            "u": self.speeds,
            "a": self.accelerations(self.speeds, self.speed_names),
            "tau": tuple(sp.Symbol(f"tau_{name}") for name in self.speed_names),
            "r": self.inputs,
            "s": self.prescribed,
            "s_rate": self.prescribed_rates,
            "s_acceleration": self.prescribed_accelerations,
        }
        for array, symbols in arrays.items():
            names.update((f"{array}[{i}]", symbol) for i, symbol in enumerate(symbols))
        names.update((constant.name, constant.symbol) for constant in self.constants)
        return names


def identifier(symbol: sp.Basic) -> str:
    """A C identifier made from the name of a symbol, ``f(t)`` or a time derivative of it.

    >>> t = sp.Symbol("t")
    >>> identifier(sp.Symbol("theta_{1}")), identifier(sp.Function("f")(t).diff(t))
    ('theta_1', 'f_rate')
    """
    suffix = ""
    if isinstance(symbol, sp.Derivative):
        order = sum(count for _, count in symbol.variable_count)
        suffix = "_" + _RATES.get(order, f"rate{order}")
        symbol = symbol.expr
    name = str(symbol.func) if isinstance(symbol, AppliedUndef) else str(symbol)
    word = re.sub(r"_?\W+_?", "_", name, flags=re.ASCII).strip("_")
    if not word or _DIGIT_FIRST.match(word):
        raise ModelError(f"symbol {name!r} gives no name; use letters, digits and _")
    return word + suffix


def unique_identifiers(symbols: Sequence[sp.Basic], kind: str) -> tuple[str, ...]:
    """Identifiers of `symbols`; two that agree are refused."""
    taken: dict[str, sp.Basic] = {}
    for symbol in symbols:
        word = identifier(symbol)
        if word in taken:
            raise ModelError(f"{kind} {taken[word]} and {symbol} would have the same name {word!r}")
        taken[word] = symbol
    return tuple(taken)


def is_function_of_time(symbol: Any) -> bool:
    """True for ``f(t)`` of one symbol."""
    return isinstance(symbol, AppliedUndef) and len(symbol.args) == 1 and symbol.args[0].is_Symbol


def quoted(value: Any) -> str:
    """`value` and its type on one short line, for an error."""
    text = " ".join(str(value).split())
    return f"{type(value).__name__} {text if len(text) <= _LONGEST else text[:_LONGEST] + '...'}"


def check_prefix(name: Any) -> str:
    """`name` itself, if it can lead the names of emitted functions."""
    if not isinstance(name, str) or identifier(sp.Symbol(name or "_")) != name:
        raise ModelError(f"the name is {quoted(name)}, no identifier; use letters, digits and _")
    return name


def listed(items: Any, what: str) -> list[Any]:
    """The items of a list, tuple, matrix or other collection that has an order."""
    if isinstance(items, sp.MatrixBase) or (
        isinstance(items, Iterable) and not isinstance(items, (str, set, frozenset, Mapping))
    ):
        return list(items)
    raise ModelError(f"{what} is a list, not {quoted(items)}")


def declared_inputs(inputs: Any) -> tuple[sp.Basic, ...]:
    """Inputs: symbols, functions of time and their derivatives."""
    symbols = tuple(listed(inputs, "inputs"))
    for symbol in symbols:
        of_time = symbol.expr if isinstance(symbol, sp.Derivative) else symbol
        if not isinstance(symbol, sp.Symbol) and not is_function_of_time(of_time):
            raise ModelError(
                f"input {quoted(symbol)}: give a symbol, a function of time, or a derivative of one"
            )
    return symbols


def split_coordinates(
    coordinates: Iterable[Any], time: sp.Symbol, kind: str = "coordinate"
) -> tuple[tuple[sp.Basic, ...], tuple[sp.Basic, ...]]:
    """(coordinates, speeds) of a list of ``q(t)`` or of pairs (q, speed) of plain symbols."""
    qs: list[sp.Basic] = []
    us: list[sp.Basic] = []
    for item in coordinates:
        pair = tuple(item) if isinstance(item, (tuple, list, sp.Tuple)) else (item,)
        if len(pair) == 2 and all(isinstance(symbol, sp.Symbol) for symbol in pair):
            qs.append(pair[0])
            us.append(pair[1])
        elif len(pair) == 1 and is_function_of_time(pair[0]) and pair[0].args[0] == time:
            qs.append(pair[0])
            us.append(sp.Derivative(pair[0], time))
        else:
            raise ModelError(
                f"{kind} {quoted(item)}: give a function of time {time} such as "
                "dynamicsymbols('q'), or a pair of symbols (coordinate, speed)"
            )
    for symbols in (qs, us):
        for symbol in symbols:
            if [*qs, *us].count(symbol) > 1:
                raise ModelError(f"symbol {symbol} stands for two coordinates or speeds")
    return tuple(qs), tuple(us)


def time_of(coordinates: Iterable[Any], default: sp.Symbol) -> sp.Symbol:
    """The symbol of time that the coordinates are functions of."""
    for item in coordinates:
        if is_function_of_time(item):
            return item.args[0]
    return default


def declared_constants(
    parameters: Mapping[Any, Any] | Iterable[Any] | None, tunable: Collection[Any] | str
) -> tuple[Constant, ...]:
    """Constants from {symbol: value}; a value is a number, None or a `Parameter`."""
    if isinstance(parameters, Mapping):
        given = list(parameters.items())
    else:
        given = [
            (key, None) for key in listed(() if parameters is None else parameters, "parameters")
        ]
    symbols = [sp.Symbol(key) if isinstance(key, str) and key else key for key, _ in given]
    for symbol in symbols:
        if not isinstance(symbol, sp.Symbol):
            raise ModelError(f"parameter {quoted(symbol)}: a parameter is a plain symbol")
    names = unique_identifiers(symbols, "parameters")
    if TIME in names:
        raise ModelError(f"a parameter must not be named {TIME!r}, the name of time")
    chosen = _chosen(tunable, names)
    return tuple(
        _constant(symbol, name, value, name in chosen)
        for symbol, name, (_, value) in zip(symbols, names, given, strict=True)
    )


def _chosen(tunable: Collection[Any] | str, names: Collection[str]) -> set[str]:
    if isinstance(tunable, str):
        if tunable != "all":
            raise ModelError('tunable is "all" or a list of parameters')
        return set(names)
    if not isinstance(tunable, Iterable):
        raise ModelError('tunable is "all" or a list of parameters')
    chosen = {identifier(item) if isinstance(item, sp.Basic) else str(item) for item in tunable}
    for name in sorted(chosen - set(names)):
        raise ModelError(f"no parameter {name!r} to tune; {near_names(name, names)}")
    return chosen


def _constant(symbol: sp.Symbol, name: str, value: Any, tunable: bool) -> Constant:
    if isinstance(value, Parameter):
        number = _number(name, value.value)
        return Constant(
            symbol, name, number, tunable or value.tunable, value.units, value.description
        )
    return Constant(symbol, name, None if value is None else _number(name, value), tunable)


def _number(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ModelError(f"parameter {name!r}: {quoted(value)} is not a finite real number")
    return number


def keyed(
    mapping: Mapping[Any, Any], symbols: Sequence[sp.Basic], names: Sequence[str], kind: str
) -> dict[int, Any]:
    """{index: value} of a mapping whose keys are symbols or their names."""
    if not isinstance(mapping, Mapping):
        raise ModelError(f"forces are a mapping from {kind} to expression, not {quoted(mapping)}")
    result: dict[int, Any] = {}
    find: Callable[[Any], int] = lambda key: (  # noqa: E731
        names.index(key) if isinstance(key, str) else list(symbols).index(key)
    )
    for key, value in mapping.items():
        try:
            result[find(key)] = value
        except ValueError:
            raise ModelError(f"no {kind} {str(key)!r}; {near_names(str(key), names)}") from None
    return result
