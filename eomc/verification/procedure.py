"""Every check on one model."""

from __future__ import annotations

import hashlib
import platform
import time
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from eomc.building import build, check_small, derived
from eomc.derive.equations import CORE, Equations
from eomc.derive.graph import Program
from eomc.derive.model import Model, ModelError
from eomc.derive.model.toml_writer import toml_text
from eomc.runtime.compiled import CompiledModel
from eomc.runtime.progress import spinner
from eomc.runtime.verify import checks_in, runtime_checks, test_states
from eomc.runtime.verify.check import Check, Outcome
from eomc.verification.declaration import mechanism
from eomc.verification.report import Report
from eomc.verification.subject import DerivedSubject

STATES, QUICK_STATES = 24, 6
_DERIVATIVES = (
    *("inverse_dynamics_derivatives", "forward_dynamics_derivatives"),
    *("inverse_dynamics_parameter_derivatives", "forward_dynamics_parameter_derivatives"),
)
# What is compared with the declaration first, then the code, then laws.
_ORDER = (
    *("emitted C", "Newton-Euler", "textbook", "Lagrange", "consistency", "mass matrix"),
    *("skew symmetry", "passivity", "momentum", "energy of a run", "manifold", "frames"),
    *("complex step", "linearization", "loops", "constraints", "multipliers"),
)


def all_checks() -> list[Check]:
    """Every check, those added by a file of one's own last."""
    from eomc.verification import checks

    found = {check.name: check for check in [*checks_in(checks), *runtime_checks()]}
    return [found.pop(name) for name in _ORDER if name in found] + list(found.values())


def verify(
    model: Any,
    *,
    states: int | None = None,
    seed: int = 0,
    quick: bool = False,
    checks: Iterable[str] | None = None,
    small: bool = False,
    **options: Any,
) -> Report:
    """Check `model` from its declaration to its machine code.

    Parameters
    ----------
    model : Model, path of a model file, Equations, or any system with a method ``program``
    states : int, optional
        Number of random states, besides the edge states; 24 by default, 6 if `quick`.
    seed : int
        Of the random states.
    quick : bool
        Fewer states, shorter runs.
    checks : names, optional
        Only these checks; see `eomc.verification.procedure.all_checks`.
    small : bool
        Check the small code, of loops over the bodies, as `eomc.build` makes it.
    **options
        How to compile, as for `eomc.build`: compiler, flags, march_native, cache_dir.

    Returns
    -------
    Report
        True if no check found a breach; ``print(report)``, ``report.write("report.html")``.

    Raises
    ------
    ModelError, EmissionError, BuildError
        The model is malformed, or cannot be emitted or compiled.
    ValueError
        `states`, `seed` or `checks` is not valid.

    Examples
    --------
    >>> import eomc
    >>> model = eomc.Model("pendulum")
    >>> model.body("bob", mass=1, com=(0, 0, -0.5))
    >>> model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    >>> eomc.verify(model, quick=True).ok
    True
    """
    start = time.perf_counter()
    count = (QUICK_STATES if quick else STATES) if states is None else states
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= 100_000:
        raise ValueError(f"states is {count!r}; give a whole number from 1 to 100000")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise ValueError(f"seed is {seed!r}; give a whole number, not negative")
    chosen = _chosen(checks)
    equations = derived(model, "verify")
    program = _program(equations, small)
    compiled = build(program, **options)
    declared = equations.model if isinstance(equations, Equations) else None
    subject = DerivedSubject(
        compiled,
        test_states(compiled, count, seed),
        program,
        declared,
        mechanism=None if declared is None else mechanism(declared, _frames(declared)),
        seed=seed,
        quick=quick,
    )
    if not any(state.is_random for state in subject.states):
        raise ModelError(
            f"model {compiled.name!r}: its equations have no value in any of {count} random "
            "states; give its coordinates limits within which they have"
        )
    outcomes = [_outcome(check, subject) for check in chosen]
    return Report(
        compiled.name,
        _model_hash(declared, compiled),
        compiled.manifest["hash"],
        compiled.nq,
        compiled.nu,
        seed,
        tuple(state.label for state in subject.states),
        tuple(state.label for state in subject.undefined),
        _versions(),
        tuple(outcomes),
        time.perf_counter() - start,
    )


def _chosen(names: Iterable[str] | None) -> list[Check]:
    every = all_checks()
    if names is None:
        return every
    names = [names] if isinstance(names, str) else list(names)
    known = {check.name: check for check in every}
    for name in names:
        if name not in known:
            raise ValueError(f"no check {name!r}; there are {', '.join(known)}")
    return [known[name] for name in dict.fromkeys(names)]


def _outcome(check: Check, subject: DerivedSubject) -> Outcome:
    with spinner(f"checking {check.name} of {subject.model.name}"), np.errstate(all="ignore"):
        return check.outcome(subject)


def _program(equations: Any, small: bool) -> Program:
    """What is emitted by default, and the derivatives; of other systems all that they have."""
    if small:
        check_small(equations)
    if isinstance(equations, Program):
        return equations
    if not isinstance(equations, Equations):
        program: Program = equations.program()
        return program
    names = [name for name in CORE if name in equations.kinds]
    tunable = bool(equations.tunable(None))
    names += [name for name in _DERIVATIVES if tunable or "parameter" not in name]
    return equations.program(functions=names, frames=_frames(equations.model), small=small)


def _frames(model: Model) -> list[str]:
    """The declared frames, or that of the last body, which stands for all."""
    return list(model.frames) or list(model.bodies)[-1:]


def _model_hash(model: Model | None, compiled: CompiledModel) -> str:
    if model is not None:
        try:
            return hashlib.sha256(toml_text(model).encode()).hexdigest()
        except ModelError:
            pass  # a form of one's own, which no model file can hold
    return str(compiled.manifest["hash"])


def _versions() -> dict[str, str]:
    found = {"Python": platform.python_version(), "machine": platform.machine()}
    for name in ("eomc", "sympy", "mpmath", "numpy", "scipy", "cython"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "unknown"
    return found
