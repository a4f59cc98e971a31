"""Parts of SymPy expressions, each shared one visited once.

SymPy's own walks visit a part as often as it occurs. Written out, the velocity of the twentieth
link of a chain has millions of parts; it consists of some thousands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import sympy as sp
from sympy.core.basic import Atom
from sympy.core.function import AppliedUndef
from sympy.core.operations import AssocOp


def parts(
    expressions: Iterable[sp.Basic], is_leaf: Callable[[sp.Basic], bool] = lambda part: False
) -> Iterator[sp.Basic]:
    """Every part once, those of leaves left out.

    >>> x = sp.Symbol("x")
    >>> sorted(str(part) for part in parts([sp.sin(x) + sp.sin(x) ** 2]))
    ['2', 'sin(x)', 'sin(x)**2', 'sin(x)**2 + sin(x)', 'x']
    """
    seen: set[sp.Basic] = set()
    stack = [sp.sympify(expression) for expression in expressions]
    while stack:
        part = stack.pop()
        if part not in seen:
            seen.add(part)
            yield part
            if not is_leaf(part):
                stack.extend(part.args)


def carried_out(expression: sp.Basic) -> sp.Basic:
    """The expression with derivatives and what else is left undone in it carried out.

    Derivatives of plain functions of time are what they are.
    """
    done: dict[sp.Basic, sp.Basic] = {}
    stack = [expression]
    while stack:
        part = stack[-1]
        if part in done:
            stack.pop()
        elif _is_leaf(part):
            done[stack.pop()] = part
        elif _acts(part):
            done[stack.pop()] = part.doit()
        elif missing := [arg for arg in part.args if arg not in done]:
            stack.extend(missing)
        else:
            args = [done[arg] for arg in part.args]
            changed = any(new is not old for new, old in zip(args, part.args, strict=True))
            done[stack.pop()] = part.func(*args) if changed else part
    return done[expression]


def _is_leaf(part: sp.Basic) -> bool:
    """Atoms, functions of a symbol, and their derivatives."""
    of = part.expr if isinstance(part, sp.Derivative) else part
    return not part.args or (isinstance(of, AppliedUndef) and all(arg.is_Symbol for arg in of.args))


_NOTHING_TO_DO = (sp.Basic.doit, AssocOp.doit, Atom.doit)


def _acts(part: sp.Basic) -> bool:
    """True if SymPy's `doit` does something at this part itself."""
    return type(part).doit not in _NOTHING_TO_DO
