"""Processor time from an edit to motion: builds, first calls, commands, with nothing in a cache.

python -m benchmarks --section waiting --before OTHER/bin/python

Each task runs in a fresh process with an empty cache, by turns with the eomc that another Python
has, if one is named, so that both meet the same machine.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.cases import G1
from benchmarks.robot_files import robot_file
from benchmarks.section import Section, Target

_ROUNDS = 5
_ROBOT = (
    '<robot name="one"><link name="a"/><link name="b"><inertial><origin xyz="0 0 1"/>'
    '<mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
    '<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/>'
    "</joint></robot>"
)
_MODEL = """\
name = "swing"
gravity = [0, 0, -9.81]
[[body]]
name = "bob"
mass = 1.0
com = [0, 0, -0.5]
[[joint]]
name = "hinge"
kind = "revolute"
parent = "world"
child = "bob"
axis = [0, 1, 0]
"""
_HEAD = """
import json, os, resource, sys, warnings
warnings.simplefilter("ignore")
def spent():
    each = [resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in each)
told = {{}}
robot, small, model = {robot!r}, {small!r}, {model!r}
"""
# A process that has eomc imported: it has built, linearized and simulated another model.
_WARM = """
import eomc
one = eomc.build(eomc.load(small))
one.forward_dynamics_derivatives([0.0], [0.0], [0.0])
eomc.linearize(one)
eomc.simulate(one, [0.1], t_span=0.1)
"""
_PENDULUM = """
start = spent()
double = eomc.Model("double", gravity=(0, 0, -9.81))
for k, parent in enumerate(("world", "link0")):
    double.body(f"link{k}", mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.01))
    double.joint(f"hinge{k}", "revolute", parent=parent, child=f"link{k}", axis=(0, 1, 0),
                 placement=(0, 0, -k))
built = eomc.build(double)
built.forward_dynamics([0.1, 0.2], [0, 0], [0, 0])
told["double pendulum: build to first call"] = spent() - start
start = spent()
eomc.linearize(built, [0.0, 0.0])
told["double pendulum: first linearize after it"] = spent() - start
"""
_HUMANOID = """
import numpy as np
start = spent()
made = eomc.build(eomc.load(robot, inertia="ignore"))
state = np.zeros((3, made.nu))
made.forward_dynamics(*state)
told["G1 from URDF to first forward dynamics"] = spent() - start
made.forward_dynamics_derivatives(*state)
told["G1 from URDF to first derivatives"] = spent() - start
"""
_IMPORT = """
start = spent()
import eomc
eomc.Model("a")
told['import eomc; eomc.Model("a")'] = spent() - start
"""
_SECOND = """
start = spent()
import eomc
eomc.build(eomc.load(model)).forward_dynamics([0.0], [0.0], [0.0])
told["second build in another process"] = spent() - start
"""
_SIMULATE = """
import eomc, numpy as np
panda = eomc.build(eomc.load(robot))
def run(**how):
    best = 1e9
    for _ in range(7):
        start = spent()
        eomc.simulate(panda, np.full(panda.nq, 0.1), t_span=10.0, **how)
        best = min(best, spent() - start)
    return best
