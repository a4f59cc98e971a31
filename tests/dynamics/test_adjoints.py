"""Products with first and second derivatives against complex steps of what they differentiate.

A step i h d in the arguments gives the derivative along d as the imaginary part over h, to the last
digit, with no differentiation rule of the graph (Squire and Trapp 1998).
"""

from __future__ import annotations

import importlib.metadata
import itertools
from functools import cache
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
from dynamics.evaluation import value
from lagrange.same_physics import cart_of_kane, cart_of_lagrange, rod_of_bodies, rod_of_kane

import eomc
from eomc.derive.graph import evaluate_mp, flops
from eomc.systems.chain import general_chain
from eomc.systems.pendulum import spatial_pendulum

pytestmark = pytest.mark.variants

MODELS = Path(__file__).parents[2] / "examples" / "models"


def dragged() -> eomc.Model:
    """A tree of turns and a slide whose speeds are rates, with loads that bend with speeds."""
    model = eomc.Model("dragged", gravity=(0, 0, -9.81))
    joints = (
        ("hip", "revolute", "world", (0, 1, 0)),
        ("slide", "prismatic", "hip", (1, 0, 2)),
        ("arm", "revolute", "slide", (1, 2, 2)),
        ("leg", "revolute", "hip", (1, 0, 0)),
    )
    for k, (name, kind, parent, axis) in enumerate(joints):
        model.body(name, mass=1 + k, com=(0.1, -0.2, 0.1 * k), inertia=(0.3, 0.4, 0.5))
        place = eomc.Placement(xyz=(0.2, 0.1 * k, -0.3))
        model.joint(f"{name}_joint", kind, parent=parent, child=name, axis=axis, placement=place)
    drag = "-0.3*speed(hip_joint)**2*speed(arm_joint)*cos(arm_joint)"
    model.generalized_force("drag", "hip_joint", drag)
    return model


SUBJECTS = {
    "loads of speeds": dragged,
    "panda": lambda: MODELS / "panda.toml",
    "quaternion, inputs, parameters": lambda: MODELS / "quadcopter.toml",
    "loop": lambda: MODELS / "four_bar.toml",
    "rod": rod_of_bodies,
    "beam": lambda: MODELS / "flexible_arm.toml",
    "long chain": lambda: spatial_pendulum(9),
    "Lagrange": cart_of_lagrange,
    "Kane": cart_of_kane,
    "Kane, dependent speeds": rod_of_kane,
}
OF = {"forward_dynamics": ("tau", "a_bar"), "inverse_dynamics": ("a", "tau_bar")}
H = mpmath.mpf("1e-15")


@cache
def equations(name: str) -> Any:
    return eomc.equations(SUBJECTS[name]())


@cache
def state(name: str) -> dict[str, np.ndarray]:
    """Random arguments and directions, quaternions of unit length."""
    e, rng = equations(name), np.random.default_rng(4)
    found = {}
    for of in OF:
        functions = [f"{of}_hvp", of]
        for function in e.program(functions=functions).functions:
            for argument in function.inputs:
                found.setdefault(argument.name, 0.4 * rng.normal(size=argument.shape))
    found["p"] = np.array([p.default for p in e.program().parameters])
    found["q"] = value(e, "normalize", q=found["q"] + value(e, "neutral"))
    return found


def exact(
    name: str, of: str, step: Any = 0, still: tuple[str, ...] = (), **changed: Any
) -> dict[str, list[Any]]:
    """Outputs of a function in 40 digits, every argument but those that stand `still` changed by
    step times its direction."""
    e, at = equations(name), state(name)
    program = e.program(functions=[of])
    (function,) = program.functions
    inputs = {a.name: a.entries for a in function.inputs}
    symbols = tuple(program.graph.symbol(p.symbol) for p in program.parameters)
    inputs |= {"p": symbols} if symbols else {}
    values: dict[Any, Any] = {}
    for array, entries in inputs.items():
        numbers = changed[array] if array in changed else at[array]
        given = [mpmath.mpf(float(x)) for x in np.ravel(numbers)]
        if step and f"along_{array}" in at and array not in still:
            along = at[f"along_{array}"]
            if array == "q":
                zero = np.zeros(0) if "t" not in inputs else at["t"]
                rates = {"q": at["q"], "u": along, "t": zero}
                rest = value(e, "coordinate_rates", **{**rates, "u": 0 * along})
                along = value(e, "coordinate_rates", **rates) - rest
            given = [x + step * mpmath.mpf(float(d)) for x, d in zip(given, along, strict=True)]
        values.update(zip(entries, given, strict=True))
    nodes = [node for output in function.outputs for node in output.entries]
    found = iter(evaluate_mp(program.graph, nodes, values, 40))
    return {output.name: [next(found) for _ in output.entries] for output in function.outputs}


