"""A model loads the kinds that it holds, and nothing of the rest of the package."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from eomc.derive.bodies.form import FORMS
from eomc.derive.cables.station import STATIONS
from eomc.derive.contacts.friction import FRICTION_LAWS
from eomc.derive.contacts.normal_laws import NORMAL_LAWS
from eomc.derive.contacts.shapes import SHAPES
from eomc.derive.contacts.surfaces import SURFACES
from eomc.derive.elements.constraint import CONSTRAINTS
from eomc.derive.elements.kinds import ELEMENTS
from eomc.derive.formats.format import FORMATS
from eomc.derive.joints.joint_kind import JOINT_KINDS
from eomc.derive.language.registry import Registry
from eomc.derive.rods.strain_basis import BASES
from eomc.derive.tyres import SLIP_LAWS
from eomc.derive.visuals import VISUAL_SHAPES

MODEL = Path(__file__).parents[2] / "examples" / "models" / "pendulum.toml"

#: Prints, of each stage, a line of its name and of all modules that are loaded by then.
STAGES = """
import sys

def stage(name):
    print(name, *sys.modules, sep="|")

import eomc
model = eomc.Model("a")
stage("empty")
model.body("rod", mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0))
model.joint("hinge", "revolute", parent="world", child="rod", axis=(0, 1, 0))
model.spring("s", a="rod", b={"body": "world", "xyz": (1, 0, 0)}, stiffness=2)
stage("declared")
eomc.equations(model).mass_matrix.to_sympy()
stage("derived")
eomc.load(sys.argv[1])
stage("read")
model.constraint("c", "distance", a="rod", b={"body": "world", "xyz": (2, 0, 0)}, length=2)
stage("constrained")
model.cable("cable", route=["rod", {"body": "world", "xyz": (0, 1, 0)}], length=1, modulus=1)
model.deformable("boom", "beam", length=1, mass_per_length=1, EI=1)
stage("with a cable and a beam")
"""

#: Modules and packages that a model of rigid bodies, joints and springs does without.
NOT_NEEDED = (
    *("scipy", "sympy.physics", "Cython", "typer", "rich"),
    *("eomc.derive.cables", "eomc.derive.contacts", "eomc.derive.rods", "eomc.derive.shapes"),
    *("eomc.derive.finite_elements", "eomc.derive.structures", "eomc.derive.visuals"),
    *(f"eomc.derive.bodies.{file}" for file in ("form", "forms", "declared_deformable", "beam")),
    *(f"eomc.derive.bodies.{file}" for file in ("rod", "modal_body", "telescopic_beam")),
    *(f"eomc.derive.forces.{file}" for file in ("cable", "contact", "tendon", "central_gravity")),
    *(f"eomc.derive.joints.{file}" for file in ("orbits", "involute", "track", "place")),
    *(f"eomc.derive.formats.{file}" for file in ("urdf", "mjcf", "sdf", "xacro", "dh")),
    *("eomc.derive.lagrange", "eomc.codegen", "eomc.building", "eomc.runtime", "eomc.verifier"),
    "eomc.systems",
)


@pytest.fixture(scope="module")
def stages() -> dict[str, set[str]]:
    """Names of the modules that are loaded at each of the `STAGES`, in a process of its own."""
    command = [sys.executable, "-c", STAGES, str(MODEL)]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    lines = [line.split("|") for line in result.stdout.splitlines()]
    return {name: set(modules) for name, *modules in lines}


def loaded(modules: set[str], names: tuple[str, ...]) -> list[str]:
    """Those modules that are among the names, or in one of these packages."""
    return sorted(m for m in modules if any(f"{m}.".startswith(f"{name}.") for name in names))


@pytest.mark.parametrize("stage", ["empty", "declared", "derived", "read"])
def test_rigid_bodies_load_no_more_than_they_need(stages: dict[str, set[str]], stage: str) -> None:
    assert loaded(stages[stage], NOT_NEEDED) == []


def test_a_new_model_derives_nothing(stages: dict[str, set[str]]) -> None:
    rooms = ("dynamics", "system", "functions", "equations", "rolled", "picture", "formats")
    kinds = ("forces", "constraints", "joints.revolute", "joints.prismatic")
    assert loaded(stages["empty"], tuple(f"eomc.derive.{name}" for name in (*rooms, *kinds))) == []


def test_one_kind_is_loaded_where_one_is_used(stages: dict[str, set[str]]) -> None:
    """Springs load the file of springs, revolute joints that of theirs, and so constraints."""
    for files, stage, own in (
        (ELEMENTS, "declared", {"eomc.derive.forces.point_spring"}),
        (JOINT_KINDS, "declared", {"eomc.derive.joints.rotary"}),
        (CONSTRAINTS, "constrained", {"eomc.derive.constraints.points"}),
    ):
        held = {module for module, *_ in files.lines} & stages[stage]
        shared = {m for m in held if ".elements." in m or m.endswith(".constraint")}
        assert held - shared == own


def test_what_a_model_holds_is_loaded(stages: dict[str, set[str]]) -> None:
    """So the names that must not be loaded before are those of modules that there are."""
    last = stages["with a cable and a beam"]
    assert {"eomc.derive.forces.cable", "eomc.derive.cables", "eomc.derive.bodies.beam"} <= last
    assert "eomc.derive.contacts" not in last and "eomc.derive.bodies.rod" not in last
    assert [
        name for name in NOT_NEEDED if name.startswith("eomc") and find_spec(name) is None
    ] == []


@pytest.mark.parametrize(
    "kinds",
    [
        *(ELEMENTS, JOINT_KINDS, CONSTRAINTS, FORMS, FORMATS, STATIONS, SHAPES, SURFACES),
        *(NORMAL_LAWS, FRICTION_LAWS, SLIP_LAWS, VISUAL_SHAPES, BASES),
    ],
    ids=lambda kinds: "-".join(kinds.packages),
)
def test_the_lines_of_files_tell_the_kinds(kinds: Registry[object]) -> None:
    """Every file makes known what its line says, and no file knows of more."""
    kinds.load_all()
    told, known = set(kinds.module), kinds.known
    if kinds is FORMATS:
        told = {word for word in told if word.startswith(".")}
    assert len(told) >= 3
    assert told <= set(known)
    own = {word for word in known if _module(known[word]).startswith("eomc.derive.")}
    assert own == told


def _module(record: object) -> str:
    """The module in which a kind, or the reader of a format, stands."""
    made = getattr(record, "read", record)
    return str(getattr(made, "__module__", None) or type(made).__module__)
