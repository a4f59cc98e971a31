"""Free-flyers as models and as the literature's formulation."""

from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import eomc
from eomc.derive.formats.toml_writer import write_toml
from eomc.derive.graph import operation_count
from eomc.derive.model import ModelError
from eomc.systems import free_flyer
from eomc.systems.free_flyer import PLANAR, SPATIAL, FreeFlyer, tree_model
from eomc_published.moosavian.formulation import FreeFlyerFormulation
from eomc_published.moosavian.states import euler_rates_matrix, parameter_coordinates, quasi_speeds

ATTITUDES = ("euler_angles", "quasi_coordinates", "euler_parameters")


def _operations_of_h_and_c(attitude: free_flyer.Attitude) -> int:
    system = eomc.equations(free_flyer.spatial(attitude)).system(())
    outputs = [*system.mass.values(), *system.bias.free]
    return sum(operation_count(system.graph, [entry.node for entry in outputs]).values())


@pytest.mark.parametrize("attitude", ATTITUDES)
def test_operations_of_the_spatial_system(attitude: free_flyer.Attitude) -> None:
    # The requirement; plain SymPy with cse takes 6 472.
    assert _operations_of_h_and_c(attitude) <= 3000


@pytest.mark.parametrize("attitude", ATTITUDES)
def test_degrees_of_freedom(attitude: free_flyer.Attitude) -> None:
    model = free_flyer.spatial(attitude)
    model.validate()
    assert len(model.speeds) == SPATIAL.degrees_of_freedom == 14
    assert len(model.coordinates) == (14 if attitude == "euler_angles" else 15)
    assert len(free_flyer.planar().speeds) == PLANAR.degrees_of_freedom == 8


def test_every_number_of_the_tables_is_a_parameter() -> None:
    model = free_flyer.spatial()
    assert model.parameters["m_0"].value == 300.0
    assert model.parameters["I_1_2_yy"].value == 0.51
    assert model.parameters["r0_3_z"].value == -0.4
    assert set(model.parameters) == set(SPATIAL.quantities())


def test_parameters_may_stay_tunable() -> None:
    equations = eomc.equations(free_flyer.planar())
    program = equations.program(functions=["mass_matrix"], tunable="all")
    assert {parameter.name for parameter in program.parameters} == set(PLANAR.quantities())
    heavier = equations.mass_matrix.evaluate(q=np.zeros(8), values={"m_0": 60.0})
    assert heavier[0, 0] == pytest.approx(79.0)


@pytest.mark.parametrize("attitude", ATTITUDES)
def test_model_survives_its_file(attitude: free_flyer.Attitude, tmp_path: Path) -> None:
    model = free_flyer.spatial(attitude, thrusters=True)
    write_toml(model, tmp_path / "free_flyer.toml")
    assert eomc.load(tmp_path / "free_flyer.toml") == model


@pytest.mark.parametrize("form", ["euler_angles", "quasi_coordinates"])
def test_planar_forms_agree(form: str) -> None:
    rng = np.random.default_rng(2)
    q, u = rng.uniform(-1, 1, (2, 8))
    formulation = FreeFlyerFormulation(PLANAR, form)  # type: ignore[arg-type]
    equations = eomc.equations(free_flyer.planar())
    mass = formulation.quantity("mass_matrix").evaluate(q=q)
    bias = formulation.quantity("bias").evaluate(q=q, u=u)
    assert np.allclose(mass, equations.mass_matrix.evaluate(q=q), rtol=0, atol=1e-12)
    assert np.allclose(bias, equations.bias.evaluate(q=q, u=u), rtol=0, atol=1e-12)


def test_compiled_formulation_moves_as_the_compiled_tree() -> None:
    rng = np.random.default_rng(3)
    q, u = rng.uniform(-1, 1, (2, 8))
    tau = rng.uniform(-1, 1, 8)
    functions = ["forward_dynamics", "coordinate_rates", "momenta"]
    formulation = eomc.build(FreeFlyerFormulation(PLANAR), functions=functions)
    model = eomc.build(free_flyer.planar(), functions=["forward_dynamics"])
    a = model.forward_dynamics(q, u, tau)
    assert np.allclose(formulation.forward_dynamics(q, u, tau), a, rtol=0, atol=1e-11)
    assert np.allclose(formulation.coordinate_rates(q, u), u)
    linear, angular = formulation.momenta(q, u)
    assert linear[2] == angular[0] == angular[1] == 0.0


