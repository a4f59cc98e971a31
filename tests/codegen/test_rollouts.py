"""Many runs at once against single runs and against the law of the controller written in NumPy."""

import tracemalloc
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from interruption import is_interrupted
from small_programs.c_library import load
from small_programs.pendulum import pendulum

import eomc
from eomc.codegen import build, emit
from eomc.derive.formats import load as load_model

pytestmark = pytest.mark.variants

MODELS = Path(__file__).parents[2] / "examples" / "models"
FUNCTIONS = [
    *("forward_dynamics", "inverse_dynamics", "coordinate_rates", "difference", "normalize")
]


def compiled(name: str, cache: Path, *flags: str) -> ModuleType:
    program = eomc.equations(load_model(MODELS / f"{name}.toml")).program(functions=FUNCTIONS)
    return load(build(emit(program, lanes=4), flags=("-O1", *flags), cache_dir=cache))


@pytest.fixture(scope="session", params=["arm", "quadcopter"])
def model(request, cache: Path) -> ModuleType:
    return compiled(request.param, cache)


def states(model: ModuleType, count: int) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """States near rest, and held inputs for one step."""
    rng = np.random.default_rng(count)
    inputs = model.manifest["functions"]["forward_dynamics"]["inputs"]
    nq, nu, *held = (argument["shape"][0] for argument in inputs)
    q, u = rng.uniform(-0.5, 0.5, (count, nq)), rng.uniform(-0.5, 0.5, (count, nu))
    if nq > nu:
        q = model.normalize(q)
    return q, u, [rng.uniform(-1, 1, (count, size)) for size in held]


@pytest.mark.parametrize("count", [1, 3, 4, 6])
def test_held_inputs_give_the_bits_of_single_runs(model: ModuleType, count):
    q, u, held = states(model, count)
    all_q, all_u = model.rk4_rollouts(q, u, *(h[:, None] for h in held), 0.01, 12)
    for k in range(count):
        one_q, one_u = model.rk4(q[k], u[k], *(h[k] for h in held), 0.01, 12)
        np.testing.assert_array_equal(all_q[k], one_q)
        np.testing.assert_array_equal(all_u[k], one_u)


def test_tables_and_sparse_records(model: ModuleType):
    """Inputs of each step, one table for all states, every third step recorded."""
    q, u, held = states(model, 5)
    tables = [np.stack([h[0] * (1 + step / 7) for step in range(12)]) for h in held]
    all_q, all_u = model.rk4_rollouts(q, u, *tables, 0.01, 12, every=3)
    assert all_q.shape == (5, 5, q.shape[1]) and all_u.shape == (5, 5, u.shape[1])
    for k in range(5):
        one_q, one_u = model.rk4(q[k], u[k], *tables, 0.01, 12)
        np.testing.assert_array_equal(all_q[k], one_q[::3])
        np.testing.assert_array_equal(all_u[k], one_u[::3])


@pytest.mark.slow
def test_inputs_broadcast_without_copies(cache: Path):
    """One number, or one for each entry, state or step; none becomes states times steps."""
    rng = np.random.default_rng(3)
    for module, nu in (
        (compiled("arm", cache), 2),
        (load(build(emit(pendulum("one"), lanes=4), cache_dir=cache)), 1),
    ):
        q, u = rng.uniform(-0.5, 0.5, (2, 4003, nu))
        shapes = [(), (1,), (nu,), (100, 1), (100, nu), (4003, 1, 1), (4003, 1, nu), (1, 1, nu)]
        for shape in shapes:
            tau = rng.uniform(-1, 1, shape)
            given = np.broadcast_to(tau, (4003, 100, nu))
            tracemalloc.start()
            all_q, all_u = module.rk4_rollouts(q, u, tau, 1e-3, 100, every=100, threads=1)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert peak < 4003 * 100 * 8 / 2, shape
            for k in (0, 4002):
                one_q, one_u = module.rk4(q[k], u[k], given[k], 1e-3, 100)
                np.testing.assert_array_equal(all_q[k, 1], one_q[-1])
                np.testing.assert_array_equal(all_u[k, 1], one_u[-1])


@pytest.mark.parametrize("computed_torque", [False, True])
def test_feedback_is_the_law_sampled_at_each_step(model: ModuleType, computed_torque):
    q, u, (tau, *held) = states(model, 3)
    goal = states(model, 1)[0][0]
    rng = np.random.default_rng(8)
    nu, steps = u.shape[1], 10
    # The rotors of the quadcopter are light: gains of one, as torques, would be unstable.
    scale = 1e-5 if model.manifest["name"] == "quadcopter" and not computed_torque else 1.0
    kp, kd = scale * rng.uniform(1, 5, (2, nu))
    u_ref, a_ref = rng.uniform(-0.1, 0.1, (2, steps, nu))
    all_q, all_u = model.rk4_rollouts(
        q,
        u,
        tau[:, None],
        *(h[:, None] for h in held),
        0.01,
        steps,
        q_ref=goal,
        u_ref=u_ref,
        a_ref=a_ref,
        kp=kp,
        kd=kd,
        computed_torque=computed_torque,
    )
    for k in range(3):
        x, v, rest = q[k], u[k], [h[k] for h in held]
        for step in range(steps):
            torque = kp * model.difference(x, goal) + kd * (u_ref[step] - v)
            if computed_torque:
                torque = model.inverse_dynamics(x, v, a_ref[step] + torque, *rest)
            xs, vs = model.rk4(x, v, tau[k] + torque, *rest, 0.01, 1)
            x, v = xs[-1], vs[-1]
        np.testing.assert_allclose(all_q[k, -1], x, rtol=1e-13, atol=1e-13)
        np.testing.assert_allclose(all_u[k, -1], v, rtol=1e-12, atol=1e-12)


