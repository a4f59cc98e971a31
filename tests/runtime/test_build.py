"""From a model to a compiled one: what build accepts, when it compiles, what the hook adds."""

import pickle
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from small_models.mechanisms import double_pendulum, pendulum

import eomc
from eomc.codegen import BuildError, EmissionError
from eomc.runtime import load as load_compiled
from eomc.runtime.errors import LoadError

PENDULUM_FILE = Path(__file__).parents[2] / "examples" / "models" / "pendulum.toml"


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any attempt to run a compiler fails."""

    def refuse(*arguments: object, **options: object) -> None:
        raise AssertionError(f"a compiler was started: {arguments}")

    # By import_module: the package's attribute of this name is the function.
    monkeypatch.setattr(import_module("eomc.codegen.build"), "compile_library", refuse)


def test_a_second_build_compiles_nothing(swing: eomc.CompiledModel, no_compiler: None) -> None:
    again = eomc.build(pendulum())
    assert again._modules[0].__file__ == swing._modules[0].__file__
    assert again.forward_dynamics([0.0], [0.0], [1.5 * 0.5**2]) == [1.0]


def test_a_path_a_model_and_equations_give_the_same_module() -> None:
    model = eomc.load(PENDULUM_FILE)
    libraries = {
        eomc.build(source).library
        for source in (PENDULUM_FILE, str(PENDULUM_FILE), model, eomc.equations(model))
    }
    assert len(libraries) == 1


def test_other_systems_with_a_program_build() -> None:
    class Wrapped:
        """Anything with a method ``program``."""

        def program(self, functions: object = None, tunable: object = None) -> object:
            return eomc.equations(pendulum()).program(functions, tunable=tunable)  # type: ignore[arg-type]

    built = eomc.build(Wrapped(), functions=["mass_matrix"], tunable="all")
    assert built.functions == ("mass_matrix",)
    assert set(built.parameters) == {"m", "l"}
    # The hook asks for more in the same way, parameters included.
    assert built.gravity([np.pi / 2], parameters={"m": 2.0, "l": 1.0}) == pytest.approx(
        [2.0 * 9.81]
    )


def test_a_program_builds_as_it_is() -> None:
    program = eomc.equations(pendulum()).program(["bias"], tunable=())
    built = eomc.build(program)
    assert built.functions == ("bias",)
    with pytest.raises(AttributeError, match="gravity"):
        built.gravity([0.0])
    with pytest.raises(eomc.ModelError, match="functions"):
        eomc.build(program, functions=["gravity"])


def test_core_functions_are_builtins_bound_to_the_model(swing: eomc.CompiledModel) -> None:
    # Nothing is prescribed, driven or constrained here.
    core = [name for name in eomc.CORE if name in swing.available_functions]
    assert {"forward_dynamics", "mass_matrix", "integrate"} < set(core)
    for name in core:
        compiled = swing.function(name)
        assert vars(swing)[name] is compiled
        assert type(vars(swing)[name]).__name__ == "builtin_function_or_method"


def test_functions_are_compiled_when_first_used(tmp_path: Path) -> None:
    built = eomc.build(double_pendulum(), functions=["mass_matrix"], cache_dir=tmp_path)
    assert built.functions == ("mass_matrix",)
    q, u, a = np.array([0.3, -0.4]), np.array([1.0, 2.0]), np.array([-1.0, 0.5])
    tau = built.inverse_dynamics(q, u, a)
    assert "inverse_dynamics" in built.functions
    assert tau == pytest.approx(built.mass_matrix(q) @ a + built.bias(q, u), rel=1e-12)
    names = set(built.functions)
    built.inverse_dynamics(q, u, a)
    assert set(built.functions) == names


def test_a_build_compiles_what_a_run_needs(tmp_path: Path) -> None:
    """The file that is asked for, and a copy for another process, hold all usual functions."""
    declared = double_pendulum()
    built = eomc.build(declared, cache_dir=tmp_path)
    needed = {"coordinate_rates", "forward_dynamics", "normalize"}
    assert set(built.functions) == needed
    usual = {
        *eomc.equations(declared).default_functions(),
        *eomc.equations(declared).frame_functions(),
    }
    assert needed < usual
    copied = pickle.loads(pickle.dumps(built))
    assert set(copied.functions) == usual == set(built.functions)
    again = eomc.build(declared, cache_dir=tmp_path)
    whole = load_compiled(again.library)
    assert set(whole.functions) == usual
    state = np.array([[0.3, -0.4], [1.0, 2.0]])
    for model in (built, copied, whole, eomc.build(declared, cache_dir=tmp_path, at_once=True)):
        assert model.kinetic_energy(*state) == again.kinetic_energy(*state) > 0


def test_what_compiles_long_tells_how_far_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of several files when it is done, on the sign that turns on terminals."""
    said: list[str] = []

    @contextmanager
    def sign(text: str) -> Iterator[Callable[[str], None]]:
        said.append(text)
        yield said.append

    monkeypatch.setattr("eomc.building.compilation.spinner", sign)
    eomc.build(double_pendulum(), file_limit=40, cache_dir=tmp_path)
    assert said[0] == "building chain" and len(said) > 3
    count = len(said) - 1
    # Files are compiled side by side: what two of them say may be exchanged.
    for done, text in enumerate(sorted(said[1:]), start=1):
        assert text.startswith(f"building chain: {done} of {count} files compiled, the last chain")