def test_symbolic_formulation_has_the_models_parameters() -> None:
    formulation = FreeFlyerFormulation(PLANAR, symbolic=True)
    program = formulation.program(functions="mass_matrix")
    assert {parameter.name for parameter in program.parameters} == set(PLANAR.quantities())
    numeric = FreeFlyerFormulation(PLANAR).quantity("mass_matrix")
    q = np.linspace(-1, 1, 8)
    assert np.allclose(formulation.quantity("mass_matrix").evaluate(q=q), numeric.evaluate(q=q))


def test_wrong_words_are_named() -> None:
    with pytest.raises(ModelError, match="attitude is 'euler'; valid: 'euler_angles'"):
        free_flyer.spatial("euler")  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="form is 'newton'; valid"):
        FreeFlyerFormulation(SPATIAL, "newton")  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="path is 'long'; valid"):
        FreeFlyerFormulation(SPATIAL, path="long")  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="no Euler parameters"):
        FreeFlyerFormulation(PLANAR, "euler_parameters")
    with pytest.raises(ModelError, match=r"no function 'mass'; .*mass_matrix"):
        FreeFlyerFormulation(PLANAR).quantity("mass")


def test_a_base_alone_is_a_rigid_body() -> None:
    body = FreeFlyer("body", 2.0, (0.1, 0.2, 0.25), ())
    mass = eomc.equations(tree_model(body)).mass_matrix.evaluate(q=[0, 0, 0, 1, 0, 0, 0])
    assert np.allclose(mass, np.diag([2, 2, 2, 0.1, 0.2, 0.25]))


@pytest.mark.parametrize("name", ["spatial", "planar"])
def test_model_files_are_the_models(name: str) -> None:
    file = Path(__file__).parents[2] / "examples" / "models" / f"{name}_free_flyer.toml"
    assert eomc.load(file) == getattr(free_flyer, name)()


@pytest.mark.parametrize("form", ATTITUDES)
def test_actuators_do_the_same_work_in_every_form(form: free_flyer.Attitude) -> None:
    rng = np.random.default_rng(5)
    angles, joints = rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 8)
    rates, wrench = rng.uniform(-1, 1, (2, 14))
    q = np.concatenate([rng.uniform(-1, 1, 3), angles, joints])
    u = rates
    if form != "euler_angles":
        u = quasi_speeds(q, rates)
    if form == "euler_parameters":
        q = parameter_coordinates(q)
    force_map = (
        FreeFlyerFormulation(SPATIAL, form).quantity("generalized_force_matrix").evaluate(q=q)
    )
    # Power of force and torque in base axes, and of the motors.
    alpha, beta, gamma = angles
    axes = Rotation.from_euler("ZYX", [gamma, beta, alpha]).as_matrix()
    velocity = axes.T @ rates[:3]
    omega = euler_rates_matrix(angles) @ rates[3:6]
    power = wrench @ np.concatenate([velocity, omega, rates[6:]])
    assert u @ force_map @ wrench == pytest.approx(power, abs=1e-12)


@pytest.mark.parametrize("path", ["direct", "barycentric"])
def test_momenta_are_those_of_the_tree(path: Literal["direct", "barycentric"]) -> None:
    rng = np.random.default_rng(6)
    q, u = rng.uniform(-1, 1, (2, 14))
    tree = eomc.equations(free_flyer.spatial("euler_angles"))
    q_tree, u_tree = (free_flyer.to_tree(SPATIAL, x) for x in (q, u))
    momentum, center = tree.momentum.evaluate(q_tree, u_tree), tree.center_of_mass.evaluate(q_tree)
    if path == "barycentric":
        # The same motion, told from the system's centre of mass.
        q[:3], u[:3] = center, momentum[:3] / SPATIAL.total_mass
    formulation = FreeFlyerFormulation(SPATIAL, path=path)
    linear = formulation.quantity("momenta").evaluate(q=q, u=u)
    assert np.allclose(linear, momentum[:3], rtol=0, atol=1e-11)
    angular = formulation.quantity("momenta", 1).evaluate(q=q, u=u)
    about_center = momentum[3:] - np.cross(center, momentum[:3])
    assert np.allclose(angular, about_center, rtol=0, atol=1e-11)
    found = formulation.quantity("center_of_mass").evaluate(q=q)
    assert np.allclose(found, center, rtol=0, atol=1e-12)
