"""Constraints in model files: written and read back, and errors that name element and line."""

from __future__ import annotations

import pytest

import eomc
from eomc.derive.constraints import CONSTRAINTS
from eomc.derive.formats.toml import parse_toml
from eomc.derive.formats.toml_writer import toml_text
from eomc.derive.model import Model, ModelError, Point

A, B = Point("a", (0.1, 0, 0)), Point("b", (0, 0.2, 0))
X, Z = (1, 0, 0), (0, 0, 1)

KINDS = {
    "coincident": {"a": A, "b": B},
    "distance": {"a": A, "b": B, "length": "1 + sin(t)/10"},
    "point_location": {"a": A, "b": B, "position": ("sin(t)", 0, 0.1)},
    "orientation": {
        "a": "a",
        "b": "b",
        "rotation": {"rpy": (0, "t/5", 0.1)},
        "frame_a": {"quaternion": (1, 0.1, 0, 0)},
    },
    "point_on_line": {"a": A, "b": B, "axis_b": Z},
    "point_on_plane": {"a": A, "b": B, "axis_b": Z, "offset": 0.1},
    "point_on_surface": {"a": A, "b": B, "expression": "x**2 + y**2 - z"},
    "parallel": {"a": A, "b": B, "axis_a": X, "axis_b": Z},
    "perpendicular": {"a": A, "b": B, "axis_a": X, "axis_b": Z},
    "coupling": {"first": "fa_x", "second": "fb_x", "ratio": 2, "offset": 0.1},
    "driver": {"first": "fa_y", "expression": "sin(t)"},
    "expression": {"expression": "fa_x**2 - fb_x"},
    "velocity": {"expression": "speed(fa_vx)*fa_x + speed(fb_vx)"},
    "knife_edge": {"a": A, "axis_a": (0, 1, 0)},
    "rolling": {"a": A, "b": B, "axis_b": Z, "length": 0.3, "axis_a": X},
    "rolling_contact": {
        "shape": {"kind": "ellipsoid", "at": A, "semi_axes": (0.1, 0.2, 0.3)},
        "surface": {"kind": "plane", "at": B},
    },
    "touching_contact": {
        "shape": {"kind": "capsule", "at": A, "radius": 0.1, "half_length": 0.2},
        "surface": {"kind": "plane", "at": B},
        "site": 2,
    },
    "rope": {
        "route": [A, {"kind": "pulley", "at": "world", "axis": Z, "radius": 0.1, "sense": -1}, B],
        "length": 2,
    },
}


def _bodies() -> Model:
    model = Model("two")
    for name in "ab":
        model.body(name, mass=1, inertia=(1, 1, 1))
        model.joint(f"f{name}", "floating", parent="world", child=name)
    return model


def test_every_kind_is_written_and_read() -> None:
    assert set(KINDS) == set(CONSTRAINTS)
    model = _bodies()
    model.joint("pin", "cylindrical", parent="a", child="b", axis=Z, cut=True)
    for kind, arguments in KINDS.items():
        model.constraint(f"held_by_{kind}", kind, **arguments)
    again = parse_toml(toml_text(model), check=False)
    assert again.constraints == model.constraints
    assert again.joints == model.joints and again.joints["pin"].cut


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('kind = "distanc"', "unknown kind 'distanc'; did you mean 'distance'?"),
        (
            'kind = "distance"\na = { body = "a" }\nb = { body = "c" }\nlength = 1',
            "unknown body 'c'; valid: 'a', 'b', 'world'",
        ),
        ('kind = "distance"\na = { body = "a" }\nlength = 1', "kind 'distance' needs b"),
        ('kind = "knife_edge"\nlength = 1', "takes no 'length'; valid: 'a', 'axis_a'"),
        (
            'kind = "coupling"\nfirst = "fa_x"\nsecond = "fb_xx"\nratio = 1',
            "no coordinate 'fb_xx'; did you mean",
        ),
        ('kind = "driver"\nfirst = "fa_x"\nexpression = "fa_xx"', "unknown name 'fa_xx'"),
        ('kind = "expression"\nexpression = "fa_x +"', "expression"),
        (
            'kind = "parallel"\na = { body = "a" }\nb = { body = "b" }\naxis_a = [0, 0, 0]\n'
            "axis_b = [0, 0, 1]",
            "axis_a has zero length",
        ),
        (
            'kind = "orientation"\na = "a"\nrotation = { xyz = [0, 0, "t"] }',
            "rotation has xyz; give rpy, quaternion or rotation, and the position of a point by a "
            "constraint 'point_location'",
        ),
        (
            'kind = "orientation"\na = "a"\nrotation = { rpy = [0, 0, "fb_x"] }',
            "'fb_x' is one of the coordinates; only parameters and time",
        ),
        ('kind = "point_location"\na = { body = "a" }\nposition = [0, "u"]', "position"),
    ],
)
def test_errors_name_the_constraint_and_its_line(text: str, message: str) -> None:
    start = toml_text(_bodies())
    line = start.count("\n") + 2
    file = f'{start}\n[[constraint]]\nname = "held"\n{text}\n'
    with pytest.raises(ModelError) as caught:
        parse_toml(file, "loops.toml")
    assert str(caught.value).startswith(f"loops.toml:{line}: constraint 'held': ")
    assert message in str(caught.value)


