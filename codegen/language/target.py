"""Target languages: one record a language, known by name.

A file that is not part of the package registers its language in the same way::

    TARGET = register(Target("julia", files, reserved={"end", "function", "global"}))
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from eomc.codegen.language.body import function_body
from eomc.codegen.language.language import Language
from eomc.codegen.plan.cost import Optimize
from eomc.codegen.plan.errors import EmissionError
from eomc.codegen.plan.interface import Interface
from eomc.codegen.plan.partition import PieceLimits
from eomc.codegen.plan.real import RealName
from eomc.derive.graph import Program


@dataclass(frozen=True)
class Request:
    """Requested properties of the files of a program.

    limits : statements of a function in one, of a piece, and of a file
    lanes : states that functions for batches evaluate at once, 1 for no such functions
    self_test : whether the files carry a test of themselves
    optimize : what the form of each function is chosen for
    """

    limits: PieceLimits
    lanes: int = 1
    self_test: bool = False
    optimize: Optimize = "speed"


def _as_it_is(program: Program) -> Program:
    return program


@dataclass(frozen=True)
class Target:
    """A language that programs are emitted in.

    name : what `eomc.emit` and the command line call it
    files : texts by file name, of the names of a program and what is asked
    reserved : words that cannot name anything, beyond those of C, C++ and Python
    reals : scalar types that it knows
    lanes : numbers of states that functions for batches may evaluate at once
    forms : whether a function may be written in several forms, of which one is chosen
    for_loops : whether small code is written as for-loops over the bodies
    self_test : whether its files can carry a test of themselves
    prepared : the program with what the files need beside its functions
    table : further files with which they make a library that eomc can call, where they can
    """

    name: str
    files: Callable[[Interface, Request], dict[str, str]]
    reserved: Collection[str] = ()
    reals: tuple[RealName, ...] = ("double",)
    lanes: tuple[int, ...] = ()
    forms: bool = False
    for_loops: bool = False
    self_test: bool = False
    prepared: Callable[[Program], Program] = _as_it_is
    table: Callable[[Interface, Mapping[str, str], Request], dict[str, str]] | None = None


_TARGETS: dict[str, Target] = {}


def register(target: Target) -> Target:
    """Make a target known; one of the same name gives way."""
    _TARGETS[target.name] = target
    return target


def is_known(name: str) -> bool:
    """True if a target of this name is registered."""
    return name in _TARGETS


def find_target(name: str) -> Target:
    """The target of this name; EmissionError, which lists all, if there is none."""
    if name not in _TARGETS:
        raise EmissionError(f"unknown target {name!r}; valid are {', '.join(sorted(_TARGETS))}")
    return _TARGETS[name]


def functions(language: Language, limits: PieceLimits) -> str:
    """All functions of the program that `language` serves, each preceded by its pieces."""
    return "\n".join(function_body(language, entry, limits).text for entry in language.face.entries)