def test_the_derivatives_come_by_the_hook_and_agree_with_differences(
    chain: eomc.CompiledModel,
) -> None:
    rng = np.random.default_rng(1)
    q, u, tau = rng.normal(size=(3, 2))
    da_dq, da_du, da_dtau = chain.forward_dynamics_derivatives(q, u, tau)
    step = 1e-6 * np.eye(2)
    rows = [
        (da_dq, lambda d: chain.forward_dynamics(q + d, u, tau)),
        (da_du, lambda d: chain.forward_dynamics(q, u + d, tau)),
        (da_dtau, lambda d: chain.forward_dynamics(q, u, tau + d)),
    ]
    for matrix, function in rows:
        difference = np.stack([(function(d) - function(-d)) / 2e-6 for d in step], axis=1)
        assert matrix == pytest.approx(difference, rel=1e-6, abs=1e-6)


def test_frames_of_bodies_are_compiled_when_first_asked_for(chain: eomc.CompiledModel) -> None:
    upper = chain.frame("upper")
    q, u, a = np.array([0.3, 0.1]), np.array([1.0, -2.0]), np.array([0.5, 0.4])
    assert upper.pose(q)[:3, :3] @ upper.pose(q)[:3, :3].T == pytest.approx(np.eye(3))
    assert upper.velocity(q, u) == pytest.approx(upper.jacobian(q) @ u)
    acceleration = upper.jacobian(q) @ a + upper.jacobian_rate(q, u) @ u
    assert upper.acceleration(q, u, a) == pytest.approx(acceleration)
    assert chain.frame("upper") is upper


def test_unknown_names_list_near_ones(chain: eomc.CompiledModel) -> None:
    with pytest.raises(AttributeError, match="did you mean 'mass_matrix'"):
        chain.mass_matrx([0.0, 0.0])
    with pytest.raises(AttributeError, match=r"has no rk4_rollouts; build it with lanes= or"):
        chain.rk4_rollouts([[0.1]], [[0.0]], [0.0], 0.01, 10)
    with pytest.raises(KeyError, match="did you mean 'lower'") as caught:
        chain.frame("lowr")
    assert not str(caught.value).startswith('"')


