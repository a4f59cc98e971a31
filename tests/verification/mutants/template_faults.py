"""Faults in C, Cython and JavaScript: operators, indices, signs, constants, dropped statements."""

from __future__ import annotations

import re
from collections.abc import Callable

from verification.mutants.mutant import ROOT, Mutant

# What is no code: comments, texts, lines of the preprocessor, documentation of Cython's functions,
# messages of errors.
_ASIDE = re.compile(
    r'/\*.*?\*/|""".*?"""|f?"(?:\\.|[^"\\\n])*"|^[ \t]*#.*?$|^[ \t]*raise .*?$',
    re.DOTALL | re.MULTILINE,
)
_ASIDE_OF_SCRIPTS = re.compile(
    r"/\*.*?\*/|//.*?$|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`",
    re.DOTALL | re.MULTILINE,
)
_FLIP = {
    "+": "-",
    "-": "+",
    "*": "/",
    "/": "*",
    "+=": "-=",
    "-=": "+=",
    "*=": "/=",
    "/=": "*=",
    "<": ">",
    ">": "<",
    "<=": ">",
    ">=": "<",
    "==": "!=",
    "!=": "==",
    "===": "!==",
    "!==": "===",
}
_FUNCTIONS = {"fmin": "fmax", "fmax": "fmin", "ceil": "floor", "floor": "ceil"}
_FUNCTIONS |= {"Math.min": "Math.max", "Math.max": "Math.min"}
_FUNCTIONS |= {"Math.ceil": "Math.floor", "Math.floor": "Math.ceil"}
_FAULTS: tuple[tuple[str, str, Callable[[re.Match[str]], str]], ...] = (
    ("operator", r"(?<= )(?:[-+*/<>]|[-+*/]=|[<>=!]==?)(?= )", lambda m: _FLIP[m[0]]),
    ("operator", r"(?<=[\w)\]}])[-+*/](?=[\w($])", lambda m: _FLIP[m[0]]),
    ("function", rf"\b(?:{'|'.join(_FUNCTIONS)})(?=\()", lambda m: _FUNCTIONS[m[0]]),
    ("sign", r"(?<=[(=,?:] )-(?=[\w($])|(?<=\()-(?=[\w($])", lambda m: ""),
    ("index", r"(?<=\[)[a-z]\w*(?=\])", lambda m: "0"),
    ("constant", r"(?<![\w.}])\d+(?![\w.{])", lambda m: str(int(m[0]) + 1)),
    ("dropped", r"(?<=\n)[ \t]*[^\n;{}()=]+(?:\[[^\n;]*\])? [-+*]?= [^\n;]+;(?=\n)", lambda m: ""),
    ("dropped", r"(?<== )[^\n;?(]+ [-+] (?=[^\n;?:]+;)", lambda m: ""),
    (
        "swapped",
        r"\b(?P<one>[a-z_]\w*(?:\[\w+\])?)(?P<gap>, )(?P<two>[a-z_]\w*(?:\[\w+\])?)(?=[,)])",
        lambda m: m["two"] + m["gap"] + m["one"],
    ),
)


def template_faults(file: str) -> list[Mutant]:
    """Of a template, in the order of its text."""
    text = (ROOT / file).read_bytes().decode()
    # As long as it was, so that places stay.
    aside = _ASIDE_OF_SCRIPTS if file.endswith(".js") else _ASIDE
    code = aside.sub(lambda match: re.sub(r"[^\n]", "\0", match[0]), text)
    found: dict[tuple[int, str, str], Mutant] = {}
    for operator, pattern, becomes in _FAULTS:
        for match in re.finditer(pattern, code):
            old, new = match[0], becomes(match)
            if old == new or "\0" in old or _declares(code, match):
                continue
            start = len(text[: match.start()].encode())
            line = text.count("\n", 0, match.start()) + 1
            found[start, old, new] = Mutant(file, line, start, operator, old, new)
    return [found[key] for key in sorted(found)]


def _declares(code: str, match: re.Match[str]) -> bool:
    """Whether it stands in a declaration of an array or a pointer, or among names declared."""
    begin = code.rfind("\n", 0, match.start()) + 1
    line = code[begin : code.find("\n", match.start())]
    before = code[begin : match.start()]
    if re.match(r"\s*(?:(?:\w+ )+\*?\w+(?:\[[^\]]*\])*|(?:const|let) [\[{].*) = ", match[0]):
        return True
    if re.match(r"\s*(?:static |const |cdef )*\*?\w+ \*?\w+(?:, \*?\w+)*;?$", line):
        return not line.lstrip().startswith("return")
    return (
        bool(
            re.match(
                r"\s*(?:static |const |cdef |typedef )*(?:\$\{\w+\}_real|_real|int|size_t|double)"
                r" \*?\w+\[",
                line,
            )
            and "=" not in before
        )
        or "_RESTRICT" in line
    )
