"""Products of powers of one expression, differentiated as one power.

    d(x^n |x|^p) = (n + p) x^(n-1) |x|^p dx,    d(sign(x) |x|^p) = p |x|^(p-1) dx

By factors, x^1.5 = x sqrt(x) has at 0 the derivative sqrt(x) + x/(2 sqrt(x)) = 0 + 0 * infinity.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.graph.ends import ending
from eomc.derive.graph.node import ZERO, Graph

Pairs = list[tuple[int, int | None]]


def powers(g: Graph, order: Sequence[int]) -> dict[int, Pairs]:
    """Of the products among `order` with a root or a sign of another of their factors: the nodes by
    which each is differentiated, with its derivatives by them."""
    special: set[int] = set()
    found: dict[int, Pairs] = {}
    for node in order:
        op, args = g.op[node], g.args[node]
        if op in ("sqrt", "pow", "sign"):
            special.add(node)
        elif op == "mul" and not special.isdisjoint(args):
            special.add(node)
            if (pairs := _pairs(g, _factors(g, node))) is not None:
                found[node] = pairs
    return found


def _factors(g: Graph, node: int) -> list[int]:
    if g.op[node] != "mul" or node in g.frozen:
        return [node]
    return [factor for arg in g.args[node] for factor in _factors(g, arg)]


def _pairs(g: Graph, factors: list[int]) -> Pairs | None:
    """None of products without several powers of one expression."""
    rest, pairs = list(factors), []
    for root in sorted(factors, key=lambda factor: g.op[factor] == "abs"):
        if root in rest and (group := _group(g, root, rest)):
            pairs += _together(g, root, group, factors)
            for factor in (root, *group):
                rest.remove(factor)
    if len(rest) == len(factors):
        return None
    for factor in dict.fromkeys(rest):
        if g.op[factor] not in ("const", "sign"):
            count = g.constant(rest.count(factor))
            pairs.append((factor, g.mul(count, _product(g, factors, factor))))
    return pairs


def _group(g: Graph, root: int, factors: Sequence[int]) -> list[int]:
    """Factors x, |x| beside a power or root of one of them, and sign(x) beside one of |x|."""
    if g.op[root] not in ("sqrt", "pow", "abs"):
        return []
    base = root if g.op[root] == "abs" else g.args[root][0]
    is_even = g.op[base] == "abs"
    inner = g.args[base][0] if is_even else base
    group = [x for x in factors if x != root and x in (base, inner)]
    signs = [x for x in factors if g.op[x] == "sign" and g.args[x] == (inner,)]
    if not is_even or inner in group or not signs:
        return [] if root == base else group
    return [*group, signs[0]]


def _together(g: Graph, root: int, group: list[int], factors: Sequence[int]) -> Pairs:
    """Derivatives by x, and by an exponent that is no number, of the powers of x together."""
    if root in g.laws:
        g.ends.setdefault(root, g.laws[root])  # beyond the end there is no root
    base = root if g.op[root] == "abs" else g.args[root][0]
    inner = g.args[base][0] if g.op[base] == "abs" else base
    own = g.div(g.constant(1), g.constant(2)) if g.op[root] == "sqrt" else g.constant(1)
    own = g.args[root][1] if g.op[root] == "pow" else own
    plain = [x for x in group if g.op[x] != "sign"]
    total = g.add(g.constant(len(plain)), own)
    pairs: Pairs = []
    if len(plain) < len(group):  # sign(x) |x|^p has the slope p |x|^(p-1)
        less = _product(g, factors, group[-1], plain[0] if plain else root)
        if not plain and root != base:
            one = g.constant(1)
            less = g.mul(less, ending(g, root, (), lambda: g.pow(base, g.sub(own, one))))
        pairs.append((inner, g.mul(total, less)))
    else:  # |x| beside x counts as a further power of it
        by = inner if inner in plain else base
        pairs.append((by, g.mul(total, _product(g, factors, by))))
    if g.op[root] == "pow" and g.op[own] != "const":
        pairs.append((own, g.mul(slope_by_exponent(g, root), _product(g, factors, root))))
    return pairs


def slope_by_exponent(g: Graph, power: int) -> int:
    """d(x^p)/dp = x^p log x, 0 at x = 0 where p > 0."""
    whole = g.mul(power, g.unary("log", g.args[power][0]))
    return g.select(g.equal(power, ZERO), power, whole)


def _product(g: Graph, factors: Sequence[int], *without: int) -> int:
    """Of all but these."""
    rest = list(factors)
    for factor in without:
        rest.remove(factor)
    result = g.constant(1)
    for factor in rest:
        result = g.mul(result, factor)
    return result
