"""The face of a program in C and Python: every name decided once, for header, body and wrapper."""

import hashlib
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any, TypeVar

from eomc.codegen.integrators import Implicit, StepFunction, implicit_methods, tableaus
from eomc.codegen.plan.errors import EmissionError
from eomc.codegen.plan.identifiers import RESERVED, SYSTEM_MACROS, Names, identifier, is_prefix
from eomc.codegen.plan.real import Real
from eomc.codegen.templates.template import words_after
from eomc.derive.graph import Argument, Function, Program, TunableParameter

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Port:
    """One argument of an emitted function.

    `name` is its C and Python identifier, unique among the function's arguments: an output that
    is called like an input (``normalize(q) -> q``) becomes ``q_out``.
    """

    name: str
    argument: Argument
    is_output: bool

    @cached_property
    def size(self) -> int:
        return len(self.argument.entries)

    @cached_property
    def by_value(self) -> bool:
        """Scalar inputs travel by value."""
        return not self.is_output and self.argument.shape == ()


@dataclass(frozen=True)
class EmittedFunction:
    """One emitted function: `name` in Python, `symbol` (prefix included) in C."""

    name: str
    symbol: str
    function: Function
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]

    @cached_property
    def ports(self) -> tuple[Port, ...]:
        return self.inputs + self.outputs


@dataclass(frozen=True)
class ParameterMember:
    """A tunable parameter and its name in the parameters struct."""

    name: str
    parameter: TunableParameter


@dataclass(frozen=True)
class Status:
    """A return code: its name in the model, its C enumerator and its value."""

    code: str
    enumerator: str
    value: int


@dataclass(frozen=True)
class IndexEnum:
    """Names of the entries of one array as an enum; the last enumerator counts them."""

    array: str
    name: str
    entries: tuple[str, ...]
    enumerators: tuple[str, ...]
    count: str


@dataclass(frozen=True)
class Interface:
    """All names of an emitted program. `real_type` is the model's own typedef, so that a double and
    a float model stand in one C program without meeting."""

    program: Program
    prefix: str
    real: Real
    entries: tuple[EmittedFunction, ...]
    members: tuple[ParameterMember, ...]
    statuses: tuple[Status, ...]
    indices: tuple[IndexEnum, ...]

    answers: dict[Callable[..., object], Any] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )
    """Of questions that are asked once."""

    @cached_property
    def macro(self) -> str:
        """Prefix of macros and enumerators."""
        return self.prefix.upper()

    @cached_property
    def real_type(self) -> str:
        return f"{self.prefix}_real"

    @cached_property
    def parameters_type(self) -> str:
        return f"{self.prefix}_parameters"

    @cached_property
    def guarding(self) -> tuple[Status, ...]:
        """Codes that the functions of the program may return; others are of solvers in C."""
        codes = {guard.code for entry in self.entries for guard in entry.function.guards}
        return tuple(status for status in self.statuses if status.code in codes)

    @cached_property
    def _by_name(self) -> dict[str, EmittedFunction]:
        return {entry.function.name: entry for entry in self.entries}

    def entry(self, name: str) -> EmittedFunction | None:
        """The emitted function of this name, if there is one."""
        return self._by_name.get(name)


def asked_once(question: Callable[[Interface], Answer]) -> Callable[[Interface], Answer]:
    """Decorator: what ``question`` says of an interface is kept with it."""

    @wraps(question)
    def ask(face: Interface) -> Answer:
        if question not in face.answers:
            face.answers[question] = question(face)
        answer: Answer = face.answers[question]
        return answer

    return ask


# Names after the prefix that no template shows.
_OWN_NAMES = (
    *("parameters", "default_parameters", "status", "status_name"),
    *("module", "manifest", "functions", "q_lower", "q_upper", "u_limit", "tau_limit"),
)
_STATE_SPACE = "state_space"  # of the constraints; programs without them have one of their own
ADAPTIVE_CODES = ("step_underflow", "too_many_steps")
"""Failures of an adaptive integrator beside those of the functions that it calls."""
IMPLICIT_NEEDS = ("step_matrix", "displacement_rates", "integrate")
"""Functions that integrators with the matrix of a step call, beside those of explicit ones."""
IMPLICIT_CODES = ("singular_step", "step_unsolved")
"""Failures of implicit integrators beside those of the functions that they call."""


