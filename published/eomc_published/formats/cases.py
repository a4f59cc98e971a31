"""Model files of other programs: the equations are those of the programs, or of their formulas."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from eomc.derive.formats.dh import from_dh
from eomc.derive.formats.load import load
from eomc_published.case import Case, CaseCheck, agrees, at_most
from eomc_published.formats import files, written
from eomc_published.formats.compared import compiled, worst
from eomc_published.formats.mujoco_witness import Witness
from eomc_published.formats.puma_560 import (
    NOMINAL,
    PRINTED_GRAVITY,
    PRINTED_MASS,
    PUMA_560,
    chain_mechanics,
)
from eomc_published.formats.robots import ROBOTS, robot, robot_file

_STATES = 5


def _ten_robots() -> Iterator[CaseCheck]:
    for name in ROBOTS:
        path = robot_file(name)
        model = robot(path)
        found = worst(model, Witness(path, model))
        for function, deviation in found.items():
            yield at_most(f"{name}: {function}", deviation, 1e-9)
    yield from _xacro()


def _with_file(
    name: str, text: str, check: Callable[[Path], Iterator[CaseCheck]]
) -> Iterator[CaseCheck]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text)
        yield from check(path)


def _xacro() -> Iterator[CaseCheck]:
    def check(path: Path) -> Iterator[CaseCheck]:
        plain = path.with_name("arm.urdf")
        plain.write_text(files.EXPANDED)
        macros, expanded = compiled(load(path)), compiled(load(plain))
        for k, state in enumerate(np.random.default_rng(1).uniform(-1, 1, (3, 6))):
            for name, given in (
                ("mass_matrix", (state[:2],)),
                ("inverse_dynamics", (state[:2], state[2:4], state[4:])),
            ):
                yield agrees(
                    f"{name}, state {k + 1}",
                    getattr(expanded, name)(*given),
                    getattr(macros, name)(*given),
                    1e-14,
                    relative=True,
                )

    return _with_file("arm.urdf.xacro", files.XACRO, check)


def _everything_of_mjcf() -> Iterator[CaseCheck]:
    def check(path: Path) -> Iterator[CaseCheck]:
        model = robot(path)
        for function, deviation in worst(model, Witness(path, model)).items():
            yield at_most(function, deviation, 1e-9)

    return _with_file("everything.xml", files.EVERYTHING, check)


def _loops() -> Iterator[CaseCheck]:
    """Rows of the constraints span what MuJoCo's rows span, in a closed configuration."""

    def check(path: Path) -> Iterator[CaseCheck]:
        import mujoco

        model = robot(path)
        ours = np.atleast_2d(
            compiled(model, ("constraint_jacobian",)).constraint_jacobian(np.zeros(3))
        )
        m = mujoco.MjModel.from_xml_path(str(path))
        d = mujoco.MjData(m)
        mujoco.mj_forward(m, d)
        theirs = np.array(d.efc_J).reshape(-1, m.nv)[: d.ne]
        yield agrees("projection on what is held", _projector(theirs), _projector(ours), 1e-9)

    return _with_file("loops.xml", files.LOOPS, check)


def _projector(rows: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.pinv(rows, rcond=1e-9) @ rows)


def _sdf() -> Iterator[CaseCheck]:
    def check(path: Path) -> Iterator[CaseCheck]:
        other = path.with_name("arm.xml")
        other.write_text(files.SDF_IN_MJCF)
        model = load(path, friction=False)
        for function, deviation in worst(model, Witness(other, model)).items():
            yield at_most(function, deviation, 1e-9)

    return _with_file("arm.sdf", files.SDF, check)


def _puma() -> Iterator[CaseCheck]:
    model = from_dh(PUMA_560, convention="standard", name="puma_560", inertia="ignore")
    built = compiled(model, ("mass_matrix", "gravity"))
    yield agrees("M as printed", PRINTED_MASS, built.mass_matrix(NOMINAL), 5.1e-5)
    yield agrees("gravity as printed", PRINTED_GRAVITY, built.gravity(NOMINAL), 5.1e-5)
    for q in np.random.default_rng(2).uniform(-np.pi, np.pi, (_STATES, 6)):
        mass, hold = chain_mechanics(PUMA_560, q, convention="standard")
        yield agrees("M", mass, built.mass_matrix(q), 1e-12, relative=True)
        yield agrees("gravity", hold, built.gravity(q), 1e-12, relative=True)


def _modified() -> Iterator[CaseCheck]:
    random = np.random.default_rng(3)
    rows = [
        {
            "a": random.uniform(-1, 1),
            "alpha": random.uniform(-2, 2),
            "d": random.uniform(-1, 1),
            "theta": random.uniform(-2, 2),
            "kind": kind,
            "mass": random.uniform(1, 2),
            "com": tuple(random.uniform(-0.3, 0.3, 3)),
            "inertia": (0.1, 0.12, 0.15),
        }
        for kind in ("revolute", "prismatic", "revolute", "revolute")
    ]
    for convention in ("standard", "modified"):
        built = compiled(from_dh(rows, convention=convention), ("mass_matrix", "gravity"))
        for q in random.uniform(-2, 2, (2, 4)):
            mass, hold = chain_mechanics(rows, q, convention=convention)
            yield agrees(f"{convention}: M", mass, built.mass_matrix(q), 1e-12, relative=True)
            yield agrees(f"{convention}: gravity", hold, built.gravity(q), 1e-12, relative=True)


_DH = "Denavit and Hartenberg 1955; Craig, Introduction to Robotics, section 3.4"

CASES = (
    Case(
        34,
        "MJCF of ten models, xacro as its expansion",
        "MuJoCo's documentation, MJCF",
        "M, bias, inverse and forward dynamics at 5 random states against MuJoCo; a file with a "
        "property and a macro of xacro against the same written out",
        _ten_robots,
        slow=True,
    ),
    Case(
        101,
        "elements of MJCF",
        "MuJoCo's documentation, MJCF",
        "joints with anchors and references, springs, tendons, actuators, gravity compensation "
        "against MuJoCo at 5 random states",
        _everything_of_mjcf,
    ),
    Case(
        102,
        "equalities of MJCF",
        "MuJoCo's documentation, equality",
        "the space that connect, weld and joint hold against MuJoCo's rows",
        _loops,
    ),
    Case(
        103,
        "an arm in SDF",
        "SDFormat specification 1.9, pose semantics",
        "poses relative to others against the same arm written for MuJoCo",
        _sdf,
    ),
    Case(
        104,
        "PUMA 560 by its table",
        "Armstrong, Khatib and Burdick 1986; Corke, Robotics Toolbox",
        "printed M and gravity to their four decimals; sums of Jacobians at random postures",
        _puma,
    ),
    Case(
        105,
        "both conventions of Denavit-Hartenberg tables",
        _DH,
        "random tables with a sliding joint against products of 4x4 matrices",
        _modified,
    ),
    Case(
        106,
        "examples written for MuJoCo",
        "MuJoCo's documentation, MJCF",
        "M, bias with springs and inputs, inverse and forward dynamics at 5 random states against "
        "MuJoCo's reading of the written file",
        written.read_by_mujoco,
        slow=True,
    ),
    Case(
        107,
        "examples written as URDF, SDF, MJCF and TOML",
        "the formats' specifications",
        "M at 3 random positions against that of the written file, read back",
        written.read_back,
        slow=True,
    ),
)
