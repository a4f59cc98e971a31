"""Nodes of the graph as C expressions.

The text of an expression evaluates in exactly the order of the graph: C groups ``+ -`` and ``* /``
from the left and honours parentheses, so parentheses stand wherever the graph groups otherwise.
Switches become conditional expressions between values computed before, which compilers turn into
branch-free selects; ``fmin`` and ``fmax`` are avoided because their treatment of NaN costs a call.
"""

from eomc.codegen.errors import EmissionError
from eomc.codegen.literal import literal
from eomc.codegen.real import Real
from eomc.derive.graph import Graph

# Binding strength of a written expression; smaller binds tighter.
ATOM, SIGNED, PRODUCT, SUM, LOOSE = range(5)

# operator, own strength, loosest left operand, loosest right operand
_INFIX = {
    "add": (" + ", SUM, SUM, PRODUCT),
    "sub": (" - ", SUM, SUM, PRODUCT),
    "mul": ("*", PRODUCT, PRODUCT, ATOM),
    "div": ("/", PRODUCT, PRODUCT, ATOM),
    "lt": (" < ", LOOSE, SUM, SUM),
    "le": (" <= ", LOOSE, SUM, SUM),
    "eq": (" == ", LOOSE, SUM, SUM),
    "and": (" && ", LOOSE, ATOM, ATOM),
    "or": (" || ", LOOSE, ATOM, ATOM),
}

# C99 <math.h> name of each function; the name of the scalar type's variant appends its suffix.
LIBRARY = {
    **{
        name: name
        for name in (
            *("sqrt", "exp", "log", "tan", "asin", "acos", "atan", "atan2", "pow"),
            *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "floor"),
        )
    },
    "abs": "fabs",
}


class Expressions:
    """Writes nodes of one graph, given how inputs and computed statements are referred to.

    Sine and cosine are the model's own functions, which begin with `prefix`. `references` maps
    symbol nodes and already computed nodes to C text; whoever writes the statements adds to it as
    they appear.
    """

    def __init__(self, graph: Graph, real: Real, prefix: str, references: dict[int, str]) -> None:
        self.graph = graph
        self.real = real
        self.references = references
        self.calls = {op: name + real.suffix for op, name in LIBRARY.items()}
        self.calls |= {op: f"{prefix}_{op}" for op in ("sin", "cos")}
        self.one = literal(1, real)
        self.zero = literal(0, real)
        self._literals: dict[int, tuple[str, int]] = {}

    def operand(self, node: int, loosest: int = LOOSE) -> str:
        """``node`` as it stands inside an expression: its name, or its text if it has none."""
        name = self.references.get(node)
        if name is not None:
            return name
        op = self.graph.op[node]
        if op == "const":
            text, strength = self._literal(node)
        elif op == "neg":
            text, strength = "-" + self.operand(self.graph.args[node][0], ATOM), SIGNED
        else:
            text, strength = self.written(node)
        return text if strength <= loosest else f"({text})"

    def value(self, node: int, loosest: int = LOOSE) -> str:
        """``node`` where it stands alone, outside arithmetic."""
        return self.operand(node, loosest)

    def written(self, node: int) -> tuple[str, int]:
        """The operation of ``node`` on its operands, and how tightly the text binds."""
        op = self.graph.op[node]
        args = self.graph.args[node]
        infix = _INFIX.get(op)
        if infix is not None:
            sign, strength, left, right = infix
            return self.operand(args[0], left) + sign + self.operand(args[1], right), strength
        call = self.calls.get(op)
        if call is not None:
            return f"{call}({', '.join([self.operand(arg) for arg in args])})", ATOM
        return self._switch(op, args)

    def _switch(self, op: str, args: tuple[int, ...]) -> tuple[str, int]:
        a = self.operand(args[0], ATOM)
        if op == "not":
            return f"!{a}", SIGNED
        if op == "sign":
            one, zero = self.one, self.zero
            # The operand itself stands for both zeros and for NaN.
            return f"{a} > {zero} ? {one} : ({a} < {zero} ? -{one} : {a})", LOOSE
        b = self.operand(args[1], ATOM)
        if op == "min":
            return f"{a} < {b} ? {a} : {b}", LOOSE
        if op == "max":
            return f"{a} > {b} ? {a} : {b}", LOOSE
        if op == "select":
            return f"{a} ? {b} : {self.operand(args[2], ATOM)}", LOOSE
        raise EmissionError(f"operation {op!r} cannot be written as C")

    def _literal(self, node: int) -> tuple[str, int]:
        found = self._literals.get(node)
        if found is None:
            value = self.graph.value[node]
            assert value is not None and not isinstance(value, str)
            text = literal(value, self.real)
            found = (text, SIGNED if text.startswith("-") else ATOM)
            self._literals[node] = found
        return found