def implicit_needs(method: Implicit) -> tuple[str, ...]:
    """Functions that an implicit integrator calls, beside those that explicit ones call."""
    return (method.function,) if isinstance(method, StepFunction) else IMPLICIT_NEEDS


SOLVER_NEEDS = (
    *("constraint_jacobian", "constraint_residual", "position_correction", "integrate"),
    *("constraint_velocity", "velocity_correction", "constraint_bias", "mass_matrix", "bias"),
    "inverse_dynamics",
)
"""Functions that the solvers of constraints call."""
LINEARIZATION_NEEDS = ("linearization", "constraint_derivatives")
"""Functions that linearizations on constraints call too."""
SOLVER_CODES = ("singular_constraints", "no_convergence", "singular_mass_matrix", "not_actuated")
"""Failures of the solvers of constraints beside those of the functions that they call."""
NEAR_RIGID_NEEDS = ("mass_matrix", "bias", "difference", "input_matrix", "element_strains")
"""Functions that near-rigid control calls, beside those of constraints."""
NEAR_RIGID_CODES = (
    *("motion_out_of_reach", "bounds_out_of_reach", "inputs_not_unique"),
    "too_many_changes",
)
"""Failures of near-rigid control beside those of the functions that it calls."""
PREDICTIVE = "predictive"
"""Metadata of programs that are predictive controllers, or solvers of optimal control."""
PREDICTIVE_CODES = ("not_converged", "infeasible", "not_finite", "indefinite")
"""Their failures beside those of the functions that they call."""
CONTACT_NEEDS = ("contact_equations", "integrate")
"""Functions that steps with rigid contacts call, beside those of constraints."""
CONTACT_METHODS = {
    "moreau": "Moreau's midpoint step with rigid contacts, order 1",
    "stewart_trinkle": "implicit step of Stewart and Trinkle with rigid contacts, order 1",
}
"""Those steps by name."""
CONTACT_CODE = "contacts_unsolved"
"""Their failure beside those of the functions that they call."""
# Names that the emitted bodies use beside their arguments.
_BODY_NAMES = (
    *("p", "work", "turns", "zeros", "out", "threads"),
    *("codes", "good", "second", "first", "lane", "entry"),
)


_LONGEST, _SHORT = 120, 60
"""Characters of a prefix; file systems take 255 for names that hold more than it."""


def own_prefix(name: str) -> str:
    """The prefix that a program's name makes, or another one where that cannot be.

    >>> own_prefix("left arm")
    'left_arm'
    """
    return prefix_and_reason(name)[0]


def prefix_and_reason(name: str) -> tuple[str, str]:
    """The same, with the reason for another one, if there is any.

    >>> prefix_and_reason("r")
    ('r_model', 'R_OK is a macro of <unistd.h>')
    """
    plain = identifier(name).rstrip("_")
    prefix, why = plain, ""
    if len(plain) > _LONGEST:
        mark = hashlib.sha256(name.encode()).hexdigest()[:8]
        prefix, why = f"{plain[:_SHORT].rstrip('_')}_{mark}", "the name is too long for files"
    if f"{plain.upper()}_OK" in SYSTEM_MACROS:
        prefix, why = f"{plain}_model", f"{plain.upper()}_OK is a macro of <unistd.h>"
    return prefix, why


