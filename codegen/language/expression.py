"""Nodes of the graph as expressions of a language.

The text of an expression evaluates in exactly the order of the graph: languages group ``+ -`` and
``* /`` from the left and honour parentheses, so parentheses stand wherever the graph groups
otherwise. Switches become conditional expressions between values computed before, which compilers
turn into branch-free selects; functions for minimum and maximum are avoided because their treatment
of NaN costs a call.
"""

from eomc.codegen.language.language import Language
from eomc.codegen.plan.errors import EmissionError
from eomc.derive.graph import Graph

# Binding strength of a written expression; smaller binds tighter.
ATOM, SIGNED, PRODUCT, SUM, LOOSE = range(5)

# own strength, loosest left operand, loosest right operand
_STRENGTHS = {
    "add": (SUM, SUM, PRODUCT),
    "sub": (SUM, SUM, PRODUCT),
    "mul": (PRODUCT, PRODUCT, ATOM),
    "div": (PRODUCT, PRODUCT, ATOM),
    "lt": (LOOSE, SUM, SUM),
    "le": (LOOSE, SUM, SUM),
    "eq": (LOOSE, SUM, SUM),
    "and": (LOOSE, ATOM, ATOM),
    "or": (LOOSE, ATOM, ATOM),
}


class Expressions:
    """Writes nodes of one graph, given how inputs and computed statements are referred to.

    `references` maps symbol nodes and already computed nodes to their text; whoever writes the
    statements adds to it as they appear.
    """

    def __init__(self, graph: Graph, language: Language, references: dict[int, str]) -> None:
        self.graph = graph
        self.language = language
        self.references = references

    def operand(self, node: int, loosest: int = LOOSE) -> str:
        """``node`` as it stands inside an expression: its name, or its text if it has none."""
        name = self.references.get(node)
        if name is not None:
            return name
        op = self.graph.op[node]
        if op == "const":
            text = self.language.number(self.graph.value[node])  # type: ignore[arg-type]
            strength = SIGNED if text.startswith("-") else ATOM
        elif op == "neg":
            positive = self.graph.args[node][0]
            text = "-" + (self.references.get(positive) or self.operand(positive, ATOM))
            strength = SIGNED
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
        strengths = _STRENGTHS.get(op)
        if strengths is not None:
            strength, left, right = strengths
            first = self.references.get(args[0]) or self.operand(args[0], left)
            second = self.references.get(args[1]) or self.operand(args[1], right)
            return first + self.language.operators[op] + second, strength
        if op in self.language.functions:
            return self.language.call(op, [self.operand(arg) for arg in args]), ATOM
        return self._switch(op, args)

    def _switch(self, op: str, args: tuple[int, ...]) -> tuple[str, int]:
        language = self.language
        choice = language.choice
        a = self.operand(args[0], ATOM)
        if op == "not":
            return language.negation + a, LOOSE if language.negation.endswith(" ") else SIGNED
        if op == "sign":
            one, zero = language.one, language.zero
            # The operand itself stands for both zeros and for NaN.
            return choice(f"{a} > {zero}", one, f"({choice(f'{a} < {zero}', f'-{one}', a)})"), LOOSE
        b = self.operand(args[1], ATOM)
        if op == "min":
            return choice(f"{a} < {b}", a, b), LOOSE
        if op == "max":
            return choice(f"{a} > {b}", a, b), LOOSE
        if op == "select":
            return choice(a, b, self.operand(args[2], ATOM)), LOOSE
        raise EmissionError(f"operation {op!r} cannot be written in {language.title}")