def test_compilers_without_vectors_give_the_same(cache: Path):
    plain, vectors = compiled("arm", cache, "-DARM_NO_VECTORS"), compiled("arm", cache)
    q, u, (tau,) = states(plain, 5)
    options = {"q_ref": [0.3, -0.2], "kp": 20.0, "kd": 3.0, "computed_torque": True}
    results = [
        module.rk4_rollouts(q, u, tau[:, None], 0.01, 9, **options) for module in (plain, vectors)
    ]
    np.testing.assert_array_equal(results[0][0], results[1][0])
    np.testing.assert_array_equal(results[0][1], results[1][1])


def test_time_parameters_threads_and_failures(cache: Path):
    module = load(build(emit(pendulum("runs", timed=True), lanes=4), cache_dir=cache))
    rng = np.random.default_rng(4)
    q, u = rng.normal(size=(2, 70, 1))
    lengths = np.linspace(0.5, 1.0, 70)
    options = {"parameters": {"length": lengths}}
    all_q, _ = module.rk4_rollouts(q, u, [0.1], 0.3, 0.01, 20, **options)
    for k in (0, 33, 69):
        one, _ = module.rk4(q[k], u[k], [0.1], 0.3, 0.01, 20, parameters={"length": lengths[k]})
        np.testing.assert_array_equal(all_q[k], one)
    for threads in (1, 2, 50):
        shared, _ = module.rk4_rollouts(q, u, [0.1], 0.3, 0.01, 20, threads=threads, **options)
        np.testing.assert_array_equal(shared, all_q)
    lengths[[41, 50]] = 0.0
    with pytest.raises(FloatingPointError, match=r": degenerate_length at batch index \(41,\)"):
        module.rk4_rollouts(q, u, [0.1], 0.3, 0.01, 20, threads=2, **options)
    many = np.resize(lengths, 70 * 200)
    many[: 41 + 70 * 180] = 1.0  # so many that they are not all run between two looks for signals
    with pytest.raises(FloatingPointError, match=rf"at batch index \({41 + 70 * 180},\)"):
        module.rk4_rollouts(
            np.resize(q, (len(many), 1)),
            np.resize(u, (len(many), 1)),
            [0.1],
            0.3,
            0.01,
            20,
            parameters={"length": many},
            threads=1,
        )
    lengths[41] = np.nan
    with pytest.raises(
        FloatingPointError, match=r"'parameters' is not finite \(.*\) at batch index \(41,"
    ):
        module.rk4_rollouts(q, u, [0.1], 0.3, 0.01, 20, **options)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_signal_ends_many_runs(cache: Path, threads: int) -> None:
    """The last of which would fail."""
    module, rest = compiled("arm", cache), np.zeros((20_000, 2))
    rest[-1] = np.nan
    assert is_interrupted(
        lambda: module.rk4_rollouts(
            rest, rest, [0.1, 0.1], 1e-3, 10_000, every=10_000, threads=threads
        ),
        after=0.2,
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"q": [0.1, 0.2], "u": [0.0, 0.0]}, "must be rows"),
        ({"u": np.zeros((3, 2))}, "must be rows"),
        ({"tau": np.zeros((4, 9, 2))}, r"'tau' has shape \(4, 9, 2\)"),
        ({"steps": -1}, "-1 steps"),
        ({"every": 3}, "10 steps cannot be recorded every 3"),
        ({"h": np.nan}, "finite"),
        ({"tau": np.ma.masked_equal([0.0, 1.0], 1.0)}, "'tau' has masked entries"),
        ({"q_ref": [0.0, 0.0], "kp": np.nan}, "'kp' is not finite"),
        ({"q_ref": [0.0, 0.0], "kd": [1.0, np.inf]}, "'kd' is not finite"),
        ({"threads": 0}, "'threads' is 0"),
        ({"q_ref": np.zeros(3)}, "'q_ref' has shape"),
        ({"kp": 20.0}, "'kp' without 'q_ref'"),
        ({"kd": [0.0, 1.0]}, "'kd' without 'q_ref'"),
        ({"computed_torque": True}, "'computed_torque' without 'q_ref'"),
        (
            {"q_ref": [0.0, 0.0], "kp": np.ones(3)},
            r"'kp' has shape \(3,\); expected \(\) or \(2,\)",
        ),
        (
            {"q_ref": [0.0, 0.0], "kd": np.eye(2)},
            r"'kd' has shape \(2, 2\); expected \(\) or \(2,\)",
        ),
    ],
)
def test_wrong_arguments(cache: Path, change, words):
    given = {"q": np.zeros((4, 2)), "u": np.zeros((4, 2)), "tau": [0.0, 0.0], "h": 0.1, "steps": 10}
    with pytest.raises(ValueError, match=words):
        compiled("arm", cache).rk4_rollouts(**(given | change))


def test_no_states_and_no_steps(cache: Path):
    module = compiled("arm", cache)
    q, u = module.rk4_rollouts(np.zeros((0, 2)), np.zeros((0, 2)), [0, 0], 0.1, 5)
    assert q.shape == u.shape == (0, 6, 2)
    q, u = module.rk4_rollouts(np.ones((3, 2)), np.zeros((3, 2)), [0, 0], 0.1, 0)
    np.testing.assert_array_equal(q, np.ones((3, 1, 2)))
