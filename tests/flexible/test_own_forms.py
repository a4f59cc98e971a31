"""A form of the user's own: its arguments as text, and what it declares wrongly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import sympy
from dynamics.evaluation import value

import eomc
from eomc.derive.bodies import Attachment, Form, Invariants
from eomc.derive.fields.field import number
from eomc.derive.formats.toml import parse_toml
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import Scalar
from eomc.derive.model import Model, ModelError

ZERO = (0, 0, 0)


@kind("test_slider")
class Slider(Form):
    """A point that slides along x on a spring."""

    mass: Scalar = number()
    stiffness: Scalar = number()
    loss: Scalar = number(default=0)

    @property
    def coordinates(self) -> tuple[str, ...]:
        return ("slide",)

    @property
    def scalars(self) -> tuple[Scalar, ...]:
        return (self.mass, self.stiffness, self.loss)

    def kinetic_energy(self, v: Any, w: Any, xi: Any, xi_rate: Any) -> Any:
        place, rate = sympy.Matrix([xi[0], 0, 0]), sympy.Matrix([xi_rate[0], 0, 0])
        velocity = sympy.Matrix(v) + sympy.Matrix(w).cross(place) + rate
        return self.mass * velocity.dot(velocity) / 2

    def strain_energy(self, xi: Any) -> Any:
        return self.stiffness * xi[0] ** 2 / 2

    def dissipation(self, xi: Any, xi_rate: Any) -> Any:
        return self.loss * xi_rate[0] ** 2 / 2


FILE = """
name = "one"
[[parameter]]
name = "k"
value = 3.0
[[deformable]]
name = "bob"
kind = "test_slider"
mass = 2
stiffness = "2*k"
loss = "k/10"
[[joint]]
name = "base"
kind = "fixed"
parent = "world"
child = "bob"
"""


def test_text_of_a_file_reaches_the_equations() -> None:
    """m a + c v + 2 k x, by hand."""
    equations = eomc.equations(parse_toml(FILE))
    got = value(equations, "inverse_dynamics", q=[0.5], u=[0.7], a=[0.25])
    assert got == pytest.approx([2 * 0.25 + 0.3 * 0.7 + 6 * 0.5], rel=1e-14)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"2*k"', '"2*kk"', "'bob': stiffness: unknown name 'kk'; .*'k'"),
        ('"2*k"', '"2*("', r"'bob': stiffness: '2\*\(': a number"),
        ('"2*k"', '"1/(k - 3)"', "'bob': stiffness: .*no finite"),
        ('"2*k"', "nan", "'bob': stiffness: nan is not finite"),
        ("mass = 2", "mass = [2]", "'bob': mass: list is neither"),
        ("mass = 2", "mass = true", "'bob': mass: True is no number"),
    ],
)
def test_wrong_text_is_told_by_place_body_and_argument(old: str, new: str, message: str) -> None:
    with pytest.raises(ModelError, match=rf"bob\.toml:6: deformable {message}"):
        parse_toml(FILE.replace(old, new), "bob.toml")


@dataclass(frozen=True)
class Unread(Form):
    """Reads nothing of what it is given."""

    stiffness: Any

    @property
    def coordinates(self) -> tuple[str, ...]:
        return ("e1",)

    @property
    def scalars(self) -> tuple[Any, ...]:
        return (self.stiffness,)

    def invariants(self, xi: Any) -> Invariants:
        return Invariants(1, ZERO, (1, 1, 1, 0, 0, 0), (ZERO,), (ZERO,), ((1,),))


@pytest.mark.parametrize(
    ("text", "message"),
    [("k*(", "scalars: 'k\\*\\('"), ("kk", "unknown name 'kk'"), (object(), "scalars: object")],
)
def test_scalars_that_a_form_did_not_read_are_checked(text: Any, message: str) -> None:
    model = Model("one")
    model.parameter("k", 1.0)
    model.deformable("bob", Unread(text))
    model.joint("base", "fixed", parent="world", child="bob")
    with pytest.raises(ModelError, match=f"deformable 'bob': .*{message}"):
        model.validate()


def test_scalars_that_a_form_did_not_read_may_be_text() -> None:
    model = Model("one")
    model.parameter("k", 1.0)
    model.deformable("bob", Unread("2*k"))
    model.joint("base", "fixed", parent="world", child="bob")
    model.validate()


@dataclass(frozen=True)
class Wrong(Form):
    """Two coordinates; `changes` replace what its methods return."""

    changes: dict[str, Any]

    @property
    def coordinates(self) -> tuple[str, ...]:
        return ("left", "right")

    def invariants(self, xi: Any) -> Invariants:
        good: dict[str, Any] = {
            "mass": 1,
            "first": ZERO,
            "inertia": (1, 1, 1, 0, 0, 0),
            "linear": (ZERO, ZERO),
            "angular": (ZERO, ZERO),
            "internal": ((1, 0), (0, 1)),
        }
        return Invariants(**{name: self.changes.get(name, entry) for name, entry in good.items()})

    def strain_energy(self, xi: Any) -> Any:
        return self.changes.get("strain_energy", 0)

    def dissipation(self, xi: Any, xi_rate: Any) -> Any:
        return self.changes.get("dissipation", sum(rate**2 for rate in xi_rate))

    def attachment(self, at: Any, xi: Any) -> Any:
        return self.changes.get("attachment", Attachment((1, 0, 0)))


@pytest.mark.parametrize(
    ("name", "wrong", "message"),
    [
        ("mass", "m", "mass of the invariants: str is neither"),
        ("first", (0, 0), "first of the invariants: has 2 entries, needs 3"),
        ("inertia", (1, 1, 1), "inertia of the invariants: has 3 entries, needs 6"),
        ("inertia", (1, -1, 1, 0, 0, 0), "moment of inertia about y is negative"),
        ("linear", (ZERO,), "linear of the invariants has 1 rows.*2 coordinates"),
        ("angular", (ZERO, (0, 0)), "angular of the invariants, row of 'right': has 2"),
        ("internal", ((1, 0), (0,)), "internal of the invariants, row of 'right': has 1"),
        ("internal", ((1, sympy.Symbol("q")), (0, 1)), "row of 'left': unknown name 'q'"),
        ("strain_energy", None, "strain_energy: NoneType is neither"),
        ("strain_energy", sympy.Symbol("arm_lft") ** 2, "'arm_lft'; did you mean 'arm_left'"),
        ("dissipation", sympy.Symbol("rate"), "dissipation: unknown name 'rate'"),
    ],
)
def test_wrong_declarations_name_the_body_and_the_coordinate(
    name: str, wrong: Any, message: str
) -> None:
    model = Model("one")
    model.deformable("arm", Wrong({name: wrong}))
    model.joint("base", "revolute", parent="world", child="arm", axis=(0, 0, 1))
    with pytest.raises(ModelError, match=f"deformable 'arm': .*{message}"):
        model.validate()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ((1, 0, 0), "attachment of a Wrong returns a value of type tuple"),
        (Attachment((1, 0)), "displacement of a station of a Wrong needs 3 entries"),  # type: ignore[arg-type]
        (Attachment((1, 0, 0), (("w", 1),)), "turns about 'w'; valid: 'x', 'y', 'z'"),
    ],
)
def test_wrong_stations_name_the_joint(wrong: Any, message: str) -> None:
    model = Model("one")
    model.deformable("arm", Wrong({"attachment": wrong}))
    model.joint("base", "revolute", parent="world", child="arm", axis=(0, 0, 1))
    model.attachment("tip", body="arm", at="tip")
    with pytest.raises(ModelError, match=f"joint 'tip': at: .*{message}"):
        model.validate()


@pytest.mark.parametrize(
    ("name", "wrong", "message"),
    [
        ("stiffness", [[8, 1], [0, 8]], "stiffness is not symmetric in modes e1 and e2"),
        ("stiffness", [[8, 0], [0, -8]], "stiffness of mode e2 is -8"),
        ("internal", [[2, 0.5], [0, 2]], "internal is not symmetric in modes e1 and e2"),
    ],
)
def test_matrices_of_modes_that_cannot_be(name: str, wrong: Any, message: str) -> None:
    given = {"internal": [[2, 0], [0, 2]], "stiffness": [[8, 0], [0, 8]], name: wrong}
    model = Model("one")
    with pytest.raises(ModelError, match=f"deformable 'hull': {message}"):
        model.deformable(
            "hull",
            "modal_body",
            mass=2,
            first=ZERO,
            inertia=np.eye(3).tolist(),
            linear=[ZERO] * 2,
            angular=[ZERO] * 2,
            **given,
        )


def test_shapes_that_say_the_same_are_told_by_mode() -> None:
    model = Model("one")
    arguments = {"length": 2, "mass_per_length": 1, "EI": 3, "modes": (3, 0)}
    shapes = {"y": ["s**2", "s**3", "2*s**2 - 3*s**3"]}
    with pytest.raises(ModelError, match=r"deformable 'boom': .*mode y3: .*combination"):
        model.deformable("boom", "beam", shapes=shapes, **arguments)


@pytest.mark.parametrize(
    ("kind", "changes", "message"),
    [
        ("beam", {"EI": "-k"}, "EI is -k = -3; it must be positive"),
        ("beam", {"length": "k - 3"}, "length is k - 3 = 0; it must be positive"),
        ("beam", {"mass_per_length": "2 - k"}, "mass_per_length is 2 - k = -1; it"),
        ("telescopic_beam", {"EI": [[3, "1 - k"], 4]}, "EI is 1 - k = -2; it must be positive"),
        ("telescopic_beam", {"slewing_length": "k - 4"}, "slewing_length is k - 4 = -1"),
    ],
)
def test_arguments_are_positive_at_the_defaults(
    kind: str, changes: dict[str, Any], message: str
) -> None:
    beam: dict[str, Any] = {"length": 3, "mass_per_length": 1, "EI": 2}
    telescope: dict[str, Any] = {
        "slewing_length": 2,
        "slewing_mass": 1,
        "deployable_length": 2,
        "deployable_mass": 1,
        "EI": 2,
        "length": 3,
    }
    model = Model("one")
    model.parameter("k", 3.0)
    good = beam if kind == "beam" else telescope
    model.deformable("boom", kind, **{**good, **changes})
    model.joint("base", "fixed", parent="world", child="boom")
    with pytest.raises(ModelError, match=f"deformable 'boom': {message}"):
        model.validate()
