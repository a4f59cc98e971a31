"""Near-rigid control in emitted C, against the law of the runtime, which solves it otherwise.

The strut and its bounds are case 32 of the boards.
"""

import ctypes
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from small_programs.c_library import COMPILERS, Library

import eomc
from eomc.binding.arrays import Array
from eomc.derive.cables import Winch
from eomc.runtime.control import NearRigid
from eomc.systems.tensegrity import single_strut
from eomc_published.tensegrity.single_strut import state

pytestmark = pytest.mark.variants

NEEDS = ("mass_matrix", "bias", "difference", "input_matrix", "element_strains")


def towed() -> eomc.Model:
    """A sledge between two drums, without constraints."""
    model = eomc.Model("towed", gravity=(0, 0, 0))
    model.body("sledge", mass=3)
    model.joint("x", "prismatic", parent="world", child="sledge", axis=(1, 0, 0))
    for k, side in ((1, -1), (2, 1)):
        model.body(f"drum{k}", mass=1, inertia=(0.01, 0.01, 0.01))
        model.joint(
            f"turn{k}",
            "revolute",
            parent="world",
            child=f"drum{k}",
            axis=(0, 1, 0),
            placement=(2 * side, 0, 0),
        )
        drum = Winch(
            eomc.Point("world", (2 * side, 0, 0)),
            radius=0.1,
            sense=-side,
            turn=f"turn{k}",
            axis=(0, 1, 0),
            zero=(-side, 0, 0),
        )
        model.cable(f"rope{k}", [drum, "sledge"], length=1.98, modulus=1e9, area=1e-6)
        model.input(f"m{k}")
        model.generalized_force(f"m{k}", speed=f"turn{k}", expression=f"m{k}")
    return model


class Cycle:
    """The emitted function on flat arrays."""

    def __init__(self, library: Library, model: eomc.CompiledModel) -> None:
        self.run = getattr(library.library, f"{library.prefix}_near_rigid_control")
        self.name = getattr(library.library, f"{library.prefix}_status_name")
        self.name.restype = ctypes.c_char_p
        self.model, self.sizes = model, (len(model.inputs), 0)
        self.strains = len(model.output_names("element_strains"))

    def __call__(
        self,
        q: Array,
        u: Array,
        wanted: Mapping[str, float],
        limits: Any,
        strains: Any,
        kp: float = 0.0,
        kd: float = 0.0,
        q_d: Array | None = None,
        parameters: Mapping[str, float] | None = None,
    ) -> tuple[str, Array, Array]:
        speeds, values = self.model.speeds, {**self.model.parameters, **(parameters or {})}
        a = np.array([wanted.get(name, 0.0) for name in speeds])
        controlled = np.array([name in wanted for name in speeds], dtype=np.int32)
        bounds = [np.broadcast_to(np.asarray(end, float), len(self.model.inputs)) for end in limits]
        bounds += [np.broadcast_to(np.asarray(end, float), self.strains) for end in strains]
        outputs = np.full(len(self.model.inputs), np.nan), np.full(self.strains, np.nan)
        gains = np.full(len(u), kp), np.full(len(u), kd)
        arrays = [q, u, *([list(values.values())] if values else [])]
        arrays += [q if q_d is None else q_d, 0 * u, a, *gains, controlled, *bounds]
        kept = [np.ascontiguousarray(x, getattr(x, "dtype", float)) for x in (*arrays, *outputs)]
        status = self.run(*(ctypes.c_void_p(x.ctypes.data) for x in kept))
        return self.name(status).decode(), kept[-2], kept[-1]


def cycle(
    model: eomc.Model, make: Callable[..., Library], **options: Any
) -> tuple[Cycle, eomc.CompiledModel]:
    built = eomc.build(model, tunable="all")
    constrained = ("constraint_jacobian", "constraint_bias") if built.is_constrained else ()
    program = eomc.equations(model).program(functions=[*NEEDS, *constrained], tunable="all")
    return Cycle(make(program, **options), built), built


def test_without_constraints(c_library: Callable[..., Library]) -> None:
    control, sledge = cycle(towed(), c_library)
    law = NearRigid(sledge, {"x": lambda t: (0, 0, 2.0)}, (0.01, np.inf))
    q, none = np.zeros(3), np.zeros(2)
    for _ in range(8):  # Newton's method to strains of 0.012 by the turns of the drums
        strain, slopes, *_ = (np.asarray(x) for x in sledge.element_strains(q, 0 * q, none))
        q += np.linalg.pinv(slopes * (np.array(sledge.speeds) != "x")) @ (0.012 - strain)
    told, forces, changes = control(q, 0 * q, {"x": 2.0}, (-np.inf, np.inf), (0.01, np.inf))
    expected = law.solve(0.0, q, 0 * q)
    assert told == "OK"
    assert forces == pytest.approx(expected.forces, rel=1e-9)
    # The cable that pays out has the least strain; the other pulls by as much more as 3 kg at
    # 2 m/s^2 take, both along tangents of the drums.
    final = strain + changes
    assert final[0] == pytest.approx(0.01, rel=1e-9)
    along = np.sqrt(1 - (0.1 / 2) ** 2)
    assert 1e3 * (final[1] - final[0]) * along == pytest.approx(3 * 2.0, rel=1e-9)


@pytest.mark.slow
def test_bounds_are_met_to_the_rounding_of_what_cancels() -> None:
    """Where strains are large an input that was brought to its bound passed it again."""
    report = eomc.verify(single_strut(), states=4, quick=True, checks=["near-rigid control"])
    (outcome,) = report.outcomes
    assert report.ok and sum(c.what == "bounds" for c in outcome.comparisons) > 8


@pytest.mark.slow
def test_refusals(c_library: Callable[..., Library]) -> None:
    control, strut = cycle(single_strut(), c_library)
    named = state(np.array([0.2, 0.1, 0.01, 0.01, 0.01]), np.zeros(5))
    q, u = (np.array([values[n] for n in strut.coordinates]) for values in named)
    free = (-np.inf, np.inf)
    every = dict.fromkeys(strut.speeds, 0.0)
    assert control(q, u, every, free, free)[0] == "motion_out_of_reach"
    at_once = {"phi": 0.0, "psi": 0.0, "theta1": 1.0}
    assert control(q, u, at_once, free, free)[0] == "motion_out_of_reach"
    assert control(q, u, {"phi": 0.0, "psi": 0.0}, (0, 1e-3), (0.01, 0.1))[0] == (
        "bounds_out_of_reach"
    )


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("real", ["double", "float"])
def test_it_compiles_without_warnings(
    c_library: Callable[..., Library], real: str, compiler: str
) -> None:
    cycle(towed(), c_library, real=real, compiler=compiler)