told["Panda, 10 s by default"] = run()
told["Panda, 10 s by dopri"] = run(method="dopri")
"""
PANDA = "panda_description/urdf/panda.urdf"
COMMAND = "eomc simulate new_model.toml"
WANTED = {
    "double pendulum: build to first call": 0.12,
    "double pendulum: first linearize after it": 0.1,
    "G1 from URDF to first forward dynamics": 0.35,
    "G1 from URDF to first derivatives": 0.4,
    COMMAND: 0.4,
    'import eomc; eomc.Model("a")': 0.6,
    "second build in another process": 0.5,
}
"""Most of the time before."""


@dataclass(frozen=True)
class _Task:
    """A script in a fresh process with an empty cache; `first` fills the cache before."""

    script: str
    robot: str = G1
    first: str = ""


_TASKS = (
    _Task(_WARM + _PENDULUM),
    _Task(_WARM + _HUMANOID),
    _Task(_IMPORT),
    _Task(_SECOND, first=_SECOND),
    _Task(_SIMULATE, robot=PANDA),
)


def section(before: str | None) -> Section:
    """Seconds now, and before where a Python that has an earlier eomc is named."""
    pythons = [sys.executable, *([before] if before else [])]
    rounds: list[dict[str, list[float]]] = [{} for _ in pythons]
    with tempfile.TemporaryDirectory() as place:
        for _ in range(_ROUNDS):
            for python, found in zip(pythons, rounds, strict=True):
                for name, seconds in _round(python, Path(place)).items():
                    found.setdefault(name, []).append(seconds)
    medians = [{name: statistics.median(all_) for name, all_ in r.items()} for r in rounds]
    return _section(medians[0], medians[1] if before else {})


def _section(now: dict[str, float], then: dict[str, float]) -> Section:
    rows, figures, targets = [], [], []
    for name, seconds in now.items():
        earlier = then.get(name)
        ratio = seconds / earlier if earlier else None
        rows.append(
            (
                name,
                f"{seconds:.3f}",
                f"{earlier:.3f}" if earlier else "",
                f"{ratio:.3f}" if ratio else "",
            )
        )
        figures.append({"what": name, "seconds": seconds, "before": earlier})
        if ratio and name in WANTED:
            targets.append(Target(f"{name}, of before", ratio, WANTED[name], at_most=True))
    share = now["Panda, 10 s by default"] / now["Panda, 10 s by dopri"]
    targets.append(Target("simulate by default, times dopri", share, 1.5, at_most=True))
    return Section(
        "Waiting",
        "`python -m benchmarks --section waiting --before OTHER/bin/python`: processor seconds of "
        "the process and of the compilers that it starts, medians of five fresh processes with an "
        "empty cache. Builds are those of a process that has built another model.",
        ("task", "s", "before, s", "ratio"),
        rows,
        figures,
        targets=targets,
    )


def _round(python: str, place: Path) -> dict[str, float]:
    small, model = place / "one.urdf", place / "new_model.toml"
    small.write_text(_ROBOT, encoding="utf-8")
    model.write_text(_MODEL, encoding="utf-8")
    found: dict[str, float] = {}
    for task in _TASKS:
        robot = str(robot_file(task.robot))
        head = _HEAD.format(robot=robot, small=str(small), model=str(model))
        with tempfile.TemporaryDirectory(dir=place) as cache:
            environment = _environment(cache)
            for script in filter(None, (task.first, task.script)):
                text = head + script + "\nprint(json.dumps(told))"
                said = subprocess.run(
                    [python, "-c", text],
                    env=environment,
                    cwd=place,
                    capture_output=True,
                    text=True,
                    check=True,
                )
            found |= json.loads(said.stdout.splitlines()[-1])
    found[COMMAND] = _command(python, place, model)
    return found


def _command(python: str, place: Path, model: Path) -> float:
    """Seconds of the command as a whole process."""
    text = (
        "import os, resource, subprocess, sys\n"
        f"command = [sys.executable, '-m', 'eomc', 'simulate', {str(model)!r}, '--t-span', '1']\n"
        "subprocess.run(command, check=True, stdout=subprocess.DEVNULL)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(used.ru_utime + used.ru_stime)"
    )
    with tempfile.TemporaryDirectory(dir=place) as cache:
        said = subprocess.run(
            [python, "-c", text],
            env=_environment(cache),
            cwd=place,
            capture_output=True,
            text=True,
            check=True,
        )
    return float(said.stdout)


def _environment(cache: str) -> dict[str, str]:
    """Bytecode is kept, as for everybody; the cache of builds is empty."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "EOMC_CACHE_DIR": cache}
