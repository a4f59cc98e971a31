"""From a model to a Functional Mock-up Unit, in one call."""

from __future__ import annotations

import hashlib
import math
import os
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from eomc.building.compilation import build
from eomc.building.contact_functions import contact_functions
from eomc.building.equations import derived
from eomc.building.latched import other_latches
from eomc.building.sources import Names
from eomc.building.variable_facts import descriptions, units
from eomc.codegen import EmissionError, emit
from eomc.codegen.c.contact_step import TOLD, contact_step
from eomc.codegen.c.implicit_integrator import implicit_integrators
from eomc.codegen.fmi.description import VERSIONS, Named, Version
from eomc.codegen.fmi.latches import latch_variables
from eomc.codegen.fmi.platforms import chosen, shared_library
from eomc.codegen.fmi.variables import EntryMetadata, VariableLayout
from eomc.codegen.fmi.wrapper import METHOD, wrapper
from eomc.codegen.integrators import implicit_methods, tableaus
from eomc.codegen.plan.first_order import ADJOINT, STABILIZATION, FirstOrder, first_order
from eomc.codegen.plan.identifiers import identifier
from eomc.codegen.plan.interface import CONTACT_METHODS, implicit_needs, interface
from eomc.codegen.plan.real import DOUBLE
from eomc.derive.equations.equations_of_motion import program_name
from eomc.derive.graph import Program
from eomc.derive.language.near_names import near_names
from eomc.derive.model import ModelError
from eomc.runtime.constraints.assembly import consistent
from eomc.runtime.constraints.constraints import IndependentConstraints
from eomc.runtime.constraints.start import GivenByName, start_on_constraints, warn_of_moved
from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.model.state import State, Values, entries, initial_state
from eomc.runtime.names.renamed import current_arguments
from eomc.runtime.output.files import whole_file
from eomc.runtime.output.progress import spinner

_MOTION = (
    *("coordinate_rates", "forward_dynamics", "integrate", "normalize", "element_state_rates"),
    "latches",
)
# Without them steps of constrained models do not end on their constraints.
_HELD = (
    *("constrained_dynamics", "constraint_residual", "constraint_jacobian", "position_correction"),
    *("constraint_velocity", "velocity_correction", "constraint_bias", "mass_matrix", "bias"),
    *("inverse_dynamics", "closure_residual"),
)
_STARTING = ("neutral", "normalize")
_CLOSING = (
    *("constraint_residual", "constraint_jacobian", "constraint_velocity"),
    *("closure_residual", "closure_jacobian", "closure_velocity"),
    *("constraint_bias", "constrained_dynamics"),
)
_SHOWN = ("kinetic_energy", "potential_energy", "element_outputs")
_LICENSE = "The FMI headers in this folder are under the 2-clause BSD licence that they bear.\n"
# The first day that archives know: the same model gives the same bytes.
_DATE = (1980, 1, 1, 0, 0, 0)
STABILIZED = 20.0
"""Rate at which Model Exchange draws constraints back, by default [1/s]."""


