"""The spelling of a target language: what it writes differently from others."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from eomc.codegen.language.comment import comment_text
from eomc.codegen.language.literal import literal
from eomc.codegen.plan.interface import EmittedFunction, Interface, Port, Status

INDENT = "    "
FUNCTIONS = (
    *("sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "pow"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "floor", "abs"),
)
"""Operations of the graph that are calls of a library."""


class Language(ABC):
    """Spelling of a program, whose names are those of `face`, in one language.

    The words below are those of C's family; a language says what it writes otherwise, and what
    values, functions and their arguments look like. Statements are lines without indentation.
    A function's arrays may be arguments, as in C, or made in its frame and returned.
    """

    title: str
    """Name of the language in messages."""
    functions: dict[str, str]
    """Library functions by the operations of the graph."""
    operators: Mapping[str, str] = {
        "add": " + ",
        "sub": " - ",
        "mul": "*",
        "div": "/",
        "lt": " < ",
        "le": " <= ",
        "eq": " == ",
        "and": " && ",
        "or": " || ",
    }
    negation = "!"
    """Before a condition that is to be turned; followed by a space it binds loosely."""
    first_index = 0
    """Of arrays."""
    statement_end = ";"
    remark_marks = ("/* ", " */")
    """Around a comment that ends a line; the second is empty where comments end with the line."""

    def __init__(self, face: Interface) -> None:
        self.face = face
        self._literals: dict[int | float | Fraction, str] = {}

    # -- values ----------------------------------------------------------------------------------

    def number(self, value: int | float | Fraction) -> str:
        """A constant; negative ones bear their sign."""
        text = self._literals.get(value)
        if text is None:
            text = self._literals[value] = literal(value, self.face.real)
        return text

    @cached_property
    def zero(self) -> str:
        return self.number(0)

    @cached_property
    def one(self) -> str:
        return self.number(1)

    @cached_property
    def half(self) -> str:
        return self.number(Fraction(1, 2))

    def call(self, op: str, arguments: Sequence[str]) -> str:
        """A library function."""
        return f"{self.functions[op]}({', '.join(arguments)})"

    @abstractmethod
    def choice(self, condition: str, yes: str, no: str) -> str:
        """One of two values, both computed before."""

    def item(self, array: str, index: int) -> str:
        """One entry of an array; `index` counts from zero."""
        return f"{array}[{index + self.first_index}]"

    def element(self, port: Port, index: int) -> str:
        """One entry of an argument."""
        return port.name if port.by_value else self.item(port.name, index)

    def parameter(self, number: int) -> str:
        """One tunable parameter."""
        return f"p.{self.face.members[number].name}"

    def output(self, port: Port, index: int) -> str:
        """One entry of an output, where it is written."""
        return self.element(port, index)

    def saved_condition(self, name: str) -> str:
        """A condition as a number, which the array ``work`` holds."""
        return self.choice(name, self.one, self.zero)

    def loaded_condition(self, slot: str) -> str:
        """The condition again."""
        return f"{slot} > {self.half}"

    # -- statements ------------------------------------------------------------------------------

    @abstractmethod
    def variable(self, name: str, value: str, *, is_condition: bool = False) -> str:
        """A new local variable that never changes."""

    def assignment(self, to: str, value: str) -> str:
        """Into an entry of an array."""
        return f"{to} = {value}{self.statement_end}"

    def sine_and_cosine(self, sine: str, cosine: str, angle: str) -> list[str]:
        """Two new variables by one call; nothing if the language computes one at a time."""
        return []

    def remark(self, text: str) -> str:
        """A comment at the end of a line."""
        begin, end = self.remark_marks
        return f"  {begin}{comment_text(text)}{end}"

    @abstractmethod
    def guard(self, value: str, status: Status) -> list[str]:
        """Leave the function with `status` unless the value is positive; NaN is not."""

    @abstractmethod
    def ending(self, entry: EmittedFunction) -> list[str]:
        """The last statements of a function that has not failed."""

    @abstractmethod
    def work_array(self, size: int) -> list[str]:
        """A new array ``work``, through which the pieces of a long function share values."""

    def unused(self, name: str) -> list[str]:
        """Tell compilers that an argument is not needed."""
        return []

    # -- functions -------------------------------------------------------------------------------

    def argument(self, port: Port) -> str:
        """An argument as it is declared."""
        return port.name

    def parameters_argument(self) -> str:
        """The tunable parameters."""
        return "p"

    def work_argument(self, size: int) -> str:
        """The array that pieces share."""
        return "work"

    @abstractmethod
    def frame(self, name: str, arguments: Sequence[str], lines: Sequence[str]) -> str:
        """A function of these statements, which are indented by one step."""

    def definition(self, entry: EmittedFunction, lines: Sequence[str]) -> str:
        """A function of the program: its inputs, the parameters, its outputs."""
        return self.frame(entry.symbol, self.arguments(entry), lines)

    def arguments(self, entry: EmittedFunction) -> list[str]:
        """Declarations of inputs, parameters and outputs."""
        declarations = [self.argument(port) for port in entry.inputs]
        if self.face.members:
            declarations.append(self.parameters_argument())
        return declarations + [self.argument(port) for port in entry.outputs]

    def piece_name(self, entry: EmittedFunction, number: int) -> str:
        """Of a part of a long function."""
        return f"{entry.symbol}_piece_{number}"

    def piece(self, name: str, arguments: Sequence[str], lines: Sequence[str]) -> str:
        """A part of a long function, which gives nothing back and cannot fail."""
        return self.frame(name, arguments, lines)
