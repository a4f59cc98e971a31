"""Definitions that the loops of several functions share: steps, tables of numbers, columns."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from eomc.codegen.c.step import StepText, row_type, step_text
from eomc.codegen.language.comment import comment_block
from eomc.codegen.language.language import INDENT
from eomc.codegen.plan.errors import EmissionError
from eomc.codegen.plan.identifiers import Names
from eomc.codegen.plan.interface import EmittedFunction, Interface
from eomc.derive.graph import RolledStep

VECTORS = (64, 32, 16, 0)
"""Bytes of the vectors that compilers may know."""
_TAKEN = frozenset(("turn", "turns", "real", "parameters", "pair", "quad", "base"))
"""Names with the prefix of the model that other parts of a file have."""
_WORD = re.compile(r"\w+")
_TABLE_WIDTH = 92
_LARGEST = {"char": 2**8 - 1, "short": 2**16 - 1, "int": 2**32 - 1}


class Shared:
    """Definitions that several functions of one model use: steps, tables of numbers, columns."""

    def __init__(self, face: Interface) -> None:
        self.face = face
        self.definitions: dict[str, str] = {}
        self._users: dict[str, set[int | None]] = {}
        """Bytes of the vectors with which functions use each definition; None with any."""
        self._names = Names({entry.name for entry in face.entries} | _TAKEN)
        self._steps: dict[str, tuple[RolledStep, Mapping[str, int], StepText]] = {}
        self._tables: dict[tuple[str, ...], str] = {}
        self._columns: dict[tuple[int, ...], str] = {}

    def step(self, step: RolledStep, apart: Mapping[str, int], vector: int | None) -> StepText:
        """The C of a step, written once; `apart` are distances of entries of its arguments."""
        if step.name not in self._steps:
            symbol = f"{self.face.prefix}_{self._names.take(step.name)}"
            text = step_text(self.face, step, symbol, apart)
            self._steps[step.name] = (step, apart, text)
            remark = comment_block([step.function.description]) if step.function.description else ""
            self.definitions[symbol] = remark + text.text
        known, distances, text = self._steps[step.name]
        if not (known is step or (step.any_width and known.graph is step.graph)) or (
            distances != apart
        ):
            raise EmissionError(f"two steps are called {step.name!r}")
        self._use(text.symbol, vector)
        return text

    def table(self, name: str, values: Iterable[str], vector: int | None, row: int = 1) -> str:
        """Name of a constant array of numbers, or of rows of so many."""
        key = tuple(values)
        if row > 1:
            key = tuple(f"{{{', '.join(key[k : k + row])}}}" for k in range(0, len(key), row))
        if key not in self._tables:
            symbol = f"{self.face.prefix}_{self._names.take(name)}"
            remark = "Constants of the rows of loops, where they differ: "
            kind = row_type(self.face, row)
            self._define(symbol, kind, key, f"{remark}{name.replace('_', ' ')}.")
            self._tables[key] = symbol
        self._use(self._tables[key], vector)
        return self._tables[key]

    def column(self, values: tuple[int, ...], vector: int | None) -> str:
        """Name of a constant array of small integers."""
        if values not in self._columns:
            symbol = f"{self.face.prefix}_{self._names.take(f'column_{len(self._columns) + 1}')}"
            width = next(w for w in ("char", "short", "int") if max(values) <= _LARGEST[w])
            remark = "By row: a kind of step, a next row, or where something stands in arrays."
            self._define(symbol, f"unsigned {width}", [str(v) for v in values], remark)
            self._columns[values] = symbol
        self._use(self._columns[values], vector)
        return self._columns[values]

    def beginning(self, entry: EmittedFunction, text: Callable[[str], str]) -> str:
        """Name of the function that computes what the loops of ``entry`` begin with, whatever the
        width of their rows; `text` writes it by that name, once."""
        symbol = f"{entry.symbol}_begin"
        if symbol not in self.definitions:
            self.definitions[symbol] = text(symbol)
        self._use(symbol, None)
        return symbol

    def _use(self, symbol: str, vector: int | None) -> None:
        self._users.setdefault(symbol, set()).add(vector)

    def guarded(self) -> dict[str, str]:
        """Definitions, within the condition of the vectors that they are used with."""
        return {symbol: self._guarded(symbol, text) for symbol, text in self.definitions.items()}

    def _guarded(self, symbol: str, text: str) -> str:
        users = self._users[symbol]
        if None in users or users == set(VECTORS):
            return text
        conditions = [vector_condition(self.face, n) for n in VECTORS if n in users]
        return f"#if {' || '.join(conditions)}\n{text}#endif\n"

    def _define(self, symbol: str, kind: str, values: Sequence[str], remark: str) -> None:
        lines, line = [], INDENT
        for value in values:
            if len(line) + len(value) > _TABLE_WIDTH:
                lines.append(line.rstrip())
                line = INDENT
            line += f"{value}, "
        lines.append(line.rstrip(", "))
        head = f"static const {kind} {symbol}[{len(values)}] = {{"
        self.definitions[symbol] = comment_block([remark]) + "\n".join([head, *lines, "};", ""])


def vector_condition(face: Interface, size: int) -> str:
    """That they know vectors of so many bytes."""
    return f"{face.macro}_TURN_BYTES == {size}"


def shared_definitions(definitions: Mapping[str, str], text: str) -> str:
    """Those that `text` mentions."""
    if not definitions:
        return ""
    words = set(_WORD.findall(text))
    return "\n".join(body for symbol, body in definitions.items() if symbol in words)
