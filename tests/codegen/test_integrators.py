"""The compiled Runge-Kutta methods against the same methods in Python and exact solutions."""

from fractions import Fraction
from itertools import pairwise
from types import ModuleType

import numpy as np
import pytest
from interruption import is_interrupted
from scipy.integrate import solve_ivp
from small_programs.c_library import load
from small_programs.pendulum import pendulum, symbols

from eomc.codegen import build, emit
from eomc.codegen.integrators import Tableau, register
from eomc.codegen.integrators.dopri import DOPRI
from eomc.codegen.integrators.rk4 import RK4
from eomc.derive.graph import Argument, Function, Graph, Guard, Program


def runge_kutta(f, t, y, h, steps):
    """Classical method of order 4 in its textbook form."""
    rows = [y]
    for _ in range(steps):
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + h / 2, y + h / 2 * k2)
        k4 = f(t + h, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += h
        rows.append(y)
    return np.array(rows)


def pendulum_flow(torque, driven=False):
    def flow(t, y):
        moment = torque - 2.0 * 9.81 * 0.7 * np.sin(y[0]) - 0.1 * y[1]
        moment += np.cos(t) if driven else 0.0
        return np.array([y[1], moment / (2.0 * 0.7**2)])

    return flow


def test_trajectory(module: ModuleType):
    q, u = module.rk4([0.3], [-0.4], [0.5], 0.01, 200)
    assert q.shape == u.shape == (201, 1)
    expected = runge_kutta(pendulum_flow(0.5), 0.0, np.array([0.3, -0.4]), 0.01, 200)
    np.testing.assert_allclose(np.hstack([q, u]), expected, rtol=1e-11, atol=1e-13)


def test_explicit_time(cache):
    driven = load(build(emit(pendulum("driven", timed=True)), flags=("-O1",), cache_dir=cache))
    q, u = driven.rk4([0.3], [-0.4], [0.5], 1.5, 0.01, 600)  # in several calls of C
    expected = runge_kutta(pendulum_flow(0.5, True), 1.5, np.array([0.3, -0.4]), 0.01, 600)
    np.testing.assert_allclose(np.hstack([q, u]), expected, rtol=1e-11, atol=1e-13)
    # A scalar input of a function, as a Python float, on the fast path and in a batch.
    batch = driven.forward_dynamics([0.3], [-0.4], [0.5], np.array([0.0, 1.5]))
    single = driven.forward_dynamics(np.array([0.3]), np.array([-0.4]), np.array([0.5]), 1.5)
    np.testing.assert_array_equal(batch[1], single)


def test_held_inputs_step_by_step(module: ModuleType):
    torques = np.sin(np.arange(50.0))[:, None]
    q, u = module.rk4([0.3], [-0.4], torques, 0.02, 50)
    y = np.array([0.3, -0.4])
    for step, (torque,) in enumerate(torques):
        y = runge_kutta(pendulum_flow(torque), 0.0, y, 0.02, 1)[-1]
        np.testing.assert_allclose([q[step + 1, 0], u[step + 1, 0]], y, rtol=1e-11)


def test_order_is_four(module: ModuleType):
    ends = [module.rk4([1.0], [0.0], [0.0], 1.0 / n, n)[0][-1, 0] for n in (160, 320, 640)]
    ratio = (ends[0] - ends[1]) / (ends[1] - ends[2])
    assert ratio == pytest.approx(2**RK4.order, rel=0.1)


def test_errors(module: ModuleType):
    with pytest.raises(ValueError, match="'steps' is -1"):
        module.rk4([0.3], [0.0], [0.0], 0.1, -1)
    with pytest.raises(ValueError, match="'tau' has shape"):
        module.rk4([0.3], [0.0], np.zeros((7, 1)), 0.1, 5)
    with pytest.raises(ValueError, match="finite"):
        module.rk4([0.3], [0.0], [0.0], float("nan"), 5)
    with pytest.raises(ValueError, match="'q'"):
        module.rk4([0.3, 0.1], [0.0], [0.0], 0.1, 5)
    with pytest.raises(ValueError, match="single states"):
        module.rk4(np.zeros((3, 1)), [0.0], [0.0], 0.1, 5)
    with pytest.raises(TypeError):
        module.rk4([0.3], [0.0], [0.0], 0.1, 2.5)
    with pytest.raises(FloatingPointError, match="degenerate_length in step 0"):
        module.rk4([0.3], [0.0], [0.0], 0.1, 5, parameters={"length": 0.0})
    with pytest.raises(
        FloatingPointError, match=r"'parameters' is not finite \(degenerate.*\) in step 0"
    ):
        module.rk4([0.3], [0.0], [0.0], 0.1, 5, parameters={"length": np.nan})
    assert module.rk4([0.3], [0.0], [0.0], 0.1, 0)[0].shape == (1, 1)


def turning(name: str) -> Program:
    """A unit complex number turning at speed u, more coordinates than speeds; u is constant.

    Normalization divides by the length; a guard stops u above 10.
    """
    g = Graph()
    (c, s), (u,), (r,) = symbols(g, "q", 2), symbols(g, "u", 1), symbols(g, "row", 1)
    length = g.sqrt(g.add(g.mul(c, c), g.mul(s, s)))
    q, speed = Argument("q", (2,), (c, s)), Argument("u", (1,), (u,))
    held, empty = Argument("row", (1,), (r,)), Argument("s", (0,), ())
    rates = (g.neg(g.mul(s, u)), g.mul(c, u))
    unit = (g.div(c, length), g.div(s, length))
    limit = (Guard(g.sub(g.constant(10), u), "too_fast"),)
    a = (Argument("a", (1,), (r,)),)
    functions = (
        Function("forward_dynamics", (q, speed, held, empty), a, guards=limit),
        Function("coordinate_rates", (q, speed), (Argument("qdot", (2,), rates),)),
        Function("normalize", (q,), (Argument("q", (2,), unit),)),
    )
    return Program(name, g, functions)


@pytest.fixture(scope="module")
def turn(cache) -> ModuleType:
    return load(build(emit(turning("turn")), flags=("-O1",), cache_dir=cache))


def test_normalized_after_each_step(turn: ModuleType):
    q, _ = turn.rk4([2.0, 0.0], [1.0], [0.0], [], 0.5, 100)
    np.testing.assert_allclose(np.linalg.norm(q[1:], axis=1), 1.0, rtol=1e-15)
    assert q[0, 0] == 2.0
    np.testing.assert_allclose(turn.normalize([3.0, 4.0]), [0.6, 0.8], rtol=1e-15)


def test_failure_names_the_step(turn: ModuleType):
    with pytest.raises(FloatingPointError, match="too_fast in step 4"):
        turn.rk4([1.0, 0.0], [0.0], [20.0], [], 0.11, 100)


def test_long_runs_are_those_of_their_parts(turn: ModuleType):
    """Longer than one call into C: rows go on where the last call ended, and steps are counted."""
    rows = np.sin(np.arange(600.0))[:, None]
    q, u = turn.rk4([1.0, 0.0], [0.0], rows, [], 0.01, 600)
    place, speed = [1.0, 0.0], [0.0]
    for first in range(0, 600, 200):
        part_q, part_u = turn.rk4(place, speed, rows[first : first + 200], [], 0.01, 200)
        np.testing.assert_array_equal(part_q, q[first : first + 201])
        np.testing.assert_array_equal(part_u, u[first : first + 201])
        place, speed = part_q[-1], part_u[-1]
    with pytest.raises(FloatingPointError, match="too_fast in step 402"):
        turn.rk4([1.0, 0.0], [0.0], [1.99], [], 0.0125, 600)


def test_a_signal_ends_a_long_run(turn: ModuleType):
    """One that would fail at its end, too fast."""
    assert is_interrupted(
        lambda: turn.rk4([1.0, 0.0], [0.0], [2.001], [], 1e-6, 5_000_000), after=0.02
    )


def test_in_place_steps_stop_at_the_last_good_state(c_library):
    import ctypes

    library = c_library(turning("turn"))
    q, u, row = np.array([1.0, 0.0]), np.array([0.0]), np.array([20.0])
    run = library.library.turn_rk4
    run.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_double, ctypes.c_int]
    pointers = [array.ctypes.data for array in (q, u, row, row)]
    assert run(*pointers, 0.11, 3) == 0
    assert u[0] == pytest.approx(6.6)
    assert run(*pointers, 0.11, 100) == 1
    assert u[0] == pytest.approx(8.8) and np.hypot(*q) == pytest.approx(1.0)


