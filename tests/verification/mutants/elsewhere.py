"""Files whose faults tests must find: what no verification computes, and other languages."""

from __future__ import annotations

from verification.mutants.mutant import ROOT

ROOMS = ("binding", "building", "codegen", "derive", "eomc", "runtime", "systems", "verify")
"""Python of the product."""

TESTS_OF_TEXTS = {
    "codegen/fmi/templates/adjoint.c": ("fmi/test_inner_steps.py",),
    "codegen/fmi/templates/": (
        *("fmi/test_inner_steps.py", "fmi/test_units.py", "reference/test_fmi.py"),
    ),
    "codegen/matlab/": ("targets/test_simulink.py",),
    "codegen/external/templates/casadi": ("peers/test_casadi.py",),
    "codegen/templates/self_test.c": ("codegen/test_controller_self_test.py",),
    "codegen/wasm/memory.c": ("page/test_machine.py",),
    "codegen/wasm/model.js": ("page/test_machine.py",),
    "runtime/page/app/machine.js": ("page/test_machine.py",),
    "runtime/page/app/start.js": ("page/test_machine.py",),
    "runtime/page/app/step.js": ("page/test_machine.py",),
}
"""Beginning of a path: the tests that must find its faults; the first beginning that fits holds.

Scripts that draw run in a browser alone, which slow tests ask; compilers for languages that are
not here (Rust, Julia) find what they are given to be no program."""

_SUFFIXES = (".c", ".h", ".js", ".pxi")


def files_for_tests() -> list[str]:
    """Python of all rooms, and the texts of the table."""
    python = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    texts = [
        path
        for folder in {start[: start.rindex("/")] for start in TESTS_OF_TEXTS}
        for path in (ROOT / folder).rglob("*")
        if path.suffix in _SUFFIXES and tests_of_text(path.relative_to(ROOT).as_posix())
    ]
    return sorted({path.relative_to(ROOT).as_posix() for path in (*python, *texts)})


def tests_of_text(file: str) -> tuple[str, ...]:
    """Files of tests that must find faults of a text, from the folder of tests; () if none do."""
    return next((tests for start, tests in TESTS_OF_TEXTS.items() if file.startswith(start)), ())
