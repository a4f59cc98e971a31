"""Every check on one model."""

from __future__ import annotations

import hashlib
import platform
import time
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from eomc.building import build, check_small, derived
from eomc.building.vector_lengths import flags_for_vectors
from eomc.derive.equations import Equations
from eomc.derive.equations.named import NamedEquations
from eomc.derive.formats.toml_writer import toml_text
from eomc.derive.graph import Program
from eomc.derive.model import Model, ModelError
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.validity import fold_limits, rate_limits, slope_limits
from eomc.runtime.output.progress import spinner
from eomc.verifier.arithmetic.many_digits import flint
from eomc.verifier.arithmetic.small_matrices import small_matrices
from eomc.verifier.checks import derived as derived_checks
from eomc.verifier.compiled import compiled_checks
from eomc.verifier.completeness import completeness
from eomc.verifier.device import device_check
from eomc.verifier.report import Report
from eomc.verifier.subject import (
    Check,
    CheckOutcome,
    DerivedSubject,
    TestState,
    checks_in,
    test_states,
)
from eomc.verifier.witness.declaration import mechanism

STATES, QUICK_STATES = 24, 6
LARGE, QUICKLY = 50_000, "-O0"
"""Operations beyond which forms of the code beside the module leave out the derivatives, most of
all operations; and flags of all these forms, for it is not their speed that is compared."""
_DERIVATIVES = (
    *("inverse_dynamics_derivatives", "forward_dynamics_derivatives"),
    *("inverse_dynamics_parameter_derivatives", "forward_dynamics_parameter_derivatives"),
)
_SHARES = (1.0, 0.3, 0.1, 0.03, 0.01)
"""Of the way from the neutral configuration to random ones: the first that leads to states."""
_TOLD = ("element_outputs", "rigid_contacts", "contact_equations")
# What is compared with the declaration first, then the code, then laws.
_ORDER = (
    *("emitted C", "Newton-Euler", "Lagrange", "given equations", "structures", "deformation"),
    *("consistency", "mass matrix"),
    *("passivity", "losses", "momentum", "energy of a run", "manifold", "frames"),
    *("composites",),
    *("complex step", "linearization", "loops", "rows", "constraints", "multipliers"),
    *("integrators", "singular constraints", "solvers", "batches", "calls"),
    *("states of elements", "element outputs", "switches", "rod reach", "contacts"),
    *(
        "rigid contacts",
        "contact steps",
        "limits",
        "lanes",
        "laws",
        "sampled control",
        "near-rigid control",
    ),
    *("functions on request", "small code", "single precision", "vectors"),
)


def all_checks() -> list[Check]:
    """Every check, those added by a file of one's own last."""
    found = {check.name: check for check in [*checks_in(derived_checks), *compiled_checks()]}
    return [found.pop(name) for name in _ORDER if name in found] + list(found.values())


