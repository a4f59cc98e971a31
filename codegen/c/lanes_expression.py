"""Nodes of the graph as C expressions on vectors, one state a lane.

Arithmetic on vectors is written like arithmetic on scalars, and a literal beside a vector stands
for all lanes. A comparison yields a mask, all bits of a lane set or none; logic works on the bits
of masks, and a switch picks the bits of one of its values.
"""

from eomc.codegen.c.lanes_language import Lanes
from eomc.codegen.language.expression import ATOM, LOOSE, SIGNED, Expressions

_COMPARISONS = {"lt": "<", "le": "<=", "eq": "=="}
_LOGIC = {"and": "&", "or": "|"}


class LaneExpressions(Expressions):
    """Writes nodes as vectors; library calls take their operand in place and are statements."""

    language: Lanes

    def value(self, node: int, loosest: int = LOOSE) -> str:
        """``node`` as a vector, where a literal would not do."""
        text = self.operand(node, loosest)
        if self.graph.op[node] != "const":
            return text
        return f"{self.language.face.macro}_SPLAT({text})"

    def written(self, node: int) -> tuple[str, int]:
        op, args = self.graph.op[node], self.graph.args[node]
        if op in _COMPARISONS:
            a, b = (self.value(arg, SIGNED) for arg in args)
            return f"({self.language.condition_type})({a} {_COMPARISONS[op]} {b})", SIGNED
        if op in _LOGIC:
            return f" {_LOGIC[op]} ".join(self.operand(arg, ATOM) for arg in args), LOOSE
        if op == "not":
            return f"~{self.operand(args[0], ATOM)}", SIGNED
        if op == "abs":
            return f"{self.language.face.macro}_ABS({self.value(args[0])})", ATOM
        if op in ("min", "max", "sign", "select"):
            return self._pick(op, [self.value(arg) for arg in args]), ATOM
        return super().written(node)

    def _pick(self, op: str, values: list[str]) -> str:
        macro, mask = self.language.face.macro, self.language.condition_type
        zero, one = f"{macro}_SPLAT({self.language.zero})", f"{macro}_SPLAT({self.language.one})"

        def pick(condition: str, yes: str, no: str) -> str:
            return f"{macro}_SELECT({condition}, {yes}, {no})"

        if op == "select":
            return pick(*values)
        if op == "sign":
            (a,) = values
            negative = pick(f"({mask})({a} < {zero})", f"-{one}", a)
            return pick(f"({mask})({a} > {zero})", one, negative)
        a, b = values
        return pick(f"({mask})({a} {'<' if op == 'min' else '>'} {b})", a, b)
