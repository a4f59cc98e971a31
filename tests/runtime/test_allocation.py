"""Actuation of mechanisms, and forces of least norm within bounds."""

from collections.abc import Callable

import numpy as np
import pytest

import eomc
from eomc.runtime.constraints import ConstraintError
from eomc.runtime.control.least_effort import AllocationError, least_effort
from eomc_published.tensegrity.control import rigid_strut
from eomc_published.tensegrity.single_strut import RADIUS, branch

FREE = np.inf


def four_bar() -> eomc.CompiledModel:
    """A parallelogram with one freedom."""
    model = eomc.Model("four_bar")
    for name, parent, at, axis in (
        ("crank", "world", (0, 0, 0), (0, 1, 0)),
        ("coupler", "crank", (0, 0, 1), (0, 1, 0)),
        ("rocker", "world", (2, 0, 0), (0, 1, 0)),
    ):
        model.body(name, mass=1, com=(0, 0, 0.5), inertia=(0.1, 0.1, 0.1))
        model.joint(name, "revolute", parent=parent, child=name, axis=axis, placement=at)
    end = eomc.Point("coupler", (2, 0, 0))
    model.constraint("pin", "coincident", a=end, b=eomc.Point("rocker", (0, 0, 1)))
    return eomc.build(model)


@pytest.fixture(scope="module")
def rigid() -> eomc.CompiledModel:
    return rigid_strut()


def upright() -> dict[str, float]:
    return {
        f"theta{i}": float(branch(i, np.zeros(5))[1] - branch(i, np.zeros(5))[3] / RADIUS)
        for i in (1, 2, 3)
    }


@pytest.mark.parametrize(
    ("actuators", "kind", "rank"),
    [
        (["crank"], "properly actuated", 1),
        (["crank", "rocker"], "redundantly actuated", 1),
        (None, "redundantly actuated", 1),
        ([], "under-actuated", 0),
    ],
)
def test_actuation_of_a_loop(actuators: list[str] | None, kind: str, rank: int) -> None:
    found = eomc.runtime.control.actuation(
        four_bar(), {"crank": 0.3, "rocker": 0.3}, actuators=actuators
    )
    assert (found.kind, found.rank, found.freedoms) == (kind, rank, 1)
    assert kind in str(found)


def test_an_actuator_that_does_nothing_new_does_not_count(rigid: eomc.CompiledModel) -> None:
    found = eomc.runtime.control.actuation(rigid, upright(), actuators=["u1", "theta1"])
    assert (found.kind, found.rank, found.freedoms) == ("under-actuated", 1, 2)


def test_pretension_of_ropes(rigid: eomc.CompiledModel) -> None:
    """Upright the strut stands by itself; a tension T in each rope takes R T of each pulley."""
    state = eomc.assemble(rigid, upright())
    motion = rigid, state.q, state.u
    loose = eomc.runtime.control.allocate(*motion)
    assert loose.forces == pytest.approx(np.zeros(3), abs=1e-9)
    for form in ("null space", "direct"):
        found = eomc.runtime.control.allocate(*motion, tensions=(50, FREE), method=form)
        assert found.forces == pytest.approx(np.full(3, 50 * RADIUS), rel=1e-9)
        assert list(found.tensions) == ["cable1", "cable2", "cable3"]
        assert list(found.tensions.values()) == pytest.approx([50] * 3, rel=1e-9)
    one = eomc.runtime.control.allocate(*motion, tensions={"cable2": (50, FREE)})
    assert one.forces == pytest.approx(found.forces, rel=1e-9)  # by symmetry
    with pytest.raises(
        AllocationError, match=r"u1 would be 3\.5, .* tension of cable1 at its lower"
    ):
        eomc.runtime.control.allocate(*motion, tensions=(50, FREE), limits=(0, 3))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: eomc.runtime.control.actuation(m, actuators=["u9"]), "no input or speed 'u9'"),
        (lambda m: eomc.runtime.control.actuation(m, actuators=["u1", "u1"]), "named twice"),
        (
            lambda m: eomc.runtime.control.allocate(m, upright(), limits={"u7": (0, 1)}),
            "limits: no 'u7'",
        ),
        (lambda m: eomc.runtime.control.allocate(m, upright(), limits={"u1": 3}), "give"),
        (
            lambda m: eomc.runtime.control.allocate(m, upright(), tensions={"rope": (0, 1)}),
            "tensions: no 'rope'",
        ),
        (lambda m: eomc.runtime.control.allocate(m, upright(), limits=(2, 1)), "upper"),
        (lambda m: eomc.runtime.control.allocate(m, {"phi": 0.3}), "violates constraint"),
        (
            lambda m: eomc.runtime.control.allocate(m, upright(), method="other"),
            "method is 'other'",
        ),
    ],
)
def test_wrong_arguments_are_named(
    rigid: eomc.CompiledModel, call: Callable[[eomc.CompiledModel], object], message: str
) -> None:
    with pytest.raises((ValueError, ConstraintError), match=message):
        call(rigid)