def verify(
    model: Any,
    *,
    states: int | None = None,
    seed: int = 0,
    quick: bool = False,
    checks: Iterable[str] | None = None,
    small: bool = False,
    device: str | None = None,
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
        Only these checks; see `eomc.verifier.procedure.all_checks`.
    small : bool
        Check the small code, of loops over the bodies, as `eomc.build` makes it.
    device : "cuda", optional
        Compare the kernels on the first such device with the functions of the processor, and make
        no other check. Raises `CudaError` where there is none.
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
    chosen = _chosen(checks) if device is None else [device_check(device)]
    equations = derived(model, "verify")
    programs = cache(partial(_program, equations))
    program = programs(small, (), True)
    compiled = build(program, **options)
    forms = _Forms(programs, options, sum(map(compiled.operations_of, compiled.functions)))
    declared = equations.model if isinstance(equations, Equations) else None
    for share in _SHARES:
        subject = DerivedSubject(
            compiled,
            test_states(compiled, count, seed, share),
            program,
            declared,
            mechanism=None if declared is None else mechanism(declared, _frames(declared)),
            seed=seed,
            quick=quick,
            another=forms,
            given=equations,
        )
        if any(state.is_random for state in subject.states):
            break
    else:
        raise _without_value(compiled)
    if share < 1.0:
        subject.tell(
            f"random states at {100 * share:g} % of the way from the neutral configuration to "
            "configurations drawn within the limits, where the equations have no value"
        )
    with small_matrices():
        outcomes = [
            CheckOutcome(check, reason="left out by quick")
            if quick and checks is None and check.thorough
            else _outcome(check, subject)
            for check in chosen
        ]
    if len(chosen) == len(all_checks()):
        outcomes.append(completeness(subject, outcomes))
    told = compiled.manifest.get("metadata", {})
    return Report(
        compiled.name,
        _model_hash(declared, compiled),
        compiled.manifest["hash"],
        compiled.nq,
        compiled.nu,
        seed,
        tuple(state.label for state in subject.states),
        (*(state.label for state in subject.undefined), *subject.without_value),
        _versions(),
        tuple(outcomes),
        time.perf_counter() - start,
        tuple(_numbers(state) for state in (*subject.states, *subject.undefined)),
        (*slope_limits(told), *rate_limits(told), *fold_limits(told), *forms.notes, *subject.notes),
    )


def _without_value(compiled: CompiledModel) -> ModelError:
    free = [
        name
        for name, low, high in zip(
            compiled.coordinates, compiled.lower, compiled.upper, strict=True
        )
        if not (np.isfinite(low) and np.isfinite(high))
    ]
    wanted = f"give limits (lower, upper) to {', '.join(free)}" if free else "narrow the limits"
    return ModelError(
        f"model {compiled.name!r}: its equations have no value, or its constraints are not "
        f"satisfied, in any state drawn within the limits, nor within {100 * _SHARES[-1]:g} % of "
        f"the way to such states from the neutral configuration; {wanted}, within which they are"
    )


class _Forms:
    """The same equations, built otherwise: with lanes, in floats, with more functions.

    Compiled without optimization; of large modules without derivatives, which `notes` tells.
    """

    def __init__(
        self, programs: Callable[..., Program], options: Mapping[str, Any], operations: int
    ) -> None:
        self.programs, self.operations = programs, operations
        self.options = {"flags": QUICKLY, **options}
        self.notes: dict[str, None] = {}

    def __call__(
        self, more: tuple[str, ...], small: bool, **shape: Any
    ) -> tuple[Program, CompiledModel]:
        """The program with `more` functions, and its module, for vectors of so many bytes."""
        length = shape.pop("vectors", None)
        is_large, options = self.operations > LARGE, {**self.options, **shape}
        if is_large:
            self.notes[
                "forms of the code beside the module (lanes, laws, loops, floats) without "
                f"derivatives, for its functions take {self.operations} operations"
            ] = None
        program = self.programs(small, more, not is_large)
        if length is not None:
            asked = {key: options[key] for key in ("compiler", "flags") if key in options}
            flags = flags_for_vectors(length, program.name, **asked)
            if flags is None:
                raise ModelError(f"there are no vectors of {8 * length} bits here")
            options["flags"] = flags
        return program, build(program, **options)


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


def _outcome(check: Check, subject: DerivedSubject) -> CheckOutcome:
    with spinner(f"checking {check.name} of {subject.model.name}"), np.errstate(all="ignore"):
        return check.outcome(subject)


def _program(
    equations: Any, small: bool, more: tuple[str, ...] = (), derivatives: bool = True
) -> Program:
    """The functions emitted by default, `derivatives`, and `more` of those that there are."""
    if small:
        check_small(equations)
    if isinstance(equations, Program):
        return equations
    if not isinstance(equations, NamedEquations):
        program: Program = equations.program()
        return program
    names = equations.default_functions()
    tunable = bool(equations.tunable(None))
    slopes = [name for name in _DERIVATIVES if tunable or "parameter" not in name]
    names += [name for name in slopes if derivatives and name in equations.kinds]
    names += [name for name in (*_TOLD, *more) if name in equations.kinds]
    if not isinstance(equations, Equations):
        return equations.program(functions=names)
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


def _numbers(state: TestState) -> dict[str, Any]:
    """Label of a state and the arguments of the functions in it, as plain lists."""
    return {"label": state.label} | {
        name: np.asarray(value).tolist() for name, value in state.values.items()
    }


def _versions() -> dict[str, str]:
    found = {"Python": platform.python_version(), "machine": platform.machine()}
    arithmetic = "mpmath" if flint is None else "python-flint"
    for name in ("eomc", "sympy", arithmetic, "numpy", "scipy", "cython"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "unknown"
    return found