def interface(
    program: Program, prefix: str, real: Real, reserved: Collection[str] = ()
) -> Interface:
    """Decide all names, none of them `reserved` by the language.

    Raises EmissionError if the program contradicts itself.
    """
    if not is_prefix(prefix):
        raise EmissionError(
            f"{prefix!r} cannot prefix C names; use letters, digits and single underscores, a "
            "letter first"
        )
    if len(prefix) > _LONGEST:
        raise EmissionError(
            f"a prefix of {len(prefix)} characters is too long for names of files; take at most "
            f"{_LONGEST}"
        )
    macro = prefix.upper()
    if f"{macro}_OK" in SYSTEM_MACROS:
        raise EmissionError(
            f"{prefix!r} cannot prefix C names: {macro}_OK is a macro of "
            "<unistd.h>; take another name"
        )
    is_linearized = set(LINEARIZATION_NEEDS) <= {function.name for function in program.functions}
    names = Names((*_OWN_NAMES, *_template_names(is_linearized), *RESERVED, *reserved))
    seen: set[str] = set()
    entries = []
    for function in program.functions:
        if function.name in seen:
            raise EmissionError(f"function {function.name!r} is defined twice")
        seen.add(function.name)
        entries.append(_entry(function, names.take(function.name), prefix, reserved))
    member_names = Names((*RESERVED, *reserved))
    members = tuple(ParameterMember(member_names.take(p.name), p) for p in program.parameters)
    enumerators = Names(f"{macro}_{name}" for name in words_after("M", "*.[ch]"))
    more = PREDICTIVE_CODES if PREDICTIVE in program.metadata else ()
    statuses = _statuses(program.functions, more, macro, enumerators)
    indices = tuple(
        _index_enum(array, entries_, prefix, enumerators)
        for array, entries_ in program.index_names.items()
    )
    return Interface(program, prefix, real, tuple(entries), members, statuses, indices)


def _template_names(is_linearized: bool) -> frozenset[str]:
    """Of functions and types that templates define after the prefix."""
    methods = (*tableaus(), *implicit_methods())
    steps = (*(method.name for method in methods), *CONTACT_METHODS)
    marks = {"method": steps, "op": ("sin", "cos")}
    names = words_after("m", "*.[ch]", **marks)
    return names if is_linearized else names - {_STATE_SPACE}


def _entry(
    function: Function, name: str, prefix: str, reserved: Collection[str]
) -> EmittedFunction:
    names = Names((*RESERVED, *_BODY_NAMES, *reserved))
    inputs = tuple(Port(names.take(a.name), a, False) for a in function.inputs)
    taken = {a.name for a in function.inputs}
    outputs = tuple(
        Port(names.take(f"{a.name}_out" if a.name in taken else a.name), a, True)
        for a in function.outputs
    )
    for port in inputs + outputs:
        size = 1
        for extent in port.argument.shape:
            size *= extent
        if size != port.size:
            raise EmissionError(
                f"function {function.name!r}: argument {port.argument.name!r} of shape "
                f"{port.argument.shape} has {port.size} entries"
            )
    if not outputs:
        raise EmissionError(f"function {function.name!r} has no output")
    return EmittedFunction(name, f"{prefix}_{name}", function, inputs, outputs)


def _statuses(
    functions: Iterable[Function], more: Iterable[str], macro: str, enumerators: Names
) -> tuple[Status, ...]:
    functions = tuple(functions)
    codes = dict.fromkeys(guard.code for function in functions for guard in function.guards)
    if {"coordinate_rates", "forward_dynamics"} <= {function.name for function in functions}:
        codes |= dict.fromkeys(ADAPTIVE_CODES)
        names = {function.name for function in functions}
        if any(set(implicit_needs(method)) <= names for method in implicit_methods()):
            codes |= dict.fromkeys(IMPLICIT_CODES)
    if set(SOLVER_NEEDS) <= {function.name for function in functions}:
        codes |= dict.fromkeys(SOLVER_CODES)
    if set(NEAR_RIGID_NEEDS) <= {function.name for function in functions}:
        codes |= dict.fromkeys(NEAR_RIGID_CODES)
    if set(CONTACT_NEEDS) <= {function.name for function in functions}:
        codes |= {CONTACT_CODE: None}
    codes |= dict.fromkeys(more)
    return tuple(
        Status(code, enumerators.take(f"{macro}_{code.upper()}"), value)
        for value, code in enumerate(codes, start=1)
    )


def _index_enum(array: str, entries: tuple[str, ...], prefix: str, enumerators: Names) -> IndexEnum:
    stem = f"{prefix}_{array}"
    names = tuple(enumerators.take(f"{stem}_{entry}".upper()) for entry in entries)
    count = enumerators.take(f"{stem}_count".upper())
    return IndexEnum(array, f"{stem}_index", tuple(entries), names, count)