# -- adaptive steps ------------------------------------------------------------------------------


def test_weights_of_dormand_prince():
    """Quadrature conditions sum b c^n = 1/(n + 1), exactly; those of the extension at any x."""
    a, b, c = DOPRI.a, DOPRI.b, DOPRI.c
    stages = range(DOPRI.stages)
    for n in range(5):
        assert sum(b[i] * c[i] ** n for i in stages) == Fraction(1, n + 1)
    for n in range(4):
        assert sum(DOPRI.embedded[i] * c[i] ** n for i in stages) == Fraction(1, n + 1)
    assert a[-1] == b[:-1] and b[-1] == 0
    for x in (Fraction(1, 3), Fraction(4, 5), Fraction(1)):
        weights = [sum(p * x ** (j + 1) for j, p in enumerate(row)) for row in DOPRI.interpolant]
        for n in range(4):
            total = sum(weights[i] * c[i] ** n for i in stages)
            assert float(total) == pytest.approx(float(x ** (n + 1) / (n + 1)), abs=1e-9)
    ends = [float(sum(row)) for row in DOPRI.interpolant]
    assert ends == pytest.approx([float(weight) for weight in b], abs=1e-9)


def test_adaptive_steps_are_those_of_scipy(module: ModuleType):
    times, start = np.linspace(0, 4, 81), np.array([2.5, -0.4])
    q, u, report = module.dopri(start[:1], start[1:], [0.5], times, rtol=1e-7, atol=1e-9)
    peer = solve_ivp(pendulum_flow(0.5), (0, 4), start, "RK45", t_eval=times, rtol=1e-7, atol=1e-9)
    # The same method, step control and interpolant: the difference is round-off.
    np.testing.assert_allclose(np.hstack([q, u]).T, peer.y, atol=1e-12)
    assert 2 + 6 * (report["steps"] + report["rejected"]) == peer.nfev