def flat(outputs: dict[str, list[Any]]) -> np.ndarray:
    return np.array([float(mpmath.re(x)) for column in outputs.values() for x in column])


def stepped(name: str, of: str, still: tuple[str, ...] = ()) -> np.ndarray:
    """Derivative along the direction by a complex step."""
    with mpmath.workdps(40):
        found = exact(name, of, mpmath.mpc(0, H), still)
        return np.array([float(mpmath.im(x) / H) for column in found.values() for x in column])


def direction(name: str, of: str) -> np.ndarray:
    """Entries of the direction in the order of the gradient."""
    arrays = [array.removesuffix("_bar") for array in exact(name, f"{of}_vjp")]
    return np.concatenate([np.ravel(state(name)[f"along_{array}"]) for array in arrays])


def agree(got: np.ndarray, expected: np.ndarray, tolerance: float = 1e-12) -> None:
    scale = max(1.0, np.abs(expected).max())
    np.testing.assert_allclose(got / scale, expected / scale, rtol=0, atol=tolerance)


@pytest.mark.parametrize("of", OF)
@pytest.mark.parametrize("name", SUBJECTS)
def test_products(name: str, of: str) -> None:
    """J d is the complex step; w^T J d taken from the left is the same number."""
    pushed = flat(exact(name, f"{of}_jvp"))
    agree(pushed, stepped(name, of))
    weights = state(name)[OF[of][1]]
    pulled = flat(exact(name, f"{of}_vjp"))
    agree(pulled @ direction(name, of), weights @ pushed)


@pytest.mark.parametrize("of", OF)
@pytest.mark.parametrize("name", SUBJECTS)
def test_second_derivatives(name: str, of: str) -> None:
    """Along a direction as the complex step of the gradient, and by the whole matrix."""
    change = flat(exact(name, f"{of}_hvp"))
    agree(change, stepped(name, f"{of}_vjp"))
    along = direction(name, of)
    H = flat(exact(name, f"{of}_hessian")).reshape(along.size, along.size)
    agree(H @ along, change)


@pytest.mark.parametrize("of", OF)
@pytest.mark.parametrize("name", SUBJECTS)
def test_tensors(name: str, of: str) -> None:
    """Second derivatives of every output: under weights the matrix that complex steps confirm."""
    weights = state(name)[OF[of][1]]
    n = len(weights)
    found = exact(name, f"{of}_second_derivatives")
    qq, uq, uu, third = (
        np.tensordot(weights, np.array([float(x) for x in part]).reshape(n, n, n), 1)
        for part in found.values()
    )
    size = direction(name, of).size
    H = flat(exact(name, f"{of}_hessian")).reshape(size, size)[: 3 * n, : 3 * n]
    zero = np.zeros((n, n))
    agree(np.block([[qq, uq.T, third.T], [uq, uu, zero], [third, zero, zero]]), H)


def test_tensors_by_complex_steps() -> None:
    """Of the derivatives themselves, along a direction."""
    names = ("panda", "loads of speeds", "loop")
    for name, (of, (last, _)) in itertools.product(names, OF.items()):
        q, u, third = (state(name)[f"along_{array}"] for array in ("q", "u", last))
        n = len(u)
        found = exact(name, f"{of}_second_derivatives").values()
        qq, uq, uu, by_third = (
            np.array([float(x) for x in part]).reshape(n, n, n) for part in found
        )
        # Of two arrays, [k][i][j] by i and then along j.
        by_q = qq @ q + np.einsum("kij,i->kj", uq, u) + np.einsum("kij,i->kj", by_third, third)
        changed = [by_q, uq @ q + uu @ u, by_third @ q]
        agree(np.ravel(changed), stepped(name, f"{of}_derivatives", still=("p",)))


