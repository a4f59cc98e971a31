"""The face of a program in C and Python: every name decided once, for header, body and wrapper."""

from collections.abc import Iterable
from dataclasses import dataclass

from eomc.codegen.errors import EmissionError
from eomc.codegen.identifiers import RESERVED, SYSTEM_MACROS, Names, is_prefix
from eomc.codegen.real import Real
from eomc.derive.graph import Argument, Function, Parameter, Program


@dataclass(frozen=True)
class Port:
    """One argument of an emitted function.

    `name` is its C and Python identifier, unique among the function's arguments: an output that
    is called like an input (``normalize(q) -> q``) becomes ``q_out``.
    """

    name: str
    argument: Argument
    is_output: bool

    @property
    def size(self) -> int:
        return len(self.argument.entries)

    @property
    def by_value(self) -> bool:
        """Scalar inputs travel by value."""
        return not self.is_output and self.argument.shape == ()

    def element(self, index: int) -> str:
        """C text of one entry."""
        return self.name if self.by_value else f"{self.name}[{index}]"


@dataclass(frozen=True)
class Entry:
    """One emitted function: `name` in Python, `symbol` (prefix included) in C."""

    name: str
    symbol: str
    function: Function
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]

    @property
    def ports(self) -> tuple[Port, ...]:
        return self.inputs + self.outputs


@dataclass(frozen=True)
class Member:
    """A tunable parameter and its name in the parameters struct."""

    name: str
    parameter: Parameter


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
    entries: tuple[Entry, ...]
    members: tuple[Member, ...]
    statuses: tuple[Status, ...]
    indices: tuple[IndexEnum, ...]

    @property
    def macro(self) -> str:
        """Prefix of macros and enumerators."""
        return self.prefix.upper()

    @property
    def real_type(self) -> str:
        return f"{self.prefix}_real"

    @property
    def parameters_type(self) -> str:
        return f"{self.prefix}_parameters"

    def entry(self, name: str) -> Entry | None:
        """The emitted function of this name, if there is one."""
        return next((entry for entry in self.entries if entry.function.name == name), None)


# Names that the emitted files themselves use after the prefix.
_OWN_NAMES = (
    *("real", "parameters", "default_parameters", "status", "status_name", "module", "manifest"),
    *("rk4", "rk4_step", "rk4_trajectory", "functions", "adaptive_run"),
    *("dopri", "dopri_rates", "dopri_norm", "dopri_first", "dopri_try", "dopri_advance"),
    *("dopri_record", "sincos", "sin", "cos", "turn", "far_turn"),
    *("to_lanes", "from_lanes", "signal", "feedback", "feedback_torque"),
    *("rk4_rollouts", "rollouts_merge"),
)
_SOLVER_NAMES = (
    *("independent_speeds", "dependent_coordinates", "dependent_speeds", "project"),
    *("reduced_dynamics", "consistent_state", "actuated_inverse_dynamics", "eliminate"),
    *("solve_positive", "gradients", "bar", "dependent_step", "close", "multipliers"),
    *("order_displacements", "reduced_linearization", "free_motion", "free_bases"),
    *("add_product", "clear", "eliminate_square", "null_space", "project_forces", "linearize"),
    *("input_forces", "show_all"),
)
_OWN_MACROS = ("H", "RESTRICT", "NOINLINE", "INLINE", "OK", "LANES", "NO_VECTORS")
ADAPTIVE_CODES = ("step_underflow", "too_many_steps")
"""How an adaptive integrator fails beside the functions that it calls."""
SOLVER_NEEDS = (
    *("constraint_jacobian", "constraint_residual", "position_correction", "integrate"),
    *("constraint_velocity", "velocity_correction", "constraint_bias", "mass_matrix", "bias"),
    "inverse_dynamics",
)
"""Functions that the solvers of constraints call."""
LINEARIZATION_NEEDS = ("linearization", "constraint_derivatives")
"""Functions that linearizations on constraints call too."""
SOLVER_CODES = ("singular_constraints", "no_convergence", "singular_mass_matrix", "not_actuated")
"""How the solvers of constraints fail beside the functions that they call."""
# Names that the emitted bodies use beside their arguments.
_BODY_NAMES = (
    *("p", "work", "out", "threads"),
    *("codes", "good", "second", "first", "lane", "entry"),
)


def interface(program: Program, prefix: str, real: Real) -> Interface:
    """Decide all names; raises EmissionError if the program contradicts itself."""
    if not is_prefix(prefix):
        raise EmissionError(
            f"{prefix!r} cannot prefix C names; use letters, digits and single underscores, a "
            "letter first"
        )
    macro = prefix.upper()
    if f"{macro}_OK" in SYSTEM_MACROS:
        raise EmissionError(
            f"{prefix!r} cannot prefix C names: {macro}_OK is a macro of "
            "<unistd.h>; take another name"
        )
    names = Names((*_OWN_NAMES, *_SOLVER_NAMES, *RESERVED))
    if set(LINEARIZATION_NEEDS) <= {function.name for function in program.functions}:
        names.take("state_space")  # that of the constraints
    seen: set[str] = set()
    entries = []
    for function in program.functions:
        if function.name in seen:
            raise EmissionError(f"function {function.name!r} is defined twice")
        seen.add(function.name)
        entries.append(_entry(function, names.take(function.name), prefix))
    member_names = Names(RESERVED)
    members = tuple(Member(member_names.take(p.name), p) for p in program.parameters)
    enumerators = Names(f"{macro}_{name}" for name in _OWN_MACROS)
    statuses = _statuses(program.functions, macro, enumerators)
    indices = tuple(
        _index_enum(array, entries_, prefix, enumerators)
        for array, entries_ in program.index_names.items()
    )
    return Interface(program, prefix, real, tuple(entries), members, statuses, indices)


def _entry(function: Function, name: str, prefix: str) -> Entry:
    names = Names((*RESERVED, *_BODY_NAMES))
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
    return Entry(name, f"{prefix}_{name}", function, inputs, outputs)


def _statuses(functions: Iterable[Function], macro: str, enumerators: Names) -> tuple[Status, ...]:
    functions = tuple(functions)
    codes = dict.fromkeys(guard.code for function in functions for guard in function.guards)
    if {"coordinate_rates", "forward_dynamics"} <= {function.name for function in functions}:
        codes |= dict.fromkeys(ADAPTIVE_CODES)
    if set(SOLVER_NEEDS) <= {function.name for function in functions}:
        codes |= dict.fromkeys(SOLVER_CODES)
    return tuple(
        Status(code, enumerators.take(f"{macro}_{code.upper()}"), value)
        for value, code in enumerate(codes, start=1)
    )


def _index_enum(array: str, entries: tuple[str, ...], prefix: str, enumerators: Names) -> IndexEnum:
    stem = f"{prefix}_{array}"
    names = tuple(enumerators.take(f"{stem}_{entry}".upper()) for entry in entries)
    count = enumerators.take(f"{stem}_count".upper())
    return IndexEnum(array, f"{stem}_index", tuple(entries), names, count)
