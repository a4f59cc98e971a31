"""Velocity-level steps with rigid contacts in C, for programs that know their equations.

Two methods of fixed steps share one step without allocation, in loops of known length; the
templates are ``templates/contact_*``. Impulses, from which the next solve starts, and what a solve
tells stand behind the speeds.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from eomc.codegen.c import fixed_run
from eomc.codegen.c.arguments import call_arguments
from eomc.codegen.language.body import FunctionText, stack_bound
from eomc.codegen.language.comment import comment_text
from eomc.codegen.language.language import INDENT
from eomc.codegen.language.literal import literal
from eomc.codegen.plan.identifiers import RESERVED, Names
from eomc.codegen.plan.interface import (
    CONTACT_CODE,
    CONTACT_METHODS,
    CONTACT_NEEDS,
    EmittedFunction,
    Interface,
    Port,
    asked_once,
)
from eomc.codegen.templates.template import fill, words
from eomc.derive.graph.node import ZERO

TOLD = ("residual", "unsolved", "jams")
"""Numbers that stand behind the impulses: the residual of a solve, the contact that has it, and
1 where friction jams."""

SETTINGS = "settings"
_CORRECTION = "position_correction"
_STATE = ("q", "u", "du", "implicit_step")
_LAWS = 6
_FORMED = 64
"""Rows up to which Delassus' matrix is formed, and Newton's method ends a solve that sweeps have
begun."""

_PARTS = (
    *("loops_definition", "loops_hold", "loops_told", "loops_close", "dry_start", "dry_hold"),
    *("contacts_start", "newton_definition", "polish", "delassus_member", "form"),
)
"""Parts of a step that only some models have."""


@dataclass(frozen=True)
class ContactStep:
    """The step of one program.

    held : inputs beyond q, u and the time, the settings of the solve among them
    sizes : rows of every contact
    dry : speeds with dry friction, whose rows are next
    rows : names of all rows, those of constraints last
    """

    equations: EmittedFunction
    integrate: EmittedFunction
    correction: EmittedFunction | None
    held: tuple[Port, ...]
    contacts: tuple[str, ...]
    sizes: tuple[int, ...]
    dry: tuple[str, ...]
    rows: tuple[str, ...]
    nq: int
    nu: int
    timed: bool

    @property
    def block_sizes(self) -> list[int]:
        """Rows of each contact and each speed with dry friction."""
        return [*self.sizes, *[1] * len(self.dry)]

    @property
    def of_contacts(self) -> int:
        """Number of rows of contacts."""
        return sum(self.sizes)

    @property
    def unilateral(self) -> int:
        """Number of rows of contacts and dry friction."""
        return self.of_contacts + len(self.dry)

    @property
    def loops(self) -> int:
        """Number of rows of constraints."""
        return len(self.rows) - self.unilateral

    @property
    def width(self) -> int:
        """Of the array of speeds, impulses and what is told."""
        return self.nu + len(self.rows) + len(TOLD)

    @property
    def names(self) -> dict[str, str]:
        """Names of the held inputs by those of the functions."""
        return {port.argument.name: port.name for port in self.held}

    @property
    def called(self) -> tuple[EmittedFunction, ...]:
        """Functions that a step calls."""
        given = (self.equations, self.integrate, self.correction)
        return tuple(entry for entry in given if entry is not None)

    @property
    def arrays(self) -> dict[str, int]:
        """Sizes of what the equations tell of gaps and dry friction, where there are any."""
        count = len(self.contacts)
        sizes = {"gaps": count, "laws": _LAWS * count, "limits": len(self.dry)}
        return {name: size for name, size in sizes.items() if size}

    @property
    def methods(self) -> tuple[str, ...]:
        """Those that the laws of the contacts allow: what gives way takes the end of a step."""
        laws = _entries(self.equations, "laws")
        gives = any(laws[k] != ZERO for k in range(len(laws)) if k % _LAWS >= _LAWS - 2)
        return tuple(name for name in CONTACT_METHODS if not (gives and name == "moreau"))


def _output(entry: EmittedFunction, name: str) -> Port | None:
    return next((port for port in entry.outputs if port.argument.name == name), None)


def _rows(entry: EmittedFunction, name: str) -> tuple[str, ...]:
    found = _output(entry, name)
    return found.argument.rows if found else ()


def _places(entry: EmittedFunction, name: str) -> list[tuple[str, int]]:
    """Row and column of every entry of a matrix of which only these are there."""
    pairs = (text.rpartition(", ") for text in _rows(entry, name))
    return [(row, int(column)) for row, _, column in pairs]


def _entries(entry: EmittedFunction, name: str) -> tuple[int, ...]:
    found = _output(entry, name)
    return tuple(found.argument.entries) if found else ()


@asked_once
def contact_step(face: Interface) -> ContactStep | None:
    """The step of ``face``; None if the program lacks what it calls."""
    equations, integrate = (face.entry(name) for name in CONTACT_NEEDS)
    if equations is None or integrate is None:
        return None
    names, dry, labels = (_rows(equations, key) for key in ("gaps", "limits", "rates"))
    sizes = tuple(
        sum(label in (f"{name}.gap", f"{name}.slip_1", f"{name}.slip_2") for label in labels)
        for name in names
    )
    correction = face.entry(_CORRECTION)
    if sum(sizes) + len(dry) < len(labels) and correction is None:
        return None
    called = [equations, integrate, *([correction] if correction else [])]
    taken = Names((*RESERVED, "p", SETTINGS, *words("contact_*.?", fixed_run.TEMPLATES)))
    held: dict[str, Port] = {}
    timed = False
    for port in (port for entry in called for port in entry.inputs):
        if port.argument.name == "t" and port.by_value:
            timed = True
        elif port.argument.name == "z":
            return None
        elif port.argument.name not in (*_STATE, *held):
            held[port.argument.name] = replace(port, name=taken.take(port.argument.name))
    held[SETTINGS] = _settings(equations.inputs[0])
    nq, nu = (equations.inputs[k].size for k in (0, 1))
    called_held = tuple(held.values())
    functions = (equations, integrate, correction)
    return ContactStep(*functions, called_held, names, sizes, dry, labels, nq, nu, timed)


def _settings(like: Port) -> Port:
    argument = replace(like.argument, name=SETTINGS, shape=(5,), entries=(ZERO,) * 5, rows=())
    return Port(SETTINGS, argument, False)


def contact_declarations(face: Interface, bodies: dict[str, FunctionText]) -> str:
    """For the header."""
    found = contact_step(face)
    if found is None:
        return ""
    marks = contact_marks(face) | {"stack": _stack(face, found, bodies)}
    return "".join(
        "\n"
        + fill("contact_method.h", **marks, **m)
        + fixed_run.declarations(marks | m, found.nq, found.width)
        for m in contact_methods(found)
    )


def contact_definitions(face: Interface, lanes: int = 1) -> str:
    """For the source file; rollouts call the solve too."""
    found = contact_step(face)
    if found is None:
        return ""
    marks = contact_marks(face)
    linkage = "static " if lanes == 1 else ""
    return contact_step_definition(face, linkage) + "".join(
        fixed_run.definitions(
            marks | m, found.nq, found.width, f"{face.prefix}_contact_step", f", {m['is_midpoint']}"
        )
        for m in contact_methods(found)
    )


def contact_step_definition(face: Interface, linkage: str = "static ") -> str:
    """One step of either method, without the loops over it."""
    marks = contact_marks(face)
    head = fill("contact_impulses.h", **marks)
    impulses = fill("contact_impulses.c", **marks, linkage=linkage, head=head)
    return fill("contact_step.c", **marks, impulses_definition=impulses)


def contact_methods(found: ContactStep) -> list[dict[str, str]]:
    """Marks of the methods."""
    return [
        {
            "method": name,
            "title": CONTACT_METHODS[name],
            "is_midpoint": "true" if name == "moreau" else "false",
        }
        for name in found.methods
    ]


def _stack(face: Interface, found: ContactStep, bodies: dict[str, FunctionText]) -> str:
    n, rows, loops = found.nu, len(found.rows), found.loops
    lower, y = (len(_rows(found.equations, name)) for name in ("L", "y"))
    numbers = lower + y + 6 * n + 2 * found.nq + 20 * len(found.contacts) + 4 * rows
    numbers += loops * (n + rows + 1)
    if (unknowns := found.unilateral) <= _FORMED:
        numbers += unknowns * (2 * unknowns + 10)
    deepest = max(bodies[entry.name].stack for entry in found.called)
    most = stack_bound(numbers, face.real) + stack_bound(64, face.real) + deepest
    return f"at most {most} bytes in optimized code"


@asked_once
def contact_marks(face: Interface) -> dict[str, object]:
    """Marks of all templates of a step."""
    found = contact_step(face)
    assert found is not None
    epsilon = 1 / face.real.exact_integers
    codes = {status.code: status.enumerator for status in face.statuses}
    calls = found.names | {"q": "q_rows", "u": "u", "t": "t_rows", "implicit_step": "implicit"}
    whole = calls | {"q": "q", "du": "du", "t": "t + h"}
    numbers = {
        "zero": 0,
        "one": 1,
        "two": 2,
        "three": 3,
        "half": 0.5,
        "kept_depth": 0.2,
        "six_digits": 1e-6,
        "nine_digits": 1e-9,
        "pivot_tolerance": 64 * epsilon,
        "rank_tolerance": 2**12 * epsilon,
        "settled": 4 * epsilon,
        "cosine": math.cos(math.pi / 16),
        "sine": math.sin(math.pi / 16),
    }
    marks: dict[str, object] = {
        "m": face.prefix,
        "M": face.macro,
        "f": face.real.suffix,
        **{name: literal(value, face.real) for name, value in numbers.items()},
        "halves": math.ceil(-math.log2(epsilon)),
        **_sizes(found),
        "told_at": len(found.rows),
        "behind": found.width - found.nu,
        "impulses": _listed_rows(found),
        "equations": found.equations.symbol,
        "integrate": found.integrate.symbol,
        "equations_outputs": "".join(f", {name}" for name in found.arrays),
        "equations_arguments": call_arguments(face, found.equations, calls),
        "integrate_half": call_arguments(face, found.integrate, whole | {"t": "t_rows"}),
        "integrate_whole": call_arguments(face, found.integrate, whole),
        CONTACT_CODE: codes[CONTACT_CODE],
        **fixed_run.input_marks(face, found.held, found.timed),
        **dict.fromkeys(_PARTS, ""),
    }
    marks |= _arrays(face, found)
    marks |= _dry_marks(found, marks) if found.dry else {}
    marks |= _loop_marks(face, found, marks, whole) if found.loops else {}
    is_formed = found.unilateral <= _FORMED
    marks |= _operator(face, found, marks) if is_formed else {"v_size": found.nu}
    marks["operator_definition"] = fill(
        "contact_delassus.c" if is_formed else "contact_operator.c", **marks
    )
    if is_formed:
        marks["newton_definition"] = fill("contact_newton.c", **marks)
        most = literal(2**16 * epsilon, face.real)
        marks["polish"] = fill("contact_polish.c", **marks, most=most).rstrip("\n")
    if found.contacts:
        marks["contacts_start"] = fill("contact_start.c", **marks)
    marks["speeds"] = fill("contact_speeds.c", **marks)
    parts = {f"{part}_definition": f"contact_{part}.c" for part in ("rows", "cone", "solve")}
    return marks | {name: fill(template, **marks) for name, template in parts.items()}


def _arrays(face: Interface, found: ContactStep) -> dict[str, str]:
    """Arrays of a step that not every model has."""
    real, loops = face.real_type, found.loops
    own = {"basis": loops * found.nu, "upper": loops**2, "pull": loops}
    own["along"] = loops * found.unilateral
    held = "".join(f"{INDENT}{real} {name}[{max(n, 1)}];\n" for name, n in own.items())
    given = found.arrays | ({"q_open": found.nq} if loops else {})
    laws = (f"{INDENT}const {real} {name}[{n}],\n" for name, n in found.arrays.items())
    return {
        "arrays": "".join(f"{INDENT}{real} {name}[{max(n, 1)}];\n" for name, n in given.items()),
        "loop_arrays": held if loops else "",
        "law_declarations": "".join(laws),
        "constant": "" if loops else "const ",
    }


def _moved(found: ContactStep) -> list[list[int]]:
    """Of each contact and each speed with dry friction the speeds that move it."""
    entries, firsts = _places(found.equations, "y"), _starts(found.block_sizes)[:-1]
    return [[k for row, k in entries if row == found.rows[first]] for first in firsts]


def _sizes(found: ContactStep) -> dict[str, object]:
    """Numbers of rows and where they and their entries begin."""
    entries, lower = (_places(found.equations, name) for name in ("y", "L"))
    n, rows = found.nu, len(found.rows)
    sizes, moved = found.block_sizes, _moved(found)
    blocks = _starts(sizes)
    starts = _starts([len(places) for places in moved])
    y_starts = _starts([size * len(places) for size, places in zip(sizes, moved, strict=True)])
    below = [[int(row) for row, column in lower if column == k] for k in range(n)]
    return {
        "nq": found.nq,
        "nu": n,
        "width": found.width,
        "told": found.width - len(TOLD),
        "rows": rows,
        "blocks": len(blocks) - 1,
        "unknowns": found.unilateral,
        "contact_count": len(found.contacts),
        "dry": len(found.dry),
        "dry_first": found.of_contacts,
        "block_first": _listed(blocks),
        "y_first": _listed(y_starts),
        "y_loops": y_starts[-1],
        "first": _listed(starts),
        "places": _listed([k for places in moved for k in places]) or "0",
        "places_size": max(starts[-1], 1),
        "l_first": _listed(_starts([len(places) for places in below])),
        "l_places": _listed([k for places in below for k in places]) or "0",
        "l_size": max(sum(map(len, below)), 1),
        "y_size": max(len(entries), 1),
        "loops": found.loops,
        "basis_size": found.loops * n,
        "upper_size": found.loops**2,
        "along_size": found.unilateral * found.loops,
    }


def _operator(
    face: Interface, found: ContactStep, marks: Mapping[str, object]
) -> dict[str, object]:
    """Delassus' matrix, and the sweeps that cost as much as three steps of Newton's method."""
    rows, sizes = found.unilateral, found.block_sizes
    sweep, newton = len(sizes) * (60 + 3 * rows), rows**2 * (3 + rows)
    moved = _moved(found)
    starts = _starts([size * len(places) for size, places in zip(sizes, moved, strict=True)])
    pairs = [
        [
            (starts[k] + sizes[k] * moved[k].index(at), starts[other] + sizes[other] * i)
            for i, at in enumerate(moved[other])
            if at in moved[k]
        ]
        for k in range(len(sizes))
        for other in range(k)
    ]
    own, others = ([pair[i] for found in pairs for pair in found] for i in (0, 1))
    return {
        "v_size": rows,
        "squarings": max(math.ceil(math.log2(2 * newton / sweep)), 2),
        "delassus_member": f"{INDENT}{face.real_type} delassus[{rows * rows}];\n",
        "form": f"{INDENT * 2}{face.prefix}_contact_form(&at);\n",
        "pairs": len(pairs),
        "pair_first": _listed(_starts([len(found) for found in pairs])),
        "pair_size": max(len(own), 1),
        "pair_own": _listed(own) or "0",
        "pair_other": _listed(others) or "0",
    }


def _loop_marks(
    face: Interface, found: ContactStep, marks: dict[str, object], whole: dict[str, str]
) -> dict[str, object]:
    assert found.correction is not None
    own = {**marks, "held": found.unilateral}
    arguments = "y, drift, x, basis, upper, along, pull"
    at_end = whole | {"q": "q_rows"}
    return {
        "loops_definition": fill("contact_loops.c", **own),
        "loops_hold": f"{INDENT}{face.prefix}_contact_loops({arguments});\n",
        "loops_told": fill("contact_loops_told.c", **own),
        "position_correction": found.correction.symbol,
        "loops_close": fill(
            "contact_loops_close.c",
            **own,
            position_correction=found.correction.symbol,
            correction_arguments=call_arguments(face, found.correction, at_end),
            integrate_open=call_arguments(face, found.integrate, whole | {"q": "q_open"}),
        ),
    }


def _dry_marks(found: ContactStep, marks: dict[str, object]) -> dict[str, object]:
    speeds = found.equations.inputs[1].argument.rows
    places = [speeds.index(name) if name in speeds else -1 for name in found.dry]
    return {
        "dry_start": fill("contact_dry_start.c", **marks),
        "held_speeds": _listed(places),
        "dry_hold": fill("contact_dry_hold.c", **marks, held_speeds=_listed(places)),
    }


def _starts(counts: Sequence[int]) -> list[int]:
    return [sum(counts[:k]) for k in range(len(counts) + 1)]


def _listed(values: Sequence[int]) -> str:
    return ", ".join(map(str, values))


def _listed_rows(found: ContactStep) -> str:
    """The first rows by name, for the header."""
    text = comment_text(", ".join(found.rows[:4]))
    return text if len(found.rows) <= 4 else f"{text}, ..."
