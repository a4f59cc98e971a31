"""Forms in model files: what is written is read back as the same model."""

from __future__ import annotations

import pytest

from eomc.derive.bodies import Beam, TelescopicBeam
from eomc.derive.finite_elements import Section, Structure
from eomc.derive.finite_elements.modal_reduction import from_structure
from eomc.derive.formats.toml import parse_toml
from eomc.derive.formats.toml_writer import toml_text
from eomc.derive.model import Model, ModelError


def crane() -> Model:
    model = Model("crane")
    model.parameter("ei", 3.0)
    model.parameter("zeta", 0.01)
    beam = Beam(
        length=2,
        mass_per_length="1 + x/3",
        EI=("ei", 4),
        modes=(1, 1),
        shapes={"y": ["s**2", "s**3 - sin(s)*s**2"]},
        damping={"z1": "zeta"},
        point_masses=[("tip", 2), (0.5, 1)],
        origin="middle",
    )
    model.deformable("mast", beam)
    model.joint("slew", "revolute", parent="world", child="mast", axis=(0, 0, 1))
    model.deformable("jib", TelescopicBeam(2.0, 1, 2.0, 1, EI=(("ei", 2), 3), length=3))
    model.joint("luff", "attachment", parent="mast", child="jib", at="tip")
    structure = Structure()
    structure.node("root", (0, 0, 0))
    structure.node("end", (1, 0, 0))
    structure.beam("root", "end", Section(1e-3, 2700, 7e10, 1e-9, 2e-9, 2.6e10, 2e-9), 3)
    model.deformable("hook", from_structure(structure, 2, "root", stations=["end"]))
    model.joint("hang", "attachment", parent="jib", child="hook", at="tip")
    return model


def test_models_with_forms_are_read_back() -> None:
    model = crane()
    model.validate()
    text = toml_text(model)
    read = parse_toml(text)
    assert toml_text(read) == text
    assert read.deformables == model.deformables


def test_a_file_may_say_it_with_tables() -> None:
    text = """
    name = "boom"
    [[deformable]]
    name = "boom"
    kind = "beam"
    length = 2
    mass_per_length = "1 + x/3"
    EI = 3
    modes = { y = 2, z = 1 }
    shapes = { y = ["s**2", "s**3"] }
    damping = { y1 = 0.01 }
    [[joint]]
    name = "base"
    kind = "fixed"
    parent = "world"
    child = "boom"
    """
    read = parse_toml(text.replace("\n    ", "\n"))
    expected = Beam(
        length=2,
        mass_per_length="1 + x/3",
        EI=3,
        modes=(2, 1),
        shapes={"y": ["s**2", "s**3"]},
        damping={"y1": 0.01},
    )
    assert read.deformables["boom"].given == expected


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("EI = 0", "deformable 'boom': EI is 0"),
        ("shapes = 'clamped-fee'", "deformable 'boom': shapes of y: no shapes .* 'clamped-free'"),
        (
            "shapes = { y = ['k*s'] }",
            "deformable 'boom'.* y1: unknown k; a shape is a function of s",
        ),
        ("EI = 'stiffness'", "'boom': .*stiffness"),
        ("width = 2", "'boom': kind 'beam' takes no 'width'"),
    ],
)
def test_errors_name_the_body(line: str, message: str) -> None:
    given = {"length": "length = 2", "mass_per_length": "mass_per_length = 1", "EI": "EI = 3"}
    given[line.split(" ")[0]] = line
    head = 'name = "m"\n[[deformable]]\nname = "boom"\nform = "beam"\n'
    tail = '\n[[joint]]\nname = "base"\nkind = "fixed"\nparent = "world"\nchild = "boom"\n'
    with pytest.raises(ModelError, match=message):
        parse_toml(head + "\n".join(given.values()) + tail)