def test_a_cut_joint_says_what_it_is() -> None:
    with pytest.raises(ModelError, match="cut: give true or false"):
        _bodies().joint("pin", "revolute", parent="a", child="b", axis=Z, cut=1)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="a cut joint has no coordinates to lock"):
        _bodies().joint("pin", "revolute", parent="a", child="b", axis=Z, cut=True, locked=True)


@pytest.mark.parametrize("length", [0, "-l", "0*l"])
@pytest.mark.parametrize("kind", ["distance", "rolling"])
def test_lengths_are_positive(kind: str, length: object) -> None:
    model = _bodies()
    model.parameter("l", 2.0, tunable=True)
    more = {"axis_b": Z} if kind == "rolling" else {}
    model.constraint("rod", kind, a=A, b=B, length=length, **more)
    with pytest.raises(ModelError, match=r"constraint 'rod': length is -?[02]; give a positive"):
        model.validate()


@pytest.mark.parametrize(
    ("shape", "surface", "message"),
    [
        (
            {"kind": "sphere", "at": "a", "radius": 0},
            {"kind": "plane", "at": "b"},
            r"shape \(sphere\): radius is 0; give a pos",
        ),
        (
            {"kind": "sphere", "at": "a", "radius": 1},
            {"kind": "plane", "at": "a"},
            "both of body 'a'; name two bodies",
        ),
        (
            {"kind": "sphere", "at": "a", "radius": 1},
            {"kind": "torus", "at": "b", "radius": 2, "tube": 1},
            "rolls on no torus; give",
        ),
        (
            {"kind": "disc", "at": "a", "radius": 1},
            {"kind": "face", "at": "b", "half_sizes": (1, 1, 0)},
            "rolls on no face; give a cylinder or extruded or plane",
        ),
        (
            {"kind": "disc", "at": "a", "radius": 1},
            {"kind": "torus", "at": "b", "radius": 2},
            "no form for the pair disc",
        ),
    ],
)
def test_shapes_roll_on_planes(shape: object, surface: object, message: str) -> None:
    model = _bodies()
    model.constraint("roll", "rolling_contact", shape=shape, surface=surface)
    with pytest.raises(ModelError, match=f"constraint 'roll': .*{message}"):
        model.validate()


def test_two_hinges_on_one_axis_are_one() -> None:
    """The second takes no freedom away: the door swings as on one, by every method."""
    doors = {}
    for hinges in (1, 2):
        door = eomc.Model(f"door_{hinges}")
        door.body("door", mass=2, com=(0.5, 0, 0), inertia=(0.2, 0.2, 0.1))
        for k in range(hinges):
            door.joint(f"hinge{k}", "revolute", parent="world", child="door", axis=(0, 1, 0))
        doors[hinges] = eomc.build(door)
    assert not doors[2].is_constrained
    for method in ("DOP853", "rk4", "dopri"):
        same = {"t_span": 1.0, "method": method, "step": 1e-3}
        ends = [eomc.simulate(built, [1.0], **same).q[-1] for built in doors.values()]
        assert ends[0] == pytest.approx(ends[1], rel=1e-9), method
    report = eomc.verify(door, quick=True)
    assert report.ok, str(report)