def test_a_loaded_model_says_how_to_build_what_it_lacks(tmp_path: Path) -> None:
    built = eomc.build(double_pendulum(), functions=["mass_matrix"], cache_dir=tmp_path)
    for place in (built.library, str(built.library), built.library.parent):
        loaded = load_compiled(place)
        assert loaded.mass_matrix([0.1, 0.2]) == pytest.approx(built.mass_matrix([0.1, 0.2]))
        with pytest.raises(AttributeError, match=r"eomc\.build\(model, functions=.*'gravity'"):
            loaded.gravity([0.0, 0.0])
        with pytest.raises(KeyError, match=r"eomc\.build\(model, frames=\['tip'"):
            loaded.frame("tip")
        assert not hasattr(loaded, "gravity")


def test_a_pickled_model_is_the_same_files(chain: eomc.CompiledModel) -> None:
    chain.frame("upper")
    copy = pickle.loads(pickle.dumps(chain))
    assert copy.functions == chain.functions
    q = np.array([0.2, 0.3])
    assert np.array_equal(copy.frame("upper").pose(q), chain.frame("upper").pose(q))


def test_a_module_in_single_precision() -> None:
    built = eomc.build(pendulum(), real="float")
    assert built.gravity([0.5]).dtype == np.float32
    assert built.gravity([0.5]) == pytest.approx([1.5 * 9.81 * 0.5 * np.sin(0.5)], rel=1e-6)


def test_emit_writes_a_folder_that_compiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = eomc.emit(pendulum(), functions=["forward_dynamics"])
    assert folder == Path("generated/swing")
    names = {path.name for path in folder.iterdir()}
    assert names == {"swing.h", "swing.c", "swing.json", "CMakeLists.txt"}
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion"]
    subprocess.run(["cc", *strict, "-c", "swing.c"], cwd=folder, check=True)
    named = eomc.emit(pendulum(), tmp_path / "other", functions=["bias"], name="b")
    assert (named / "b.h").is_file()


@pytest.mark.parametrize("wrong", [None, 3, {"bodies": []}, object()])
def test_what_is_no_model_is_refused(wrong: object) -> None:
    with pytest.raises(eomc.ModelError, match="give a Model"):
        eomc.build(wrong)


def test_wrong_choices_are_named(tmp_path: Path) -> None:
    with pytest.raises(eomc.ModelError, match="did you mean 'gravity'"):
        eomc.build(pendulum(), functions=["gravty"])
    with pytest.raises(eomc.ModelError, match="no frame or body 'bop'"):
        eomc.build(pendulum(), frames=["bop"])
    with pytest.raises(eomc.ModelError, match="no parameter 'k'"):
        eomc.build(pendulum(), tunable=["k"])
    with pytest.raises(EmissionError, match="double, float"):
        eomc.build(pendulum(), real="half")  # type: ignore[arg-type]
    with pytest.raises(BuildError, match="no-such-compiler"):
        eomc.build(pendulum(), compiler="no-such-compiler", cache_dir=tmp_path)
    assert not any(tmp_path.iterdir())
    with pytest.raises(eomc.ModelError, match="nothing moves"):
        model = eomc.Model("wall")
        model.body("b", mass=1)
        model.joint("j", "fixed", parent="world", child="b")
        eomc.build(model)


def test_what_is_no_compiled_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="does not exist"):
        load_compiled(tmp_path / "nothing")
    with pytest.raises(LoadError, match="holds no compiled model"):
        load_compiled(tmp_path)
    text = tmp_path / "model.toml"
    text.write_text("name = 'x'")
    with pytest.raises(LoadError, match="is no compiled model"):
        load_compiled(text)
    foreign = tmp_path / "m_module.cpython-27-other.so"
    foreign.write_bytes(b"")
    with pytest.raises(LoadError, match="another Python"):
        load_compiled(foreign)
    broken = tmp_path / "m_module.so"
    broken.write_bytes(b"not a library")
    with pytest.raises(LoadError, match="is no shared library"):
        load_compiled(broken)
