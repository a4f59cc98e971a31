"""SymPy expressions as text of the model-file grammar; parsing the text gives them back."""

from __future__ import annotations

import math
from typing import Any

import sympy
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import BooleanFalse, BooleanTrue

from eomc.derive.language.bounds import LARGEST_DEPTH
from eomc.derive.language.errors import ModelError
from eomc.derive.language.grammar import RESERVED, bare_name, parse_expression
from eomc.derive.language.motion_name import motion_name

__all__ = ["canonical_expression", "expression_text"]

# Binding strength: or, and, not, comparison, sum, product, sign, power, atom.
_OR, _AND, _NOT, _COMPARISON, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(9)

_NAMES: dict[Any, str] = {
    sympy.Abs: "abs",
    sympy.sign: "sign",
    sympy.Min: "min",
    sympy.Max: "max",
    sympy.Heaviside: "heaviside",
    **{
        getattr(sympy, name): name
        for name in (
            *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log"),
            *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
        )
    },
}
_COMPARISONS: dict[Any, str] = {
    sympy.StrictLessThan: "<",
    sympy.LessThan: "<=",
    sympy.StrictGreaterThan: ">",
    sympy.GreaterThan: ">=",
    sympy.Eq: "==",
    sympy.Ne: "!=",
}


def expression_text(expression: sympy.Expr) -> str:
    """Text of `expression` in the grammar of model files.

    >>> x = sympy.Symbol("x")
    >>> expression_text(sympy.Piecewise((x**2 / 2, x > 0), (sympy.sqrt(1 - x), True)))
    'where(x > 0, x**2/2, sqrt(1 - x))'

    Raises `ModelError` naming the first function or constant that the grammar lacks.
    """
    return _text(expression, 0)[0]


def canonical_expression(expression: sympy.Expr) -> sympy.Expr:
    """The expression that the text of `expression` parses to, and that prints as that text again.

    Symbols lose their assumptions (a name is one symbol), unevaluated products are multiplied out,
    floats are doubles. Raises `ModelError` if `expression` is not of the supported vocabulary.
    """
    for _ in range(4):
        again = parse_expression(expression_text(expression))
        if again == expression:
            return again
        expression = again
    raise ModelError(f"{str(expression)[:80]!r} has no stable form; write it in simpler terms")


def _text(node: Any, depth: int) -> tuple[str, int]:
    """Text and binding strength of one node."""
    if depth > 2 * LARGEST_DEPTH:
        raise ModelError(f"expression nests deeper than {LARGEST_DEPTH}")
    if isinstance(node, sympy.Symbol):
        return _symbol(node.name), _ATOM
    if isinstance(node, sympy.Number):
        return _number(node)
    if isinstance(node, sympy.Add):
        return _sum(node, depth), _SUM
    if isinstance(node, sympy.Mul):
        return _product(node, depth)
    if isinstance(node, sympy.Pow):
        return _power(node, depth)
    if node is sympy.pi:
        return "pi", _ATOM
    if node is sympy.E:
        return "exp(1)", _ATOM
    if isinstance(node, sympy.Piecewise):
        return _piecewise(node, depth), _ATOM
    if isinstance(node, sympy.Heaviside) and node.args[1:] == (sympy.Rational(1, 2),):
        return f"heaviside({_text(node.args[0], depth + 1)[0]})", _ATOM
    if node.func in _NAMES:
        arguments = ", ".join(_text(argument, depth + 1)[0] for argument in node.args)
        return f"{_NAMES[node.func]}({arguments})", _ATOM
    return _logic(node, depth)


def _logic(node: Any, depth: int) -> tuple[str, int]:
    if node.func in _COMPARISONS:
        left, right = (_above(argument, _COMPARISON, depth) for argument in node.args)
        return f"{left} {_COMPARISONS[node.func]} {right}", _COMPARISON
    if isinstance(node, sympy.And):
        return " and ".join(_above(part, _AND, depth) for part in node.args), _AND
    if isinstance(node, sympy.Or):
        return " or ".join(_above(part, _OR, depth) for part in node.args), _OR
    if isinstance(node, sympy.Not):
        return f"not {_above(node.args[0], _NOT, depth)}", _NOT
    if isinstance(node, BooleanTrue | BooleanFalse):
        return ("0 == 0" if node else "0 != 0"), _COMPARISON
    if isinstance(node, AppliedUndef | sympy.Derivative):
        raise ModelError(
            f"{node} is a function of time; use the coordinate's symbol, speed(name) for its rate"
        )
    if node is sympy.I or not getattr(node, "is_finite", True):
        raise ModelError(f"{node} is not a finite real number")
    raise ModelError(f"{type(node).__name__} is not supported in expressions of a model")


