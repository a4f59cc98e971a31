"""Expansion of one xacro file, in a process of its own whose time and memory are limited.

Run with a request as JSON in the first argument; imports nothing of eomc. What is evaluated at
the moment stands in the file `notes`, for the case that the process is ended. Writes the expanded
text, or with exit status 2 the fault as JSON.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import operator
import os
import sys
from itertools import count
from pathlib import Path
from typing import Any

#: Largest numbers [bits], texts and lists [entries] that an expression may make, most calls of
#: macros, and the longest text.
_BITS, _ENTRIES, _CALLS, _LETTERS = 4096, 1_000_000, 5_000, 32 * 2**20
_OPERATORS = {
    ast.Pow: operator.pow,
    ast.Mult: operator.mul,
    ast.LShift: operator.lshift,
    ast.Mod: operator.mod,
}


class TooLarge(ValueError):
    """An expression makes more than a robot needs."""


def limited(word: str, left: Any, right: Any) -> Any:
    """left ** right, left * right, left << right or left % right, if the outcome is no giant."""
    whole = isinstance(left, int) and isinstance(right, int)
    bits = 0
    if whole and word == "Pow" and right > 0:
        bits = left.bit_length() * right
    elif whole and word == "LShift":
        bits = left.bit_length() + right
    elif whole and word == "Mult":
        bits = left.bit_length() + right.bit_length()
    entries = [
        len(a) * b
        for a, b in ((left, right), (right, left))
        if word == "Mult" and hasattr(a, "__len__") and isinstance(b, int)
    ]
    if bits > _BITS or max(entries, default=0) > _ENTRIES:
        raise TooLarge("the outcome is too large")
    return _OPERATORS[getattr(ast, word)](left, right)


def limited_range(*bounds: int) -> range:
    """`range` of so many numbers as a list may have."""
    found = range(*bounds)
    if len(found) > _ENTRIES:
        raise TooLarge("the outcome is too large")
    return found


class _BoundedOperators(ast.NodeTransformer):
    """Operators whose outcome may be a giant become calls that look first."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if type(node.op) not in _OPERATORS:
            return node
        name = ast.Name("limited_", ast.Load())
        return ast.Call(name, [ast.Constant(type(node.op).__name__), node.left, node.right], [])

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id.startswith("__"):
            raise TooLarge(f"name {node.id!r} is not allowed")
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if node.attr.startswith("__"):
            raise TooLarge(f"name {node.attr!r} is not allowed")
        return node


class Evaluation:
    """`xacro.safe_eval` with limits; notes the file and the expression before it begins."""

    def __init__(self, xacro: Any, notes: str) -> None:
        self._xacro = xacro
        self._notes = os.open(notes, os.O_WRONLY)
        self.current: dict[str, str] = {}

    def __call__(self, expression: str, symbols: Any, local: Any = None) -> Any:
        stack = self._xacro.filestack
        self.current = {"file": str(stack[-1] if stack else ""), "expression": expression[:400]}
        os.pwrite(self._notes, json.dumps(self.current).ljust(4096).encode()[:8192], 0)
        tree = _BoundedOperators().visit(ast.parse(expression.strip(), "<expression>", "eval"))
        code = compile(ast.fix_missing_locations(tree), "<expression>", "eval")
        symbols.update(__builtins__={}, limited_=limited)
        found = eval(code, symbols, local)
        if hasattr(found, "__len__") and len(found) > _ENTRIES:
            raise TooLarge("the outcome is too large")
        return found


def _counts_macros(xacro: Any) -> None:
    """Refuse macros that call macros without end."""
    original, calls = xacro.handle_macro_call, count(1)

    def handle(node: Any, macros: Any, symbols: Any) -> Any:
        if node.tagName.startswith("xacro:") and next(calls) > _CALLS:
            raise TooLarge(f"<{node.tagName}>: more than {_CALLS} calls of macros")
        return original(node, macros, symbols)

    xacro.handle_macro_call = handle


def _finds_packages(xacro: Any, folders: list[str]) -> None:
    """$(find name) in these folders before those of ROS."""
    original = xacro.substitution_args._eval_find

    def find(name: str) -> str:
        for folder in map(Path, folders):
            if folder.name == name:
                return str(folder)
            if (folder / name).is_dir():
                return str(folder / name)
        return str(original(name))

    xacro.substitution_args._eval_find = find
    xacro.substitution_args._eval_dict["find"] = find


class _Arguments(dict[str, str]):
    """Arguments that remember which of them the file knows."""

    def __init__(self, given: dict[str, str]) -> None:
        super().__init__(given)
        self.asked: dict[str, None] = {}

    def __contains__(self, name: object) -> bool:
        self.asked[str(name)] = None
        return super().__contains__(name)

    def __getitem__(self, name: str) -> str:
        self.asked[name] = None
        return super().__getitem__(name)


def expanded(request: dict[str, Any]) -> dict[str, Any]:
    """The text, and the names of the arguments that the file knows; or a fault."""
    import xacro
    import xacro.substitution_args

    evaluation = xacro.safe_eval = Evaluation(xacro, request["notes"])
    xacro.substitution_args.eval = evaluation  # of $(eval ...)
    for names in (xacro._global_symbols, xacro._global_symbols["python"]):
        names["range"] = limited_range
    for word in ("factorial", "comb", "perm"):
        xacro._global_symbols.pop(word, None)
        xacro._global_symbols["math"].pop(word, None)
        xacro.substitution_args._eval_dict.pop(word, None)
    _counts_macros(xacro)
    _finds_packages(xacro, request["packages"])
    arguments, output = _Arguments(request["arguments"]), io.StringIO()
    try:
        with contextlib.redirect_stderr(output):
            text: str = xacro.process_file(request["path"], mappings=arguments).toxml()
            if len(text) > _LETTERS:
                raise TooLarge("the expanded text is too long")
    except (Exception, SystemExit) as error:
        # Whatever it stumbles over is a fault of the document.
        cause: Any = error
        while getattr(cause, "exc", None) is not None:
            cause = cause.exc
        name = "" if str(cause) else type(cause).__name__
        words = " ".join(f"{name} {error} {output.getvalue()}".split())
        return {"fault": words[:300], "file": request["path"], **evaluation.current}
    return {"text": text, "asked": list(arguments.asked)}


def main(request: dict[str, Any]) -> None:
    """Expand with limits on this process."""
    try:
        import resource
    except ImportError:  # no such limits on this system: the caller ends what takes too long
        pass
    else:
        seconds, memory = request["seconds"], request["memory"]
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    answer = expanded(request)
    sys.stdout.buffer.write(json.dumps(answer).encode())


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