@pytest.mark.parametrize("of", OF)
@pytest.mark.parametrize("name", ["panda", "loop", "quaternion, inputs, parameters"])
def test_left_products_are_rows_of_the_jacobian(name: str, of: str) -> None:
    """Against the derivatives by composite bodies, which share nothing with the backward sweep."""
    jacobian = exact(name, f"{of}_derivatives")
    pulled = exact(name, f"{of}_vjp")
    weights = state(name)[OF[of][1]]
    for array, rows in zip(("q", "u", OF[of][0]), jacobian.values(), strict=True):
        matrix = np.array([float(x) for x in rows]).reshape(weights.size, -1)
        agree(np.array([float(x) for x in pulled[f"{array}_bar"]]), weights @ matrix)


def runge_kutta(name: str, h: Any, at: dict[str, list[Any]]) -> list[Any]:
    """(q, u) after one classical step from numbers in 40 digits, complex ones too."""
    e = equations(name)
    program = e.program(functions=["forward_dynamics", "coordinate_rates", "normalize"])
    symbols = tuple(program.graph.symbol(p.symbol) for p in program.parameters)

    def call(place: int, **given: list[Any]) -> list[Any]:
        function = program.functions[place]
        known = dict(zip(symbols, at.get("p", ()), strict=True))
        for argument in function.inputs:
            known |= zip(argument.entries, given[argument.name], strict=True)
        nodes = [node for output in function.outputs for node in output.entries]
        return evaluate_mp(program.graph, nodes, known, 40)

    def moved(x: list[Any], amount: Any, rate: list[Any]) -> list[Any]:
        return [a + amount * b for a, b in zip(x, rate, strict=True)] if rate else x

    q, u, dq, du = at["q"], at["u"], [], []
    end = [q, u]
    for part, weight in ((0, 1), (0.5, 2), (0.5, 2), (1, 1)):
        stage = {**at, "q": moved(q, part * h, dq), "u": moved(u, part * h, du)}
        dq, du = call(1, **stage), call(0, **stage)
        end = [moved(x, weight * h / 6, rate) for x, rate in zip(end, (dq, du), strict=True)]
    return [*call(2, q=end[0]), *end[1]]


@pytest.mark.parametrize("name", SUBJECTS)
def test_runge_kutta_step(name: str) -> None:
    """Gradients of the computed step by complex steps, of every argument; at most four times its
    operations. What ends on constraints has no such function."""
    e = equations(name)
    if "constraints" in e.traits:
        with pytest.raises(ValueError, match=r"rk4_step_vjp.*end on constraints"):
            e.program(functions=["rk4_step_vjp"])
        return
    rng, h = np.random.default_rng(8), 0.05
    at, ends = state(name), [rng.normal(size=n) for n in (len(e.coordinates), len(e.speeds))]
    found = exact(name, "rk4_step_vjp", h=h, q_next_bar=ends[0], u_next_bar=ends[1])
    along = {bar.removesuffix("_bar"): rng.normal(size=len(found[bar])) for bar in found}
    with mpmath.workdps(40):
        given = {
            array: [
                mpmath.mpf(float(x)) + mpmath.mpc(0, H) * mpmath.mpf(float(d))
                for x, d in zip(at[array], along[array], strict=True)
            ]
            for array in along
        }
        reached = runge_kutta(name, mpmath.mpf(h), given)
        pushed = np.array([float(mpmath.im(x) / H) for x in reached])
    pulled = sum(
        np.array([float(x) for x in found[f"{array}_bar"]]) @ d for array, d in along.items()
    )
    agree(pulled, np.concatenate(ends) @ pushed)
    step = 4 * (operations(e, "forward_dynamics") + operations(e, "coordinate_rates"))
    assert operations(e, "rk4_step_vjp") <= 4 * step


def operations(e: Any, function: str) -> int:
    program = e.program(functions=[function])
    return flops(program.graph, program.functions[0].nodes)


