"""The compiled module as NumPy users meet it."""

import inspect
import json
import threading
from types import ModuleType

import numpy as np
import pytest
from small_programs.c_library import load
from small_programs.pendulum import pendulum

from eomc.codegen import build, emit
from eomc.derive.graph import Argument, Function, Graph, Program


def acceleration(q, u, tau, mass=2.0, length=0.7):
    """The pendulum by hand."""
    q, u, tau = (np.asarray(value)[..., 0] for value in (q, u, tau))
    moment = tau - mass * 9.81 * length * np.sin(q) - 0.1 * u
    return (moment / (mass * length**2))[..., None]


Q, U, TAU = np.array([0.3]), np.array([-0.4]), np.array([0.5])


def test_single_state(module: ModuleType):
    result = module.forward_dynamics(Q, U, TAU)
    assert result.shape == (1,) and result.dtype == np.float64
    np.testing.assert_allclose(result, acceleration(Q, U, TAU), rtol=1e-14)


@pytest.mark.parametrize(
    "convert",
    [list, tuple, np.float32, lambda x: np.array([0.0, *x, 0.0])[1:-1], np.ma.masked_invalid],
)
def test_other_kinds_of_arguments(module: ModuleType, convert):
    result = module.forward_dynamics(convert(Q), U, TAU)
    np.testing.assert_allclose(result, acceleration(Q, U, TAU), rtol=1e-6)


def test_integers_and_foreign_byte_order(module: ModuleType):
    expected = module.forward_dynamics(np.array([1.0]), U, TAU)
    for q in ([1], np.array([1], dtype=np.int16), np.array([1.0], dtype=">f8"), [True]):
        np.testing.assert_array_equal(module.forward_dynamics(q, U, TAU), expected)


def test_batches_broadcast(module: ModuleType):
    rng = np.random.default_rng(0)
    q, u, tau = rng.normal(size=(4, 1, 1)), rng.normal(size=(3, 1)), rng.normal(size=(1,))
    result = module.forward_dynamics(q, u, tau)
    assert result.shape == (4, 3, 1)
    np.testing.assert_allclose(result, acceleration(q, u, tau), rtol=1e-13)


def test_strided_batches(module: ModuleType):
    states = np.random.default_rng(0).normal(size=(5, 2))
    result = module.forward_dynamics(states[:, :1], states[:, 1:], TAU)
    np.testing.assert_allclose(result, acceleration(states[:, :1], states[:, 1:], TAU), rtol=1e-13)


def test_empty_batch(module: ModuleType):
    assert module.forward_dynamics(np.empty((0, 1)), U, TAU).shape == (0, 1)


def test_matrices_and_scalars(module: ModuleType):
    assert module.mass_matrix(Q).shape == (1, 1)
    assert module.mass_matrix(np.zeros((6, 1))).shape == (6, 1, 1)
    kinetic, potential = module.energies(Q, U)
    assert kinetic.shape == potential.shape == ()
    assert float(kinetic) == pytest.approx(0.5 * 2.0 * 0.7**2 * 0.16)
    batch = module.energies(np.zeros((6, 1)), U)
    assert [part.shape for part in batch] == [(6,), (6,)]
    np.testing.assert_array_equal(module.neutral(), [0.0])


def test_out(module: ModuleType):
    out = np.empty(1)
    assert module.forward_dynamics(Q, U, TAU, out=out) is out
    np.testing.assert_allclose(out, acceleration(Q, U, TAU), rtol=1e-14)
    pair = (np.empty(()), np.empty(()))
    assert module.energies(Q, U, out=pair) is pair
    assert float(pair[0]) == float(module.energies(Q, U)[0])


def test_out_may_be_a_view_or_an_argument(module: ModuleType):
    q = np.random.default_rng(0).normal(size=(5, 1))
    expected = acceleration(q, U, TAU)
    view = np.full((5, 3), np.nan)
    module.forward_dynamics(q, U, TAU, out=view[:, 1:2])
    np.testing.assert_allclose(view[:, 1:2], expected, rtol=1e-13)
    assert np.isnan(view[:, [0, 2]]).all()
    module.forward_dynamics(q, U, TAU, out=q)
    np.testing.assert_allclose(q, expected, rtol=1e-13)
    single = Q.copy()
    module.forward_dynamics(single, U, TAU, out=single)
    np.testing.assert_allclose(single, acceleration(Q, U, TAU), rtol=1e-14)
    same = np.empty(())
    with_copy = module.energies(Q, U, out=(same, same))
    assert with_copy[0] is same and float(same) == float(module.energies(Q, U)[1])