def test_accelerations_out_of_reach() -> None:
    state = eomc.assemble(four_bar(), {"crank": 0.3, "rocker": 0.3})
    with pytest.raises(AllocationError, match="out of their reach"):
        eomc.runtime.control.allocate(four_bar(), state.q, state.u, actuators=[])


@pytest.mark.parametrize(
    ("arguments", "keywords", "message"),
    [
        (([[1, 2]], [1, 2]), {}, "shapes"),
        (([[1, np.nan]], [1]), {}, "finite"),
        (([[1, 1]], [1]), {"costs": [-1, 1]}, "at least 0"),
        (([[1, 1]], [1]), {"costs": [0, 0]}, "infinitely many"),
        (([[1, 1]], [1]), {"bounded": [[1]]}, "bounded has shape"),
        (([[1, 1], [1, 1]], [1, 2]), {}, "out of their reach"),
        (([[1, 1]], [3]), {"upper": 1}, "above its upper bound 1"),
        (([[1, 0], [0, 1]], [3, 3]), {"upper": 1}, "above its upper bound 1"),
    ],
)
def test_programs_that_have_no_solution(arguments, keywords, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        least_effort(*arguments, **keywords)


def test_costs_and_targets() -> None:
    """By hand: minimize x1^2 + 4 (x2 - 1)^2 on x1 + x2 = 6, so x1 = 4 (x2 - 1) = 4."""
    for form in ("null space", "direct"):
        found = least_effort([[1, 1]], [6], costs=[1, 4], targets=[0, 1], method=form)
        assert found == pytest.approx([4, 2], rel=1e-9)
        bounded = {"bounded": [[1, -1]], "offset": [1], "upper": [0]}
        found = least_effort([[1, 1]], [6], costs=[1, 4], targets=[0, 1], method=form, **bounded)
        assert found == pytest.approx([2.5, 3.5], rel=1e-9)  # x1 - x2 + 1 = 0


@pytest.mark.parametrize("form", ["null space", "direct"])
@pytest.mark.parametrize("force", [1e-9, 1e-3, 1e9])
@pytest.mark.parametrize("length", [1e-6, 1e6])
@pytest.mark.parametrize("cost", [1e-12, 1e12])
def test_units_change_nothing(form: str, force: float, length: float, cost: float) -> None:
    """Three forces make a force of 4 and a moment of 1 at least cost, the first at its bound."""
    equations = np.array([[1.0, 1.0, 1.0], [0.0, length, -length]])
    given = {"costs": cost * np.array([1.0, 2.0, 3.0]), "method": form}
    wanted = force * np.array([4.0, length])
    x = least_effort(equations, wanted, 0.1 * force, 1.9 * force, **given)
    assert x / force == pytest.approx([1.9, 1.55, 0.55], rel=1e-9)
    with pytest.raises(AllocationError, match="no forces within the bounds: x"):
        least_effort(equations, wanted, 0.1 * force, 1.2 * force, **given)
    with pytest.raises(AllocationError, match="out of their reach"):
        least_effort([[length, length], [1, 1]], [length * force, 1.001 * force], method=form)


@pytest.mark.parametrize("force", [1e-9, 1.0, 1e9])
def test_objectives_beside_squares(force: float) -> None:
    """By hand, x1 + 2 x2 = 4: the sum is least on one axis, the largest on the diagonal, and
    x1^4 + x2^4 where x2^3 = 2 x1^3."""
    wanted = [4 * force]
    found = least_effort([[1, 2]], wanted, objective="sum")
    assert found / force == pytest.approx([0, 2], abs=1e-9)
    found = least_effort([[1, 2]], wanted, upper=[FREE, force], objective="sum")
    assert found / force == pytest.approx([2, 1], abs=1e-9)
    found = least_effort([[1, 2]], wanted, objective="largest")
    assert found / force == pytest.approx([4 / 3, 4 / 3], rel=1e-9)
    costs = {"costs": [1, 4], "targets": [0, force]}
    found = least_effort([[1, 1]], [6 * force], objective="largest", **costs)
    assert found / force == pytest.approx([4, 2], rel=1e-9)
    found = least_effort([[1, 2]], wanted, objective=lambda x: float(((x / force) ** 4).sum()))
    ratio = 2 ** (1 / 3)
    assert found / force == pytest.approx(np.array([1, ratio]) * 4 / (1 + 2 * ratio), rel=1e-5)


@pytest.mark.parametrize("objective", ["sum", "largest", lambda x: float(x @ x)])
def test_other_objectives_name_bounds_too(objective: object) -> None:
    with pytest.raises(AllocationError, match="above its upper bound 1"):
        least_effort([[1, 2]], [4], upper=1.0, objective=objective)


def test_an_unknown_objective_is_named() -> None:
    with pytest.raises(ValueError, match="objective is 'sums'; give 'squares', 'sum', 'largest'"):
        least_effort([[1, 2]], [4], objective="sums")
