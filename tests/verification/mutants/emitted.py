"""What is emitted of a model for a verification, and whether it computes the same."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)

_POSE = re.compile("frame_.*_pose")

_CODE = (".c", ".h")
# Of a table; the C's hash, which every mutant changes, stands in it.
_MANIFEST = re.compile(r"eomc_manifest\[\] = \{.*?\};", re.DOTALL)

Files = Mapping[str, str]


@dataclass(frozen=True)
class Build:
    """One of the builds that `eomc.verify` makes of a system: the digest of what it is emitted of,
    empty if that is more than graphs, the files, and the names of inputs that functions need."""

    given: Callable[[], str]
    files: Callable[[], Files]
    inputs: Callable[[], list[str]]


def builds(system: Any) -> dict[str, Build]:
    """All of them, the usual one first."""
    from eomc.codegen import emit
    from eomc.codegen.emit import emit_loop
    from eomc.derive.functions import KINDS
    from eomc.verifier import procedure
    from eomc.verifier.requested.choice import asked
    from eomc.verifier.requested.sampled import NEEDS

    def programs(small: bool = False, functions: tuple[str, ...] = ()) -> tuple[Any, str]:
        made = procedure._program(system, small, functions)
        return made, _digest_of(made)  # at once: what is asked later adds to its graph

    def small() -> tuple[Any, str]:
        try:
            return programs(small=True)
        except Exception as refusal:  # some elements have no small code
            return {"refused.h": type(refusal).__name__}, ""

    def requested() -> tuple[Any, str]:
        program, _ = usual()
        frames = (function.name for function in program.functions)
        words = [n[len("frame_") : -len("_pose")] for n in frames if _POSE.fullmatch(n)]
        return programs(functions=tuple(asked(program, tuple(words))))

    def sampled() -> Files:
        program, _ = usual()
        if not set(NEEDS) <= {function.name for function in program.functions}:
            return {"refused.h": "no steps"}
        return emit_loop(*_loop(program))

    def of(made: Callable[[], tuple[Any, str]], **options: Any) -> Build:
        known = cache(made)

        def files() -> Files:
            program, _ = known()
            return program if isinstance(program, dict) else emit(program, **options).with_table

        return Build(lambda: known()[1], files, lambda: _needed(known()[0]))

    laws = tuple(name for name, kind in KINDS.items() if kind.feeds)
    usual = cache(programs)
    found = {
        "plain": of(usual),
        "single": of(usual, real="float"),
        "lanes": of(lambda: programs(functions=laws), lanes=4),
        "size": of(usual, optimize="size"),
        "request": of(requested),
        "sampled": Build(lambda: usual()[1], sampled, lambda: _needed(usual()[0])),
    }
    return found | ({"small": of(small)} if getattr(system, "model", None) is not None else {})


def emitted(system: Any) -> dict[str, Callable[[], Files]]:
    """What makes the files of each build."""
    return {name: build.files for name, build in builds(system).items()}


def _loop(program: Any) -> tuple[Any, Any]:
    """A mechanism and the controller that `eomc.verify` runs it with."""
    from eomc.building.controller_program import controller_program
    from eomc.verifier.requested.sampled import ControllerModel, plant, sampled

    names = program.index_names
    q, u = names.get("q", ()), names.get("u", ())
    model = SimpleNamespace(
        name=program.name, coordinates=q, speeds=u, nq=len(q), nu=len(u), inputs=(), manifest={}
    )
    still = [0.1] * len(model.coordinates)
    controller = sampled(model, 0.01, (still, still), seed=7)
    return plant(program), controller_program(controller, ControllerModel(program), "controller")


def first_change(
    system: Any,
    sound: Mapping[str, str],
    passing: Collection[str],
    derived: Mapping[str, str] | None = None,
) -> tuple[str, Files] | None:
    """The first build, of those `passing` the fault, whose code is not that of digests `sound`.

    derived : digests of what is emitted, if the fault is none of the writers: what they are given
        decides what they write
    """
    for name, build in builds(system).items():
        if name not in passing:
            continue
        if derived and derived[name] and build.given() == derived[name]:
            continue
        files = build.files()
        if digest(files) != sound[name]:
            return name, files
    return None


def _needed(program: Any) -> list[str]:
    from eomc.derive.graph import reachable

    if isinstance(program, dict):
        return []
    needed = set(reachable(program.graph, [n for f in program.functions for n in f.nodes]))
    ports = [port for f in program.functions for port in f.inputs]
    return sorted({port.name for port in ports if not needed.isdisjoint(port.entries)})


def _digest_of(program: Any) -> str:
    """Of all that writers are given, nodes counted from the first that the functions need."""
    if any(function.rolled for function in program.functions):
        return ""
    state = hashlib.sha256()
    for part in _parts(program):
        state.update(repr(part).encode())
    return state.hexdigest()


def _parts(program: Any) -> Iterator[Any]:
    from eomc.derive.graph import reachable

    graph = program.graph
    order = sorted(reachable(graph, [n for f in program.functions for n in f.nodes]))
    place = {node: k for k, node in enumerate(order)}
    for n in order:
        yield graph.op[n], [place[arg] for arg in graph.args[n]], graph.value[n]
        yield graph.labels.get(n), graph.required.get(n), n in graph.frozen
    for row in (*graph.columns, *graph.bodies):
        if all(n is None or n in place for n in row):
            yield [place.get(n) for n in row]
    for f in program.functions:
        yield f.name, f.feeds, [(place[guard.node], guard.code) for guard in f.guards]
        for port in (*f.inputs, *f.outputs):
            yield port.name, port.shape, port.units, port.rows
            yield [place.get(n) for n in port.entries]
    yield program.parameters, program.index_names, program.limits
    yield json.dumps(program.metadata, sort_keys=True)


def digest(files: Files) -> str:
    """Of the code: of comments and of the manifest nothing is computed."""
    parts = [_code(*file) for file in sorted(files.items()) if file[0].endswith(_CODE)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def same_text(name: str, text: str, other: str) -> bool:
    """Whether two texts of a file compute the same."""
    return _code(name, text) == _code(name, other)


def _code(name: str, text: str) -> str:
    """What is computed, of files that the compiler or Python reads."""
    if not name.endswith(_CODE):
        return ""
    return " ".join(_COMMENT.sub("", _MANIFEST.sub("", text)).split())
