"""Files whose faults tests must find: what no verification computes, and other languages."""

from __future__ import annotations

from verification.mutants.mutant import ROOT

ROOMS = (
    *("binding", "building", "codegen", "derive", "eomc", "meshes", "runtime", "systems"),
    "verifier",
)
"""Python of the product."""

NAMED = {
    "codegen/fmi/templates/adjoint.c": ("fmi/test_calls.py", "fmi/test_inner_steps.py"),
    "codegen/fmi/templates/": (
        *("fmi/test_calls.py", "fmi/test_inner_steps.py", "fmi/test_units.py"),
        "reference/test_fmi.py",
    ),
    "codegen/matlab/": ("targets/test_simulink.py",),
    "codegen/external/templates/casadi": ("peers/test_casadi.py",),
    "codegen/templates/self_test.c": ("codegen/test_controller_self_test.py",),
    "codegen/wasm/model.js": ("page/test_machine.py",),
    "runtime/control/acting": ("runtime/test_allocation.py", "runtime/test_regulator.py"),
    "runtime/derivatives/operating_point": (
        *("linearization/test_requests.py", "linearization/test_scales.py"),
    ),
    "runtime/equilibria/": (
        *("linearization/test_arcs.py", "linearization/test_branches.py"),
        *("linearization/test_equilibrium.py", "linearization/test_scales.py"),
    ),
    "runtime/impacts/": ("contacts/test_rigid.py", "contacts/test_dead_centres.py"),
    "runtime/integrators/watched_run": ("runtime/test_default_method.py",),
    "runtime/linearization/": ("linearization/test_requests.py", "linearization/test_scales.py"),
    "runtime/page/app/machine.js": ("page/test_machine.py",),
    "runtime/page/app/step.js": ("page/test_machine.py",),
    "verifier/checks/derived/losses": ("losses/test_verified.py",),
}
"""Beginning of a path: tests that must find its faults; the first beginning that fits holds. Of
Python those that changed along with it are looked at besides; of other texts these are all.

Scripts that draw run in a browser alone, which slow tests ask; compilers for languages that are
not here (Rust, Julia) find what they are given to be no program."""

_SUFFIXES = (".c", ".h", ".js", ".pxi")


def files_for_tests() -> list[str]:
    """Python of all rooms, and the texts of the table."""
    python = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    texts = [
        path
        for folder in {start[: start.rindex("/")] for start in NAMED}
        for path in (ROOT / folder).rglob("*")
        if path.suffix in _SUFFIXES and named_tests(path.relative_to(ROOT).as_posix())
    ]
    return sorted({path.relative_to(ROOT).as_posix() for path in (*python, *texts)})


def named_tests(file: str) -> tuple[str, ...]:
    """Files of tests that are named for a file, from the folder of tests; () if none are."""
    return next((tests for start, tests in NAMED.items() if file.startswith(start)), ())