@pytest.mark.parametrize("of", OF)
@pytest.mark.parametrize("name", ["panda", "loop", "long chain", "beam", "Lagrange"])
def test_operations(name: str, of: str) -> None:
    """Griewank and Walther bound a gradient by four times the function."""
    e = equations(name)
    once = operations(e, of)
    assert operations(e, f"{of}_vjp") <= 4 * once
    assert operations(e, f"{of}_jvp") <= 4 * once
    assert operations(e, f"{of}_hvp") <= 8 * once


def test_first_products_of_articulated_bodies_take_less_than_two_times_forward_dynamics() -> None:
    """What forward dynamics has found of motions and wrenches is not found once more."""
    e = eomc.equations(general_chain(12))
    once = operations(e, "forward_dynamics")
    assert operations(e, "forward_dynamics_vjp") < 1.95 * once
    assert operations(e, "forward_dynamics_jvp") < 2 * once


@pytest.mark.slow
def test_growth() -> None:
    """Products grow as the function does, second derivatives of inverse dynamics as n^2 under
    weights, whole ones as n^3, as many as there are."""
    short, long = (eomc.equations(spatial_pendulum(n)) for n in (6, 12))
    growth = {
        function: np.log2(operations(long, function) / operations(short, function))
        for function in (
            "inverse_dynamics_vjp",
            "inverse_dynamics_hvp",
            "inverse_dynamics_hessian",
            "inverse_dynamics_second_derivatives",
            "forward_dynamics_second_derivatives",
            "forward_dynamics_vjp",
        )
    }
    assert growth["inverse_dynamics_vjp"] < 1.3
    assert growth["inverse_dynamics_hvp"] < 1.3
    assert growth["forward_dynamics_vjp"] < 1.5
    assert growth["inverse_dynamics_hessian"] < 2.4
    assert growth["inverse_dynamics_second_derivatives"] < 3.3
    assert growth["forward_dynamics_second_derivatives"] < 3.4


def test_against_pinocchio() -> None:
    """Left products with Pinocchio's Jacobians; second derivatives with their differences."""
    pin = pytest.importorskip("pinocchio", reason="the package pin is not installed")
    file = importlib.metadata.distribution("example-robot-data").locate_file("")
    (urdf,) = Path(str(file)).rglob("ur_description/urdf/ur5_robot.urdf")
    native = pin.buildModelFromUrdf(str(urdf))
    e, data = eomc.equations(eomc.load(urdf, damping=False, friction=False)), native.createData()
    q, u, x, w = np.random.default_rng(7).normal(size=(4, 6))

    def forward(q: Any, u: Any, tau: Any) -> np.ndarray:
        return np.hstack(pin.computeABADerivatives(native, data, q, u, tau))

    def inverse(q: Any, u: Any, a: Any) -> np.ndarray:
        by_q, by_u, mass = pin.computeRNEADerivatives(native, data, q, u, a)
        mass = np.triu(mass) + np.triu(mass, 1).T
        return np.hstack([by_q, by_u, mass])

    for of, jacobian in (("forward_dynamics", forward), ("inverse_dynamics", inverse)):
        given = {"q": q, "u": u, OF[of][0]: x, OF[of][1]: w}
        pulled = np.concatenate(value(e, f"{of}_vjp", **given))
        agree(pulled, w @ jacobian(q, u, x), 1e-10)  # what the condition of M leaves of digits
        H = value(e, f"{of}_hessian", **given)
        at, step = np.concatenate([q, u, x]), 1e-5
        columns = [
            w @ (jacobian(*np.split(at + d, 3)) - jacobian(*np.split(at - d, 3))) / (2 * step)
            for d in step * np.eye(18)
        ]
        scale = np.abs(H).max()
        np.testing.assert_allclose(H / scale, np.transpose(columns) / scale, atol=1e-8)


def test_products_of_a_body_that_is_welded_are_empty_but_for_inputs() -> None:
    model = eomc.Model("post", gravity=(0, 0, -9.81))
    model.input("wind")
    model.body("post", mass=1, com=(0, 0, 0.5))
    model.joint("weld", "fixed", parent="world", child="post")
    equations = eomc.equations(model)
    program = equations.program(functions=[n for n in equations.function_names if "_hessian" in n])
    assert [f.outputs[0].shape for f in program.functions] == [(1, 1)] * 4
