"""The whitelist grammar of expressions in model files: text in, SymPy expression out.

A model file is data. Text is split into tokens and read by precedence climbing (Pratt 1973) into
SymPy objects made one by one; nothing is ever evaluated as a program. Nesting, length, exponents
and the size of numbers are bounded, so that no text can hang the reader or exhaust memory.

    expression  := or-expression
    or, and, not, < <= > >= == !=        conditions, inside where(...)
    + -   * /   unary + -   **           arithmetic, ** binds tightest and to the right
    name(expression, ...)                the functions below
    speed(name)                          generalized speed of that name
    coordinate(name)                     coordinate of that name, which may mean more
    law(name)                            likewise a variable of a law: law(x), law(v)
    velocity(frame, x)                   of a frame's or body's origin, along x, y or z of the world
    velocity(frame, x, other)            the same along an axis of the frame `other`
    angular_velocity(frame, x)           likewise
    where(condition, value, ..., other)  first value whose condition holds
    pi   t                               the constant, the time
    name  'any name'                     a symbol; quotes for names that are no plain word ('' is a
    quote)

Functions: sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp log sqrt abs sign
min max heaviside. Whole numbers and their quotients are exact; numbers with a point or an exponent
are doubles.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection
from typing import Any, NamedTuple, NoReturn

import sympy
from sympy.logic.boolalg import Boolean

from eomc.derive.language.bounds import (
    LARGEST_DEPTH,
    LARGEST_LENGTH,
    bounded,
    bounded_function,
    bounded_power,
)
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.motion_name import MOTIONS, MotionName
from eomc.derive.language.near_names import near_names

__all__ = [
    "FUNCTIONS",
    "QUALIFIERS",
    "RESERVED",
    "ExpressionError",
    "bare_name",
    "coordinate_symbol",
    "law_symbol",
    "parse_expression",
    "speed_symbol",
]

#: Words that say which of several things of one name is meant: speed(x), coordinate(x), law(x).
QUALIFIERS = ("speed", "coordinate", "law")


class ExpressionError(ModelError):
    """Text that is no expression; `position` counts characters from 0."""

    def __init__(self, message: str, source: Source | None = None, position: int = 0) -> None:
        super().__init__(message, source)
        self.position = position


#: Functions of one argument, and of a fixed or variable number of arguments (least, most).
FUNCTIONS: dict[str, tuple[Callable[..., Any], int, int]] = {
    "sin": (sympy.sin, 1, 1),
    "cos": (sympy.cos, 1, 1),
    "tan": (sympy.tan, 1, 1),
    "asin": (sympy.asin, 1, 1),
    "acos": (sympy.acos, 1, 1),
    "atan": (sympy.atan, 1, 1),
    "atan2": (sympy.atan2, 2, 2),
    "sinh": (sympy.sinh, 1, 1),
    "cosh": (sympy.cosh, 1, 1),
    "tanh": (sympy.tanh, 1, 1),
    "asinh": (sympy.asinh, 1, 1),
    "acosh": (sympy.acosh, 1, 1),
    "atanh": (sympy.atanh, 1, 1),
    "exp": (sympy.exp, 1, 1),
    "log": (sympy.log, 1, 1),
    "sqrt": (lambda x: bounded_power(x, sympy.Rational(1, 2)), 1, 1),
    "abs": (sympy.Abs, 1, 1),
    "sign": (sympy.sign, 1, 1),
    "min": (lambda *x: sympy.Min(*x, evaluate=False), 1, 64),
    "max": (lambda *x: sympy.Max(*x, evaluate=False), 1, 64),
    "heaviside": (sympy.Heaviside, 1, 2),
}

#: Words that name no symbol unless quoted.
RESERVED = frozenset({*FUNCTIONS, "where", "speed", "pi", "and", "or", "not"})

_NUMPY = re.compile(r"np\.\w+\((.*)\)$")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[^\W\d]\w*)"
    r"|(?P<quoted>'(?:[^']|'')*')|(?P<operator>\*\*|<=|>=|==|!=|[-+*/(),<>])|(?P<end>$))"
)
_COMPARISONS: dict[str, Any] = {
    "<": sympy.StrictLessThan,
    "<=": sympy.LessThan,
    ">": sympy.StrictGreaterThan,
    ">=": sympy.GreaterThan,
    "==": sympy.Eq,
    "!=": sympy.Ne,
}


def speed_symbol(name: str) -> sympy.Symbol:
    """The symbol of the generalized speed `name`."""
    return sympy.Symbol(f"speed({name})")


def coordinate_symbol(name: str) -> sympy.Symbol:
    """The symbol of the coordinate `name`, which is no other thing of that name."""
    return sympy.Symbol(f"coordinate({name})")


def law_symbol(name: str) -> sympy.Symbol:
    """The symbol of the variable `name` of a law, such as its stretch x."""
    return sympy.Symbol(f"law({name})")


def bare_name(symbol: str) -> str:
    """The name in speed(name), coordinate(name) and law(name), or the name itself.

    >>> bare_name("speed(x)"), bare_name("x")
    ('x', 'x')
    """
    word, opened, rest = symbol.partition("(")
    return rest[:-1] if opened and word in QUALIFIERS and rest.endswith(")") else symbol


def parse_expression(text: str, names: Collection[str] | None = None) -> sympy.Expr:
    """The SymPy expression that `text` says; with `names`, only those symbols may occur.

    >>> parse_expression("k*x**2/2 - m*g*cos(theta)")
    -g*m*cos(theta) + k*x**2/2
    >>> parse_expression("k*lenght", ["k", "length"])  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    ExpressionError: 'k*lenght': unknown name 'lenght' at position 2; did you mean 'length'?

    Raises `ExpressionError` with the position of the first character that cannot be understood.
    """
    return _Parser(text, names).parse()


class _Token(NamedTuple):
    kind: str
    text: str
    position: int


class _Parser:
    """One pass over the tokens of one text."""

    def __init__(self, text: str, names: Collection[str] | None) -> None:
        self.text = text
        self.names = names
        self.depth = 0
        if len(text) > LARGEST_LENGTH:
            self.fail(f"longer than {LARGEST_LENGTH} characters", 0)
        self.tokens = self.tokenize()
        self.index = 0

    def fail(self, message: str, position: int) -> NoReturn:
        shown = self.text if len(self.text) <= 60 else self.text[:57] + "..."
        raise ExpressionError(f"{shown!r}: {message}", None, position)

    def tokenize(self) -> list[_Token]:
        tokens, position = [], 0
        while True:
            match = _TOKEN.match(self.text, position)
            if match is None or match.lastgroup is None:
                rest = self.text[position:]
                position += len(rest) - len(rest.lstrip())
                number = _NUMPY.match(self.text)
                hint = f"; write the number, {number[1]}" if number else ""
                self.fail(
                    f"unexpected {self.text[position]!r} at position {position}{hint}", position
                )
            start = match.start(match.lastgroup)
            tokens.append(_Token(match.lastgroup, match[match.lastgroup], start))
            if match.lastgroup == "end":
                return tokens
            position = match.end()

    # ---- tokens

    @property
    def token(self) -> _Token:
        return self.tokens[self.index]

    def accept(self, *texts: str) -> _Token | None:
        token = self.token
        if token.kind in ("operator", "name") and token.text in texts:
            self.index += 1
            return token
        return None

    def expect(self, text: str) -> None:
        if not self.accept(text):
            found = repr(self.token.text) if self.token.kind != "end" else "the end"
            self.fail(
                f"{text!r} expected at position {self.token.position}, found {found}",
                self.token.position,
            )

    # ---- grammar

    def parse(self) -> sympy.Expr:
        try:
            value = self.number(self.disjunction, 0)
            if self.token.kind != "end":
                position = self.token.position
                self.fail(
                    f"operator expected at position {position}, found {self.token.text!r}", position
                )
            return bounded(value)
        except ExpressionError:
            raise
        except ModelError as error:
            self.fail(f"{error.message} (near position {self.token.position})", self.token.position)
        except (ArithmeticError, TypeError, ValueError, RecursionError) as error:
            self.fail(
                f"is no valid expression ({error}; near position {self.token.position})",
                self.token.position,
            )

    def deeper(self, position: int) -> None:
        self.depth += 1
        if self.depth > LARGEST_DEPTH:
            self.fail(f"nests deeper than {LARGEST_DEPTH} at position {position}", position)

    def number(self, rule: Callable[[], Any], position: int) -> Any:
        return self.as_number(rule(), position)

    def as_number(self, value: Any, position: int) -> Any:
        if not isinstance(value, sympy.Expr):
            self.fail(f"a number is needed at position {position}, not a condition", position)
        return value

    def condition(self, rule: Callable[[], Any], position: int) -> Any:
        return self.as_condition(rule(), position)

    def as_condition(self, value: Any, position: int) -> Any:
        if not isinstance(value, Boolean) or isinstance(value, sympy.Expr):
            self.fail(f"a condition such as x > 0 is needed at position {position}", position)
        return value

    def disjunction(self) -> Any:
        return self.junction("or", sympy.Or, lambda: self.junction("and", sympy.And, self.negation))

    def junction(self, word: str, function: Any, rule: Callable[[], Any]) -> Any:
        position = self.token.position
        first = rule()
        if self.token.text != word or self.token.kind != "name":
            return first
        parts = [self.as_condition(first, position)]
        while self.accept(word):
            parts.append(self.condition(rule, self.token.position))
        return function(*parts, evaluate=False)

    def negation(self) -> Any:
        token = self.accept("not")
        if not token:
            return self.comparison()
        self.deeper(token.position)
        value = sympy.Not(self.condition(self.negation, self.token.position), evaluate=False)
        self.depth -= 1
        return value

    def comparison(self) -> Any:
        position = self.token.position
        left = self.sum()
        token = self.accept(*_COMPARISONS)
        if not token:
            return left
        left = self.as_number(left, position)
        right = self.number(self.sum, self.token.position)
        return _COMPARISONS[token.text](left, right, evaluate=False)

    def sum(self) -> Any:
        position = self.token.position
        first = self.product()
        if not (self.token.kind == "operator" and self.token.text in "+-"):
            return first
        terms = [self.as_number(first, position)]
        while token := self.accept("+", "-"):
            term = self.number(self.product, self.token.position)
            terms.append(term if token.text == "+" else sympy.Mul(-1, term))
        return sympy.Add(*terms)

    def product(self) -> Any:
        position = self.token.position
        first = self.sign()
        if not (self.token.kind == "operator" and self.token.text in "*/"):
            return first
        factors = [self.as_number(first, position)]
        while token := self.accept("*", "/"):
            factor = self.number(self.sign, self.token.position)
            factors.append(
                factor if token.text == "*" else bounded_power(factor, sympy.Integer(-1))
            )
        return bounded(sympy.Mul(*factors))

    def sign(self) -> Any:
        token = self.accept("+", "-")
        if not token:
            return self.power()
        self.deeper(token.position)
        value = self.number(self.sign, self.token.position)
        self.depth -= 1
        return sympy.Mul(-1, value) if token.text == "-" else value

    def power(self) -> Any:
        position = self.token.position
        base = self.atom()
        token = self.accept("**")
        if not token:
            return base
        self.deeper(token.position)
        base = self.as_number(base, position)
        exponent = self.number(self.sign, self.token.position)
        self.depth -= 1
        return bounded_power(base, exponent)

    def atom(self) -> Any:
        token = self.token
        self.index += 1
        if token.kind == "number":
            return self.literal(token)
        if token.kind == "quoted":
            return self.symbol(token.text[1:-1].replace("''", "'"), token.position)
        if token.kind == "name" and token.text not in ("and", "or", "not"):
            return self.named(token)
        if token.text == "(" and token.kind == "operator":
            self.deeper(token.position)
            value = self.disjunction()
            self.expect(")")
            self.depth -= 1
            return value
        self.index -= 1
        found = repr(token.text) if token.kind != "end" else "the end"
        self.fail(
            f"a number, name or '(' expected at position {token.position}, found {found}",
            token.position,
        )

    def literal(self, token: _Token) -> sympy.Expr:
        if token.text.isdecimal():
            if len(token.text) > 400:
                self.fail(
                    f"number of {len(token.text)} digits at position {token.position}",
                    token.position,
                )
            return bounded(sympy.Integer(int(token.text)))
        value = float(token.text)
        if not math.isfinite(value):
            self.fail(
                f"{token.text} at position {token.position} is beyond double precision",
                token.position,
            )
        return sympy.Float(value)

    def named(self, token: _Token) -> Any:
        if token.text == "pi":
            return sympy.pi
        if not (self.token.kind == "operator" and self.token.text == "("):
            if token.text in RESERVED:
                self.fail(
                    f"{token.text!r} at position {token.position} needs arguments", token.position
                )
            return self.symbol(token.text, token.position)
        self.deeper(token.position)
        if token.text in QUALIFIERS:
            value: Any = self.qualified(token)
        elif token.text in MOTIONS:
            value = self.motion(token)
        else:
            value = self.call(token, self.arguments())
        self.depth -= 1
        return value

    def qualified(self, word: _Token) -> sympy.Symbol:
        self.expect("(")
        position = self.token.position
        name = self.name(word)
        self.expect(")")
        return self.symbol(f"{word.text}({name})", position)

    def motion(self, word: _Token) -> sympy.Symbol:
        self.expect("(")
        frame = self.name(word)
        self.expect(",")
        axis = self.token
        if axis.text not in ("x", "y", "z"):
            self.fail(
                f"{word.text}() takes a frame and the axis x, y or z, at position {axis.position}",
                axis.position,
            )
        self.index += 1
        seen_in = self.name(word) if self.accept(",") else ""
        self.expect(")")
        name = MotionName(word.text, frame, "xyz".index(axis.text), seen_in)
        return self.symbol(str(name), word.position)

    def name(self, word: _Token) -> str:
        """A plain or quoted name among the arguments of `word`."""
        token = self.token
        if token.kind not in ("name", "quoted"):
            self.fail(f"{word.text}() takes a name, at position {token.position}", token.position)
        self.index += 1
        return token.text if token.kind == "name" else token.text[1:-1].replace("''", "'")

    def symbol(self, name: str, position: int) -> sympy.Symbol:
        if not name.strip() or not name.isprintable():
            self.fail(f"empty or unprintable name at position {position}", position)
        if self.names is not None and name not in self.names:
            self.fail(
                f"unknown name {name!r} at position {position}; {near_names(name, self.names)}",
                position,
            )
        return sympy.Symbol(name)

    def arguments(self) -> list[Any]:
        self.expect("(")
        values: list[Any] = []
        while not self.accept(")"):
            if values:
                self.expect(",")
            values.append(self.disjunction())
        return values

    def call(self, token: _Token, values: list[Any]) -> Any:
        if token.text == "where":
            return self.where(token, values)
        if token.text not in FUNCTIONS:
            known = near_names(token.text, [*FUNCTIONS, "where", *QUALIFIERS, *MOTIONS])
            self.fail(
                f"unknown function {token.text!r} at position {token.position}; {known}",
                token.position,
            )
        function, least, most = FUNCTIONS[token.text]
        if not least <= len(values) <= most:
            wanted = str(least) if least == most else f"{least} to {most}"
            self.fail(
                f"{token.text}() at position {token.position} takes {wanted} arguments, "
                f"not {len(values)}",
                token.position,
            )
        for value in values:
            self.as_number(value, token.position)
        return bounded_function(token.text, function, values)

    def where(self, token: _Token, values: list[Any]) -> Any:
        if len(values) < 3 or len(values) % 2 == 0:
            self.fail(
                f"where() at position {token.position} takes condition, value, ..., other value",
                token.position,
            )
        pieces = [
            (
                self.as_number(values[i + 1], token.position),
                self.as_condition(values[i], token.position),
            )
            for i in range(0, len(values) - 1, 2)
        ]
        other = self.as_number(values[-1], token.position)
        return sympy.Piecewise(*pieces, (other, True), evaluate=False)
