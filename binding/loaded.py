"""The compiled binding: as it was installed, or compiled once into the cache."""

from functools import cache
from importlib import import_module
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from eomc.binding.files import digest


@cache
def binding() -> Any:
    """The extension module, of the very source that lies here.

    Raises BuildError where it is not installed and cannot be compiled.
    """
    try:
        found = import_module("eomc._binding")
    except ImportError:
        found = None
    if found is not None and digest() == found.SOURCE:
        return found
    # An installation without a compiler, or a source tree that has changed since. Only then does
    # the runtime need the rooms that compile, so that they are looked up by name.
    return _imported(import_module("eomc.codegen.build").build_binding())


def _imported(file: Path) -> Any:
    loader = ExtensionFileLoader("eomc._binding", str(file))
    spec = spec_from_file_location("eomc._binding", file, loader=loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module
