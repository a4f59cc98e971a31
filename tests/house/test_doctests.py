"""The examples in the docstrings are true."""

import doctest
import linecache
import pkgutil
from importlib import import_module
from types import ModuleType

import pytest

import eomc

# Each room is a folder of its own, which a walk from `eomc` alone would not enter.
_ROOMS = ("eomc", *(f"eomc.{room}" for room in eomc._ROOMS), "eomc_published")


def _modules() -> list[str]:
    names = set(_ROOMS)
    for room in _ROOMS:
        package: ModuleType = import_module(room)
        # Its first place alone: in the source tree `eomc` finds what lies beside the rooms, too.
        names |= {info.name for info in pkgutil.walk_packages(package.__path__[:1], f"{room}.")}
    return sorted(name for name in names if not name.endswith("__main__"))


@pytest.mark.parametrize("name", _modules())
def test_docstring_examples(name: str) -> None:
    module = import_module(name)
    linecache.clearcache()  # doctest asks the disk for each of its files before each docstring
    failed, _ = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0


def test_some_examples_exist() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    examples = sum(
        len(test.examples) for name in _modules() for test in finder.find(import_module(name), name)
    )
    assert examples > 20, eomc.__file__