@current_arguments
def fmu(
    model: Any,
    file: str | os.PathLike[str] | None = None,
    *,
    version: str | int = "3",
    q: Values = None,
    u: Values = None,
    z: Values = None,
    tau: Mapping[str, float] | Sequence[float] | None = None,
    inputs: Mapping[str, float] | Sequence[float] | None = None,
    parameters: Mapping[str, float] | None = None,
    outputs: Names = None,
    frames: Names = None,
    tunable: Names = None,
    step: float = 1e-3,
    method: str = METHOD,
    stabilization: float = STABILIZED,
    platforms: Iterable[str] | str | None = None,
    compiler: str | os.PathLike[str] | None = None,
    name: str | None = None,
    assemble: bool = False,
    fixed: Sequence[str] | str = (),
) -> Path:
    """Write `model` as a Functional Mock-up Unit, sources and binaries in one archive.

    For Model Exchange and Co-Simulation, with directional and, by FMI 3.0, adjoint derivatives.
    Standard: *Functional Mock-up Interface*, 2.0.4 and 3.0.1, fmi-standard.org.

    >>> import eomc, tempfile
    >>> model = eomc.Model("swing")
    >>> model.body("bob", mass=1, com=(0, 0, -0.5))
    >>> model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     eomc.fmu(model, f"{folder}/swing.fmu", q={"hinge": 0.3}, platforms="host").name
    'swing.fmu'

    Parameters
    ----------
    model : Model, path of a model file, or equations
    file : path, optional
        Of the archive, which appears whole or not at all; by default ``<name>.fmu``.
    version : "2" or "3"
        FMI 2.0 or 3.0.
    q, u, z : arrays, or mappings of names to values
        Start of the states, as of `simulate`.
    tau, inputs, parameters : arrays, or mappings of names to values
        Start values of forces on the speeds, inputs, and tunable parameters.
    outputs : names of functions, optional
        Whose entries are outputs, such as "joint_reactions"; by default energies and what elements
        tell, such as tensions.
    frames : names, optional
        Frames or bodies whose pose and velocity are outputs; by default those declared.
    tunable : names or "all", optional
        Parameters that stay adjustable; by default those declared so.
    step : float
        Longest step of the integrator within a communication step [s]; a parameter of the unit.
    method : str
        Integrator of Co-Simulation: "rk4", or for stiff models an implicit one, "ros34pw2",
        "rodas4p", "linear_euler", "midpoint", "generalized_alpha" or "hht" (rho = 0.8); for models
        with rigid contacts "moreau" or "stewart_trinkle", with which there is no Model Exchange.
    stabilization : float
        Rate at which Model Exchange draws constraints back [1/s]; a parameter of the unit.
    platforms : names, optional
        Such as "x86_64-linux"; "host", "all"; by default all if the package ziglang is installed,
        else this machine's. None of them, ``()``, gives sources alone. "host" is compiled by the
        system's compiler, others by ziglang, that for Linux to run on systems from 2014 on.
    compiler : command, optional
        For the host's binary, instead of the one that is found.
    name : str, optional
        Model identifier; by default made from the model's name.
    assemble, held
        As of `simulate`: starts off the constraints are refused or assembled.

    Returns
    -------
    Path
        Of the archive.

    Raises
    ------
    ModelError, EmissionError, ValueError
        A malformed model, one that a unit cannot hold: before any file is written.
    ConstraintError
        Starts off the constraints, or constraints that do not determine accelerations there; no
        file is written either.
    BuildError, OSError
        No compiler or one that fails, a file that cannot be written; no archive is left behind.
    """
    standard = _version(version)
    wanted = chosen(platforms)
    if compiler is not None and all(platform.target for platform in wanted):
        raise EmissionError(
            "compiler makes the binary for this machine; ask for it by platforms='host'"
        )
    equations = derived(model, "make an FMU of")
    steps = _steps(equations, method)
    latched = _latched(equations, method, name, tunable)
    tunable = latched.tunable
    system = _system(equations, outputs, frames, tunable, name, steps)
    if not standard.adjoint:
        system = _without(system, ADJOINT)
    if not 0 < step < math.inf:
        raise ValueError(f"step is {step!r}; give seconds above zero")
    if not 0 <= stabilization < math.inf:
        raise ValueError(f"stabilization is {stabilization!r}; give a rate from zero on")
    asked = {"assemble": assemble, "fixed": fixed}
    starts = _starts(equations, system, (q, u, z), (tau, inputs, parameters), asked)
    starts[STABILIZATION, "alpha"] = stabilization
    starts |= {("latches", key): value for key, value in latched.variables.items()}
    metadata = EntryMetadata(units(equations, system), starts, descriptions(equations, system))
    layout = VariableLayout(system, metadata, step, latches=tuple(latched.variables))
    sources, described, named = _texts(
        layout, standard, getattr(equations, "description", ""), name, method, latched.programs
    )
    target = Path(f"{named.identifier}.fmu" if file is None else file)
    binaries: dict[str, bytes] = {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for text, content in sources.items():
            (folder / text).write_text(content, encoding="utf-8", newline="\n")
        for platform in wanted:
            library = folder / f"{named.identifier}-{platform.name}{platform.suffix}"
            own = None if platform.target else compiler
            with spinner(f"compiling {named.identifier} for {platform.name}"):
                shared_library(folder, named.sources, platform, library, own)
            place_in = f"{platform.folder(standard.name)}/{named.identifier}{platform.suffix}"
            binaries[place_in] = library.read_bytes()
    icon = {standard.icon: (files("eomc.codegen.fmi") / "icon.png").read_bytes()}
    texts = described | {f"sources/{key}": value for key, value in sources.items()}
    with whole_file(target) as private:
        _archive(private, {key: value.encode() for key, value in texts.items()} | binaries | icon)
    return target


def _version(version: Any) -> Version:
    name = str(version).removesuffix(".0")
    if name not in VERSIONS:
        raise EmissionError(f"unknown version {version!r} of FMI; valid are {', '.join(VERSIONS)}")
    return VERSIONS[name]


def _archive(path: Path, content: Mapping[str, bytes]) -> None:
    """A zip archive, the description first."""
    order = sorted(content, key=lambda name: (name != "modelDescription.xml", name))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in order:
            entry = zipfile.ZipInfo(name, _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name.startswith("binaries/") else 0o644) << 16
            archive.writestr(entry, content[name])


@dataclass(frozen=True)
class _Latched:
    """Programs of other sets of closed latches, variables of the latches with their starts, and
    names of tunable parameters."""

    programs: Mapping[tuple[str, ...], Program]
    variables: Mapping[str, float]
    tunable: Names


def _latched(equations: Any, method: str, name: str | None, tunable: Names) -> _Latched:
    """Raises ModelError for a method that steps through no latches."""
    model = getattr(equations, "model", None)
    if model is None or not model.latches:
        return _Latched({}, {}, tunable)
    if method not in [tableau.name for tableau in tableaus() if not tableau.is_adaptive]:
        raise ModelError(f"method {method!r} steps through no latches; take {METHOD!r}")
    if tunable is not None and tunable != "all":
        chosen = [tunable] if isinstance(tunable, str) else list(tunable)
        tunable = [*chosen, *(n for latch in model.latches.values() for n in latch.offsets)]
    prefix = name or program_name(equations.name)
    programs = {
        closed: other.program(
            functions=[n for n in (*_MOTION, *_HELD) if n in other.function_names],
            name=f"{prefix}_{identifier('_'.join(closed) or 'open')}",
            **({} if tunable is None else {"tunable": tunable}),
        )
        for closed, other in other_latches(model)
    }
    told = equations.program(functions=["neutral"]).metadata["latches"]
    return _Latched(programs, latch_variables(told), tunable)


# -- the program ---------------------------------------------------------------------------------


def _system(
    equations: Any,
    outputs: Names,
    frames: Names,
    tunable: Names,
    name: str | None,
    steps: Sequence[str],
) -> FirstOrder:
    if isinstance(equations, Program):
        raise ModelError("an FMU is made of a model or of equations; a program has no more of it")
    known = equations.function_names
    shown = _shown(equations, outputs, frames)
    motion = [n for n in (*_MOTION, "element_switches", *_HELD) if n in known]
    if "constrained_dynamics" not in known:
        motion = [n for n in motion if n not in _HELD]
    motion += steps
    choice: dict[str, Any] = {"functions": [*dict.fromkeys([*motion, *shown])]}
    if tunable is not None:
        choice["tunable"] = tunable
    if name is not None:
        choice["name"] = name
    system = first_order(equations.program(**choice), shown)
    return _without(system, *(name for name in shown if name not in motion))


def _steps(equations: Any, method: str) -> tuple[str, ...]:
    """Functions that the integrator takes beside those of every unit.

    Raises ModelError for a method that there is not, or that the model cannot take.
    """
    known = getattr(equations, "function_names", ())
    if found := contact_functions(equations, method):
        return found
    implicit = {record.name: record for record in implicit_methods()}
    explicit = [tableau.name for tableau in tableaus() if not tableau.is_adaptive]
    if method in explicit:
        return ()
    if method not in implicit:
        near = near_names(str(method), [*explicit, *implicit, *CONTACT_METHODS])
        raise ModelError(f"unknown method {method!r} of Co-Simulation; {near}")
    needs = implicit_needs(implicit[method])
    if missing := [name for name in needs if name not in known]:
        raise ModelError(f"model {equations.name!r} cannot take {method!r}: no {missing[0]}")
    if implicit[method].order > 1 and "element_switches" in known:
        raise ModelError(
            f"method {method!r}: forces of model {equations.name!r} have kinks, and stiff ones "
            "would gain energy in steps of higher order; take 'linear_euler'"
        )
    return needs


def _without(system: FirstOrder, *names: str) -> FirstOrder:
    """The same with fewer functions to emit."""
    kept = tuple(f for f in system.program.functions if f.name not in names)
    return replace(system, program=replace(system.program, functions=kept))


def _shown(equations: Any, outputs: Names, frames: Names) -> list[str]:
    """Functions whose entries are outputs."""
    known = equations.function_names
    if outputs is None:
        shown = [name for name in _SHOWN if name in known]
    else:
        shown = [outputs] if isinstance(outputs, str) else list(outputs)
    for name in shown:
        if name not in known:
            raise ModelError(
                f"{equations.name!r} has no function {name!r}; {near_names(name, known)}"
            )
    declared = equations.model.frames if hasattr(equations, "model") else ()
    named = declared if frames is None else [frames] if isinstance(frames, str) else list(frames)
    for frame in named:
        if frame not in equations.frames:
            raise ModelError(f"no frame or body {frame!r}; {near_names(frame, equations.frames)}")
    from eomc.derive.functions.frames import function_name

    return [*shown, *(function_name(f, part) for f in named for part in ("pose", "velocity"))]


# -- starts --------------------------------------------------------------------------------------


def _starts(
    equations: Any,
    system: FirstOrder,
    state: Sequence[Any],
    given: Sequence[Any],
    asked: Mapping[str, Any],
) -> dict[tuple[str, str], float]:
    """By array and name of the entry."""
    tau, inputs, parameters = given
    known = equations.function_names
    needed = [n for n in (*_STARTING, *_CLOSING) if n in known]
    compiled = build(equations, functions=needed, tunable=list(system.parameters))
    tuned = dict(parameters or {})
    if unknown := [name for name in tuned if name not in system.parameters]:
        raise ModelError(
            f"no tunable parameter {unknown[0]!r}; {near_names(unknown[0], system.parameters)}"
        )
    start = initial_state(compiled, *state)
    if "constrained_dynamics" in equations.function_names:
        acting = {"tau": tau, "inputs": inputs, "parameters": parameters}
        named = GivenByName.of(compiled, state[0], state[1])
        start = _on_constraints(compiled, start, acting, {**asked, "named": named})
    found = {("p", key): float(value) for key, value in tuned.items()}
    held = {
        "tau": entries("tau", tau, compiled.speeds),
        "r": entries("inputs", inputs, compiled.inputs),
    }
    names = {
        "q": compiled.coordinates,
        "u": compiled.speeds,
        "z": tuple(compiled.element_states),
        "tau": compiled.speeds,
        "r": compiled.inputs,
    }
    for array, values in {**start.named, **held}.items():
        found |= {(array, n): float(v) for n, v in zip(names[array], values, strict=True)}
    return found


def _on_constraints(
    compiled: Any, guess: State, given: Mapping[str, Any], asked: Mapping[str, Any]
) -> State:
    motion = dict.fromkeys(compiled.prescribed, 0.0) or None
    constraints = IndependentConstraints(compiled, Excitation(compiled, prescribed=motion, **given))
    found = start_on_constraints(constraints, 0.0, guess, **asked)
    warn_of_moved(compiled, found, asked["named"])
    consistent(constraints, 0.0, found.state)  # raises where accelerations are not determined
    return found.state


# -- texts ---------------------------------------------------------------------------------------


def _texts(
    layout: VariableLayout,
    standard: Version,
    description: str,
    name: str | None,
    method: str,
    latched: Mapping[tuple[str, ...], Program],
) -> tuple[dict[str, str], dict[str, str], Named]:
    """Files of sources/, files of XML by their place, and the names."""
    program = layout.system.program
    made = emit(program, prefix=name)
    face = interface(program, made.name, DOUBLE)
    if method in CONTACT_METHODS and (step := contact_step(face)) is not None:
        layout = replace(layout, impulses=(*step.rows, *TOLD))
    memory = [found.memory for found in implicit_integrators(face) if found.name == method]
    if memory:
        layout = replace(layout, memory=memory[0])
    file = f"{made.name}_fmi{standard.name}.c"
    # What lies in folders of its own, such as tests, is no part of the unit.
    parts = {key: text for key, text in made.items() if "/" not in key}
    kept = {key: text for key, text in parts.items() if key.endswith((".c", ".h"))}
    others = {}
    for closed, other in latched.items():
        further = emit(other, prefix=other.name)
        kept |= {key: text for key, text in further.items() if key.endswith((".c", ".h"))}
        others[closed] = interface(other, further.name, DOUBLE)
    token = _token(kept, wrapper(face, layout, standard, "", method, others))
    kept[file] = wrapper(face, layout, standard, token, method, others)
    headers = files("eomc.codegen.fmi.headers")
    kept |= {key: (headers / key).read_text(encoding="utf-8") for key in standard.headers}
    kept["LICENSE-FMI.txt"] = _LICENSE
    compiled = tuple(key for key in kept if key.endswith(".c"))
    from importlib.metadata import version as version_of

    named = Named(
        str(program.metadata.get("model", program.name)),
        made.name,
        token,
        description,
        f"eomc {version_of('eomc')}",
        compiled,
    )
    return kept, standard.describe(layout, named), named


def _token(sources: Mapping[str, str], interface_text: str) -> str:
    """Of the content, in the form of a GUID."""
    digest = hashlib.sha256()
    for text in (*sources.values(), interface_text):
        digest.update(text.encode())
        digest.update(b"\0")
    word = digest.hexdigest()
    return f"{{{word[:8]}-{word[8:12]}-{word[12:16]}-{word[16:20]}-{word[20:32]}}}"