def test_error_follows_the_tolerance(module: ModuleType):
    times, start = np.linspace(0, 3, 31), np.array([2.5, 0.0])
    options = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-14}
    exact = solve_ivp(pendulum_flow(0.0), (0, 3), start, t_eval=times, **options).y[0]
    errors = []
    for rtol in (1e-5, 1e-7, 1e-9, 1e-11):
        q, _, _ = module.dopri([2.5], [0.0], [0.0], times, rtol=rtol, atol=rtol)
        errors.append(np.abs(q[:, 0] - exact).max())
        assert errors[-1] < 100 * rtol
    assert all(later < 0.05 * sooner for sooner, later in pairwise(errors))


def test_adaptive_steps_with_explicit_time(cache):
    driven = load(build(emit(pendulum("driven", timed=True)), flags=("-O1",), cache_dir=cache))
    times = np.linspace(1.5, 3.5, 11)
    q, u, _ = driven.dopri([0.3], [-0.4], [0.5], times, rtol=1e-11, atol=1e-12)
    options = {"t_eval": times, "method": "DOP853", "rtol": 1e-12, "atol": 1e-13}
    exact = solve_ivp(pendulum_flow(0.5, True), (1.5, 3.5), [0.3, -0.4], **options)
    np.testing.assert_allclose(np.hstack([q, u]).T, exact.y, atol=1e-9)


def test_single_precision_does_what_it_can(cache):
    single = load(build(emit(pendulum("single"), "float"), flags=("-O1",), cache_dir=cache))
    times = np.linspace(0, 3, 31)
    q, u, report = single.dopri([1.5], [0.0], [0.5], times, rtol=1e-12, atol=1e-6)
    exact = solve_ivp(pendulum_flow(0.5), (0, 3), [1.5, 0.0], "DOP853", t_eval=times, rtol=1e-11)
    assert q.dtype == np.float32 and report["steps"] < 500
    # The tolerance counts as a hundred times the precision of single numbers.
    least = 100 * np.finfo(np.float32).eps
    np.testing.assert_allclose(np.hstack([q, u]).T, exact.y, atol=100 * least)