def _above(node: Any, strength: int, depth: int) -> str:
    """Text of an operand, in parentheses unless it binds tighter than `strength`."""
    text, own = _text(node, depth + 1)
    return text if own > strength else f"({text})"


_LOGIC = frozenset(("and", "or", "not"))


def _symbol(name: str) -> str:
    inner = bare_name(name)
    if inner != name:
        return f"{name.partition('(')[0]}({_word(inner, _LOGIC)})"
    if (motion := motion_name(name)) is not None:
        parts = [_word(motion.frame, _LOGIC), "xyz"[motion.axis]]
        parts += [_word(motion.seen_in, _LOGIC)] if motion.seen_in else []
        return f"{motion.word}({', '.join(parts)})"
    return _word(name, RESERVED)


def _word(name: str, reserved: frozenset[str]) -> str:
    if name.isidentifier() and name not in reserved:
        return name
    if not name.strip() or not name.isprintable():
        raise ModelError(f"symbol {name!r} has an empty or unprintable name")
    return "'" + name.replace("'", "''") + "'"


def _number(node: sympy.Number) -> tuple[str, int]:
    if isinstance(node, sympy.Integer):
        return str(int(node)), _ATOM if node >= 0 else _SIGN
    if isinstance(node, sympy.Rational):
        return f"{int(node.p)}/{int(node.q)}", _PRODUCT
    if isinstance(node, sympy.Float) and math.isfinite(float(node)):
        return repr(float(node)), _ATOM if node >= 0 else _SIGN
    raise ModelError(f"{node!s} is not a finite real number of double precision")


def _sum(node: sympy.Add, depth: int) -> str:
    # As one writes it: no leading minus if another term can lead, numbers last. The order is
    # otherwise SymPy's own, which is deterministic.
    terms = sorted(
        ((bool(term.is_Number), _above(term, _COMPARISON, depth)) for term in node.args),
        key=lambda item: item[0],
    )
    shown_terms = [shown for _, shown in terms]
    lead = next((i for i, shown in enumerate(shown_terms) if not shown.startswith("-")), 0)
    text = shown_terms.pop(lead)
    for shown in shown_terms:
        text += f" - {shown[1:]}" if shown.startswith("-") else f" + {shown}"
    return text


def _product(node: sympy.Mul, depth: int) -> tuple[str, int]:
    coefficient, rest = node.as_coeff_Mul()
    factors = list(sympy.Mul.make_args(rest))
    sign, over, under = "", [], []
    if coefficient.is_Number and coefficient < 0:
        sign, coefficient = "-", -coefficient
    if isinstance(coefficient, sympy.Rational):
        if coefficient.p != 1:
            over.append(str(int(coefficient.p)))
        if coefficient.q != 1:
            under.append(str(int(coefficient.q)))
    else:
        over.append(_above(coefficient, _PRODUCT, depth))
    for factor in factors:
        if isinstance(factor, sympy.Pow) and factor.exp == -1:
            under.append(_above(factor.base, _SIGN, depth))
        else:
            over.append(_above(factor, _SIGN, depth))
    text = "*".join(over or ["1"]) + "".join("/" + item for item in under)
    return sign + text, _PRODUCT


def _power(node: sympy.Pow, depth: int) -> tuple[str, int]:
    base, exponent = node.args
    if exponent == sympy.Rational(1, 2):
        return f"sqrt({_text(base, depth + 1)[0]})", _ATOM
    if exponent == -1:
        return f"1/{_above(base, _SIGN, depth)}", _PRODUCT
    return f"{_above(base, _POWER, depth)}**{_above(exponent, _POWER, depth)}", _POWER


def _piecewise(node: sympy.Piecewise, depth: int) -> str:
    *pieces, (other, last) = node.args
    if not isinstance(last, BooleanTrue):
        raise ModelError("Piecewise needs a last branch with the condition True")
    parts = []
    for value, condition in pieces:
        parts += [_text(condition, depth + 1)[0], _text(value, depth + 1)[0]]
    return f"where({', '.join([*parts, _text(other, depth + 1)[0]])})"