@pytest.mark.parametrize(
    ("p", "values"),
    [
        (None, (2.0, 0.7)),
        ([3.0, 0.5], (3.0, 0.5)),
        (np.array([3.0, 0.5]), (3.0, 0.5)),
        ({"length": 0.5}, (2.0, 0.5)),
        ({}, (2.0, 0.7)),
    ],
)
def test_parameters(module: ModuleType, p, values):
    result = module.forward_dynamics(Q, U, TAU, parameters=p)
    np.testing.assert_allclose(result, acceleration(Q, U, TAU, *values), rtol=1e-14)


def test_parameter_sweep(module: ModuleType):
    lengths = np.linspace(0.5, 1.0, 7)
    result = module.forward_dynamics(Q, U, TAU, parameters={"length": lengths})
    expected = [acceleration(Q, U, TAU, 2.0, length) for length in lengths]
    np.testing.assert_allclose(result, expected, rtol=1e-13)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda m: m.forward_dynamics(Q, U), TypeError, ["forward_dynamics"]),
        (lambda m: m.forward_dynamics(Q, U, TAU, TAU), TypeError, ["forward_dynamics"]),
        (lambda m: m.forward_dynamics(Q, [1, 2], TAU), ValueError, ["'u'", "(2,)", "(..., 1)"]),
        (lambda m: m.forward_dynamics(0.5, U, TAU), ValueError, ["'q'", "()", "(..., 1)"]),
        (lambda m: m.forward_dynamics(None, U, TAU), TypeError, ["'q'", "NoneType"]),
        (lambda m: m.forward_dynamics("a", U, TAU), TypeError, ["'q'", "str"]),
        (lambda m: m.forward_dynamics([1j], U, TAU), TypeError, ["'q'", "complex"]),
        (lambda m: m.forward_dynamics([[1], [1, 2]], U, TAU), TypeError, ["'q'"]),
        (
            lambda m: m.forward_dynamics(np.ones((2, 1)), np.ones((3, 1)), TAU),
            ValueError,
            ["q (2,)", "u (3,)", "broadcast"],
        ),
        (
            lambda m: m.forward_dynamics(np.ma.masked_array(Q, mask=[True]), U, TAU),
            ValueError,
            ["forward_dynamics: argument 'q' has masked entries"],
        ),
        (
            lambda m: m.forward_dynamics(
                Q, U, TAU, parameters={"mass": np.ma.masked_less([1, -1], 0)}
            ),
            ValueError,
            ["forward_dynamics: argument 'parameters'", "masked entries"],
        ),
        (lambda m: m.mass_matrix(Q, out=np.ones(1)), ValueError, ["'out'", "(1,)", "(1, 1)"]),
        (lambda m: m.mass_matrix(Q, out=[[1.0]]), TypeError, ["'out'", "list"]),
        (lambda m: m.mass_matrix(Q, out=np.ones((1, 1), "f4")), TypeError, ["'out'", "float32"]),
        (lambda m: m.energies(Q, U, out=np.ones(2)), TypeError, ["'out'", "tuple of 2"]),
        (
            lambda m: m.forward_dynamics(Q, U, TAU, parameters={"k": 1}),
            ValueError,
            ["'k'", "mass, length"],
        ),
        (
            lambda m: m.forward_dynamics(Q, U, TAU, parameters=[1.0]),
            ValueError,
            ["'parameters'", "(..., 2)"],
        ),
        (
            lambda m: m.forward_dynamics(Q, U, TAU, parameters={"mass": "x"}),
            TypeError,
            ["'parameters'"],
        ),
        (
            lambda m: m.forward_dynamics(Q, U, TAU, parameters={"length": 0.0}),
            FloatingPointError,
            ["forward_dynamics", "degenerate_length"],
        ),
        (
            lambda m: m.forward_dynamics(Q, U, TAU, parameters={"length": np.nan}),
            FloatingPointError,
            ["forward_dynamics: argument 'parameters' is not finite (degenerate_length)"],
        ),
        (
            lambda m: m.forward_dynamics(
                Q, np.zeros((3, 1)), TAU, parameters={"length": [1, np.nan, 0]}
            ),
            FloatingPointError,
            ["argument 'parameters' is not finite (degenerate_length) at batch index (1,)"],
        ),
        (
            lambda m: m.forward_dynamics(
                Q, np.zeros((2, 3, 1)), TAU, parameters={"length": [1, 0, 1]}
            ),
            FloatingPointError,
            ["degenerate_length", "(0, 1)"],
        ),
    ],
)
def test_errors_say_what_is_wrong(module: ModuleType, call, error, words):
    with pytest.raises(error) as caught:
        call(module)
    for word in words:
        assert word in str(caught.value)


