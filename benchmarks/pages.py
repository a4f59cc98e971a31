"""Live pages of large models: what they weigh, how fast their steps are, and whether the bits hold.

    python -m benchmarks --section pages

The model is called in Node, whose engine is Chromium's, by the script that the page itself carries.
"""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import eomc
from benchmarks.cases import g1, panda
from benchmarks.contender import Array, Unavailable
from benchmarks.section import Section, Target
from eomc.building.live import live_model
from eomc.building.sources import SourceOptions
from eomc.derive.graph.tuning import FILE_LIMIT, PIECE_SIZE
from eomc.derive.model import Model
from eomc.runtime.model.state import reference_motion
from eomc.systems.flexible_manipulator.model import FlexibleManipulator

STEP = 1e-3
_RUN = ("forward_dynamics", "coordinate_rates", "normalize")
_STEPS = 20
_SCRIPT = """
import { readFileSync } from "node:fs";
import { loadModel } from "./model.mjs";

const read = (name) => readFileSync(new URL(name, import.meta.url));
const model = await loadModel(read("model.wasm"), JSON.parse(read("manifest.json")));
const { given, h, steps } = JSON.parse(read("given.json"));
const start = () => Object.entries(given).forEach(([name, row]) => model.input(name)?.set(row));
start();
model.rk4(h, steps);
const end = { q: Array.from(model.input("q")), u: Array.from(model.input("u")) };
let cost = Infinity;
// Short batches, many of which nothing interrupts; the first ones run before code is optimized.
for (let round = 0, count = 1; round < 400; ) {
  start();
  const began = performance.now();
  model.rk4(h, count);
  const taken = performance.now() - began;
  if (taken < 2) count *= 2;
  else {
    cost = Math.min(cost, taken / count);
    round += 1;
  }
}
console.log(JSON.stringify({ end, ns: 1e6 * cost }));
"""


@dataclass(frozen=True)
class Case:
    """A model, and what is wanted: times real time, bytes compressed."""

    name: str
    model: Callable[[], Model]
    pace: float
    bytes: int


CASES = (
    Case("Panda, 7 joints", panda, 200, 14_000),
    Case("G1, 29 joints", g1, 30, 70_000),
    Case(
        "flexible manipulator, 80 units",
        lambda: FlexibleManipulator(units=80, payload=0.0).model(),
        1.5,
        900_000,
    ),
)


@dataclass(frozen=True)
class Live:
    """Kilobytes, nanoseconds a step, times real time, and words of a run that differ from C's."""

    model: str
    speeds: int
    wasm: int
    compressed: int
    ns: float
    pace: float
    differing: int


def section(folder: Path) -> Section:
    """The table; sizes, pace and bits that are wanted."""
    node = shutil.which("node")
    if node is None:
        raise Unavailable("node is not here (apt install nodejs)")
    found = [live(case, node, folder / str(number)) for number, case in enumerate(CASES)]
    targets = []
    for case, row in zip(CASES, found, strict=True):
        targets += [
            Target(f"{case.name}: a page's steps, times real time", row.pace, case.pace),
            Target(
                f"{case.name}: WebAssembly, compressed, kB",
                row.compressed / 1e3,
                case.bytes / 1e3,
                at_most=True,
            ),
            Target(
                f"{case.name}: words of a run that differ from C's", row.differing, 0, at_most=True
            ),
        ]
    return Section(
        "Pages",
        "`python -m benchmarks --section pages`: what a live page carries of a model, and its "
        "steps of 1 ms, called in Node by the page's own script.",
        ("model", "speeds", "WebAssembly, kB", "compressed, kB", "a step, µs", "times real time"),
        [
            (
                row.model,
                str(row.speeds),
                f"{row.wasm / 1e3:.0f}",
                f"{row.compressed / 1e3:.0f}",
                f"{row.ns / 1e3:.2f}",
                f"{row.pace:.3g}",
            )
            for row in found
        ],
        [asdict(row) for row in found],
        (),
        targets,
    )


def live(case: Case, node: str, folder: Path) -> Live:
    """Compiled, called, and held against the same run in C."""
    equations = eomc.equations(case.model())
    choice = SourceOptions(None, None, "double", None, False, 1, PIECE_SIZE, FILE_LIMIT, "wasm")
    made = live_model(equations, choice)
    compiled = eomc.build(equations, functions=list(_RUN), frames=[], flags=["-O1"], lanes=1)
    given = _given(compiled)
    folder.mkdir(parents=True, exist_ok=True)
    rows = {name: row.tolist() for name, row in given.items()}
    texts = {
        "model.mjs": made.glue,
        "run.mjs": _SCRIPT,
        "manifest.json": json.dumps(dict(made.manifest)),
        "given.json": json.dumps({"given": rows, "h": STEP, "steps": _STEPS}),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "model.wasm").write_bytes(made.wasm)
    run = subprocess.run([node, "run.mjs"], cwd=folder, capture_output=True, text=True, check=True)
    told = json.loads(run.stdout)
    (entry,) = (e for e in compiled.manifest["integrators"] if e["name"] == "rk4")
    native = compiled.rk4(*(given[name] for name in entry["inputs"]), STEP, _STEPS)
    differing = sum(
        _differing(own[-1], np.array(told["end"][name]))
        for own, name in zip(native[:2], "qu", strict=True)
    )
    size = len(gzip.compress(made.wasm, 9, mtime=0))
    pace = 1e9 * STEP / told["ns"]
    return Live(case.name, compiled.nu, len(made.wasm), size, told["ns"], pace, differing)


def _given(compiled: Any) -> dict[str, Array]:
    """A state near the neutral one, and all else that steps take."""
    rng = np.random.default_rng(5)
    q = np.array(compiled.manifest["metadata"]["neutral"])
    u = 1e-3 * rng.normal(size=compiled.nu)
    for name, value in compiled.initial_guess.items():
        q[compiled.coordinates.index(name)] = value
    q = np.array(compiled.function("integrate")(q, u)) if "integrate" in compiled.functions else q
    held = len(compiled.prescribed)
    s = reference_motion(compiled) + rng.random(held)
    return {
        "q": q,
        "u": u,
        "tau": np.zeros(compiled.nu),
        "s": s,
        "s_rate": np.zeros(held),
        "s_acceleration": np.zeros(held),
    }


def _differing(one: Array, other: Array) -> int:
    """Words of 64 bits."""
    words = (
        np.ascontiguousarray(values, dtype=np.float64).view(np.uint64) for values in (one, other)
    )
    return int(np.sum(next(words) != next(words)))