def test_adaptive_rows_are_normalized(turn: ModuleType):
    times = np.linspace(0, 30, 301)
    q, u, report = turn.dopri([1.0, 0.0], [1.0], [0.0], [], times, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(q, axis=1), 1.0, rtol=1e-15)
    np.testing.assert_allclose(q, np.column_stack([np.cos(times), np.sin(times)]), atol=1e-4)
    assert report["steps"] < 150 and (u == 1.0).all()
    again = turn.dopri(q[-1], u[-1], [0.0], [], times, rtol=1e-6, atol=1e-6, h=report["h"])
    assert again[2]["rejected"] == 0


def test_failures_of_adaptive_runs_name_the_time(module: ModuleType, turn: ModuleType):
    with pytest.raises(FloatingPointError, match="too_fast at time") as failure:
        turn.dopri([1.0, 0.0], [0.0], [20.0], [], [0.0, 1.0])
    # u = 20 t reaches the guard's limit of 10 at half a second.
    assert failure.value.time == pytest.approx(0.5, abs=1e-9)
    with pytest.raises(FloatingPointError, match="too_many_steps"):
        module.dopri([1.0], [0.0], [0.0], [0.0, 10.0], max_steps=20)
    with pytest.raises(FloatingPointError, match=r"'tau' is not finite \(step_underflow\)") as none:
        module.dopri([1.0], [0.0], [float("nan")], [0.0, 10.0])
    assert none.value.code == "step_underflow"
    with pytest.raises(FloatingPointError, match="degenerate_length"):
        module.dopri([1.0], [0.0], [0.0], [0.0, 10.0], parameters={"length": 0.0})


@pytest.mark.parametrize(
    "values",
    [
        {"times": [0.0, 0.0]},
        {"times": [1.0, 0.0]},
        {"times": [[0.0, 1.0]]},
        {"times": []},
        {"times": [0.0, float("inf")]},
        {"rtol": 0.0},
        {"atol": float("nan")},
        {"max_steps": 0},
        {"h": float("nan")},
        {"q": [0.1, 0.2]},
        {"tau": [[1.0]]},
        {"u": [[0.0], [1.0]]},
    ],
)
def test_wrong_arguments_of_adaptive_runs(module: ModuleType, values):
    arguments = {"q": [0.3], "u": [0.0], "tau": [0.0], "times": [0.0, 1.0]} | values
    state = [arguments.pop(name) for name in ("q", "u", "tau", "times")]
    with pytest.raises(ValueError, match=next(iter(values))):
        module.dopri(*state, **arguments)


def test_programs_without_rates_have_no_integrator():
    program = pendulum()
    functions = tuple(f for f in program.functions if f.name != "coordinate_rates")
    sources = emit(Program("plain", program.graph, functions, program.parameters))
    assert all("rk4" not in text and "dopri" not in text for text in sources.values())


def test_a_method_of_wrong_order_is_refused():
    """By the order condition that fails, for each of the conditions up to order 4."""
    half, third = Fraction(1, 2), Fraction(1, 3)
    with pytest.raises(ValueError, match=r"'a': order 1 needs sum b c\^0 = 1, which is 1/2"):
        Tableau("a", 1, a=((),), b=(half,))
    with pytest.raises(ValueError, match=r"'a': order 2 needs sum b c\^1 = 1/2"):
        Tableau("a", 2, a=((), (Fraction(1),)), b=(third, 2 * third))
    wrong = (*RK4.a[:3], (Fraction(0), half, half))
    with pytest.raises(ValueError, match="'a': order 4 needs sum b a a c = 1/24"):
        Tableau("a", 4, a=wrong, b=RK4.b)
    with pytest.raises(ValueError, match="first same as last"):
        Tableau("a", 4, a=RK4.a, b=RK4.b, embedded=RK4.b)
    with pytest.raises(ValueError, match="a needs 4 rows of 0, 1"):
        Tableau("a", 4, a=RK4.a[1:], b=RK4.b)
    with pytest.raises(ValueError, match="'rk4' is registered with other coefficients"):
        register(Tableau("rk4", 1, a=((),), b=(Fraction(1),)))
