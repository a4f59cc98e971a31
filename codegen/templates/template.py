"""Frames of emitted files, kept as text one can read as the file it makes.

A template marks what varies by ``${name}``; a literal dollar is ``$$``. The words that templates
use are read from them, so that names of models keep clear of these.
"""

import fnmatch
import re
from functools import cache
from importlib.resources import files
from string import Template

# What is not code: comments, strings, lines of the preprocessor.
_ASIDE = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|^#(?!define).*?$', re.DOTALL | re.MULTILINE)
_MARKED = re.compile(r"\w*(?:\$\{\w+\}\w*)+")
_WORD = re.compile(r"(?<![\w.>])[A-Za-z_]\w*")


@cache
def _template(name: str) -> Template:
    return Template((files(__package__) / name).read_text(encoding="utf-8"))


def fill(name: str, **values: object) -> str:
    """Template ``name`` with every mark replaced; KeyError if one has no value."""
    return _template(name).substitute(values)


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(file.name for file in files(__package__).iterdir()))


def _text(*patterns: str) -> str:
    """All templates whose names fit, one after the other."""
    names = [name for pattern in patterns for name in fnmatch.filter(_names(), pattern)]
    return "\n".join([_template(name).template for name in dict.fromkeys(names)])


@cache
def words(*patterns: str) -> frozenset[str]:
    """Variables, arguments and types of the templates whose file names fit; marked ones not."""
    code = _ASIDE.sub(" ", _text(*patterns))
    return frozenset(_WORD.findall(_MARKED.sub(" ", code)))


@cache
def words_after(mark: str, *patterns: str, **values: tuple[str, ...]) -> frozenset[str]:
    """Words that follow ``${mark}_``, other marks there having one of their `values`."""
    found = set(re.findall(rf"\$\{{{mark}\}}_([\w${{}}]+)", _text(*patterns)))
    for name, choices in values.items():
        found = {word.replace(f"${{{name}}}", choice) for word in found for choice in choices}
    return frozenset(word for word in found if "$" not in word)
