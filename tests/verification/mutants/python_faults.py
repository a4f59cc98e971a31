"""Faults in Python source: operators, signs, constants, dropped terms, swapped names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import accumulate, pairwise

from verification.mutants.mutant import ROOT, Mutant

_OPERATORS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.Pow: ("**", "*"),
    ast.MatMult: ("@", "*"),
}
_COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", ">="),
    ast.LtE: ("<=", ">"),
    ast.Gt: (">", "<="),
    ast.GtE: (">=", "<"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
}
_NAMES = {
    "x": "y",
    "y": "z",
    "z": "x",
    "to_parent": "to_child",
    "to_child": "to_parent",
    "sin": "cos",
    "cos": "sin",
    "product_sum": "product_difference",
    "product_difference": "product_sum",
}
# Text that is code: what the writer of C puts between numbers.
_CODE = re.compile(r"(?<= )(?P<op>[+*/<>-]|[+-]=)(?= )|(?<=[\]\w)}])(?P<tight>[*/])(?=[\w({])")
_CODE_BECOMES = {"+": "-", "-": "+", "*": "/", "/": "*", "<": ">", ">": "<", "+=": "-=", "-=": "+="}
_SILENT = (ast.Raise, ast.Assert, ast.Import, ast.ImportFrom)


def python_faults(file: str) -> list[Mutant]:
    """Of a file, in the order of its text; none in docstrings, annotations and errors."""
    source = (ROOT / file).read_bytes()
    found = {(m.start, m.old, m.new): m for m in _Faults(file, source).found}
    return [found[key] for key in sorted(found)]


class _Faults(ast.NodeVisitor):
    def __init__(self, file: str, source: bytes) -> None:
        self.file, self.source, self.found = file, source, list[Mutant]()
        lines = source.splitlines(keepends=True)
        self.starts = [0, *accumulate(len(line) for line in lines)]
        self.writes_code = file.startswith("codegen/")
        self.visit(ast.parse(source))

    # -- places ----------------------------------------------------------------------------------

    def _begin(self, node: ast.expr | ast.stmt) -> int:
        return self.starts[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.starts[node.end_lineno - 1] + node.end_col_offset

    def _of(self, node: ast.expr) -> str:
        return self.source[self._begin(node) : self._end(node)].decode()

    def _add(self, operator: str, start: int, end: int, new: str) -> None:
        old = self.source[start:end].decode()
        line = self.source.count(b"\n", 0, start) + 1
        if old != new:
            self.found.append(Mutant(self.file, line, start, operator, old, new))

    def _replace(self, operator: str, node: ast.expr, new: str) -> None:
        self._add(operator, self._begin(node), self._end(node), new)

    def _between(self, operator: str, left: ast.expr, right: ast.expr, old: str, new: str) -> None:
        start = self._end(left)
        place = self.source.find(old.encode(), start, self._begin(right))
        if place >= 0:
            self._add(operator, place, place + len(old), new)

    # -- what is left alone ----------------------------------------------------------------------

    def visit(self, node: ast.AST) -> None:
        if not isinstance(node, _SILENT):
            super().visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_arguments(self, node: ast.arguments) -> None:
        for default in (*node.defaults, *node.kw_defaults):
            if default is not None:
                self.visit(default)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for part in (node.args, *node.body):
            self.visit(part)

    def visit_If(self, node: ast.If) -> None:
        if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            self.generic_visit(node)

    # -- faults ----------------------------------------------------------------------------------

    def visit_BinOp(self, node: ast.BinOp) -> None:
        texts = (ast.JoinedStr, ast.List, ast.Tuple)
        parts = (node.left, node.right)
        is_text = any(
            isinstance(part, texts)
            or (isinstance(part, ast.Constant) and isinstance(part.value, str))
            for part in parts
        )
        if type(node.op) in _OPERATORS and not is_text:
            old, new = _OPERATORS[type(node.op)]
            self._between("operator", node.left, node.right, old, new)
            self._replace("dropped", node, f"({self._of(node.left)})")
            if isinstance(node.op, ast.Add | ast.Mult):
                self._replace("dropped", node, f"({self._of(node.right)})")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.op, ast.Add | ast.Sub) and not isinstance(
            node.value, ast.List | ast.Tuple | ast.JoinedStr
        ):
            old, new = ("+=", "-=") if isinstance(node.op, ast.Add) else ("-=", "+=")
            self._between("operator", node.target, node.value, old, new)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.USub | ast.Not):
            self._replace("sign", node, f"({self._of(node.operand)})")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        if len(node.ops) == 1 and type(node.ops[0]) in _COMPARISONS:
            old, new = _COMPARISONS[type(node.ops[0])]
            self._between("comparison", node.left, node.comparators[0], old, new)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, int | float) and not isinstance(value, bool):
            self._replace("constant", node, repr(value + 1))
        elif isinstance(value, str) and self.writes_code:
            self._code(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self._code(node)
        holes = [part for part in node.values if isinstance(part, ast.FormattedValue)]
        for first, second in pairwise(holes):
            # Before Python 3.12 the places of holes are those of the whole string.
            old = self._of(node)
            one, two = (ast.unparse(part.value) for part in (first, second))
            if old.count("{" + one + "}") == old.count("{" + two + "}") == 1:
                mark = "\0"
                new = old.replace("{" + one + "}", mark).replace("{" + two + "}", "{" + one + "}")
                self._replace("swapped", node, new.replace(mark, "{" + two + "}"))

    def _code(self, node: ast.expr) -> None:
        if not self.writes_code:
            return
        start, text = self._begin(node), self._of(node)
        for match in _CODE.finditer(text):
            old = match.group("op") or match.group("tight")
            place = start + len(text[: match.start()].encode())
            self._add("written", place, place + len(old), _CODE_BECOMES[old])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if node.attr in _NAMES:
            end = self._end(node)
            self._add("name", end - len(node.attr), end, _NAMES[node.attr])
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        arguments: Iterator[tuple[ast.expr, ast.expr]] = zip(node.args, node.args[1:], strict=False)
        for first, second in arguments:
            plain = (ast.Name, ast.Attribute, ast.Subscript)
            if isinstance(first, plain) and isinstance(second, plain):
                gap = self.source[self._end(first) : self._begin(second)].decode()
                new = self._of(second) + gap + self._of(first)
                self._add("swapped", self._begin(first), self._end(second), new)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "cross" and node.args:
            left, right = self._of(node.func.value), self._of(node.args[0])
            self._replace("swapped", node, f"({right}).cross({left})")
        if isinstance(node.func, ast.Name) and node.func.id in _NAMES:
            self._replace("name", node.func, _NAMES[node.func.id])
        self.generic_visit(node)