def test_read_only_out(module: ModuleType):
    out = np.empty(1)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        module.forward_dynamics(Q, U, TAU, out=out)


def test_manifest_and_signatures(module: ModuleType):
    sources = emit(pendulum())
    assert module.manifest == json.loads(sources["pendulum.json"])
    assert module.manifest["metadata"] == {"coordinates": ["hinge"]}
    function = module.manifest["functions"]["forward_dynamics"]
    assert [argument["name"] for argument in function["inputs"]] == ["q", "u", "tau"]
    assert function["inputs"][0]["shape"] == [1] and function["inputs"][0]["units"] == "rad"
    assert function["return_codes"] == ["degenerate_length"]
    signature = inspect.signature(module.forward_dynamics)
    assert list(signature.parameters) == ["q", "u", "tau", "parameters", "out", "threads"]
    assert "angle from hanging [rad]" in module.forward_dynamics.__doc__


def test_threads_agree(module: ModuleType):
    q = np.random.default_rng(0).normal(size=(20_000, 1))
    expected = acceleration(q, U, TAU)
    results: list[np.ndarray] = [np.empty(0)] * 6

    def work(number: int) -> None:
        for _ in range(20):
            results[number] = module.forward_dynamics(q, U, TAU)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(results))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        np.testing.assert_allclose(result, expected, rtol=1e-12)


def test_python_runs_while_c_does(module: ModuleType):
    q, u = np.array([0.1]), np.array([0.0])
    ticks = 0
    thread = threading.Thread(target=module.rk4, args=(q, u, [0.0], 1e-6, 3_000_000))
    thread.start()
    while thread.is_alive():
        ticks += 1
        thread.join(0.001)
    assert ticks > 20


def test_float_model(cache):
    single = load(build(emit(pendulum("single"), "float"), flags=("-O1",), cache_dir=cache))
    result = single.forward_dynamics(Q, U, TAU)
    assert result.dtype == np.float32
    np.testing.assert_allclose(result, acceleration(Q, U, TAU), rtol=1e-5)
    out = np.empty(1, np.float32)
    assert single.forward_dynamics(Q.astype(np.float32), U, TAU, out=out) is out
    np.testing.assert_array_equal(out, result)


def test_two_models_of_one_name_in_one_process(module: ModuleType, cache):
    fixed = load(build(emit(pendulum(tunable=False)), flags=("-O1",), cache_dir=cache))
    np.testing.assert_allclose(fixed.forward_dynamics(Q, U, TAU), acceleration(Q, U, TAU))
    with pytest.raises(TypeError, match="takes no parameters=: the model has none"):
        fixed.forward_dynamics(Q, U, TAU, parameters=None)
    for function in (module.forward_dynamics, module.rk4):
        with pytest.raises(TypeError, match="takes tunable parameters as parameters=, not as p="):
            function(Q, U, TAU, *(() if function is module.forward_dynamics else (0.1, 1)), p=None)
    np.testing.assert_allclose(module.forward_dynamics(Q, U, TAU), acceleration(Q, U, TAU))


def test_no_name_of_the_model_meets_one_of_the_wrapper(cache):
    """Functions and arguments called like whatever the wrapper might use itself."""
    words = "call general coerced parameters integrate run data new values functions failure out p"
    words = [*words.split(), "manifest", "json", "real", "PyObject", "np", "f", "x", "print"]
    g = Graph()
    nodes = [g.symbol(word) for word in words]
    inputs = tuple(Argument(word, (), (node,)) for word, node in zip(words, nodes, strict=True))
    total = nodes[0]
    for node in nodes[1:]:
        total = g.add(g.mul(total, g.constant(2)), node)
    result = (Argument("y", (), (total,)),)
    functions = tuple(Function(word, inputs, result) for word in words)
    names = load(build(emit(Program("names", g, functions)), flags=("-O1",), cache_dir=cache))
    values = np.arange(float(len(words)))
    expected = sum(value * 2.0 ** (len(words) - 1 - max(i, 0)) for i, value in enumerate(values))
    assert names.manifest["name"] == "names"
    for word in words:
        function = getattr(names, names.manifest["functions"][word]["python"])
        assert function(*values) == expected
        assert function(*values[:-1], [1.0, values[-1]]).shape == (2,)
