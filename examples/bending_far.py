"""Flexible bodies compared: rods, beams, finite elements, chains on the same four problems.

    python examples/bending_far.py [folder]

A cantilever of length, stiffness and mass one under a dead load at its tip, P = 1 and P = 10, then
its first frequency at rest and on a hub that turns at 7.5, in the plane of the rotation. The exact
values are those of elliptic integrals and of Ritz's method in forty digits. Draws the shapes of the
rod under rising loads, up to the load where the linear beam answers with more than three times its
own length, and the errors of all bodies. Needs eomc-published: pip install ./published
"""

import sys
from pathlib import Path

import numpy as np

import eomc
from eomc import Model, Point
from eomc.derive.bodies import Beam, Rod
from eomc.derive.finite_elements import Section, Structure
from eomc.derive.finite_elements.modal_reduction import from_structure
from eomc_published.rods.exact import elastica

BUILD = {
    "functions": (
        "inverse_dynamics",
        "linearization",
        "gravity",
        "input_matrix",
        "integrate",
        "normalize",
        "frame_tip_pose",
    ),
    "flags": ("-O0",),  # each is called some hundred times
}
ROTATING = 4.55809946  # the first frequency in the plane at 7.5, by Ritz's method
REST = 3.51601527


def loaded(model):
    """A tip with the input P across."""
    model.input("P")
    model.force("load", Point("tip"), (0, "P", 0))
    return model


def clamped(form, turning=False):
    """A flexible cantilever, on the ground or on a hub whose motion is given."""
    model = Model("cantilever", gravity=(0, 0, 0))
    model.deformable("arm", form)
    if turning:
        model.joint("hub", "revolute", parent="world", child="arm", axis=(0, 0, 1))
        model.prescribed("hub")
    else:
        model.joint("hub", "fixed", parent="world", child="arm")
    model.attachment("tip", body="arm", at="tip")
    return loaded(model)


def elements(stiffening=False):
    """Eight finite elements in four modes: three of the tip, one with the tip held."""
    slender = Section(area=1.0, density=1.0, E=1e6, Iz=1e-6)
    structure = Structure(planar=True)
    structure.node("root", (0, 0))
    structure.node("tip", (1, 0))
    structure.beam("root", "tip", slender, elements=8)
    return from_structure(structure, 1, "root", interfaces=["tip"], stiffening=stiffening)


def rod(functions, points, order=4):
    """A rod by so many functions of its curvature."""
    strains = {"bend_z": functions}
    return Rod(length=1, mass_per_length=1, EI=1, strains=strains, points=points, order=order)


def beam(stiffening=False):
    """Four orthogonal polynomials."""
    return Beam(
        length=1,
        mass_per_length=1,
        EI=1,
        modes=(4, 0),
        shapes="clamped-free polynomials",
        stiffening=stiffening,
    )


def chain(links, turning=False):
    """Rigid links with springs between; the first spring holds half of a link."""
    model = Model("chain", gravity=(0, 0, 0))
    h, parent = 1 / links, "world"
    if turning:
        model.body("root")
        model.joint("hub", "revolute", parent="world", child="root", axis=(0, 0, 1))
        model.prescribed("hub")
        parent = "root"
    for k in range(links):
        name = f"link{k}"
        model.body(name, mass=h, com=(h / 2, 0, 0), inertia=(0, h**3 / 12, h**3 / 12))
        place = (h, 0, 0) if k else (0, 0, 0)
        model.joint(name, "revolute", parent=parent, child=name, axis=(0, 0, 1), placement=place)
        model.joint_spring(f"spring{k}", name, stiffness=links * (1 if k else 2))
        parent = name
    model.body("tip")
    model.joint("tip", "fixed", parent=parent, child="tip", placement=(h, 0, 0))
    return loaded(model)


def measured(make):
    """Relative errors of one body: deflection at P = 1 and 10, frequency at rest and turning."""
    rest = eomc.build(make(False), **BUILD)
    errors, q = [], None
    for load in (0.5, 1.0, 2.0, 4.0, 7.0, 10.0):
        q = eomc.equilibrium(rest, q, inputs={"P": load}).q
        if load in (1.0, 10.0):
            place = np.asarray(rest.frame_tip_pose(q))[:2, 3]
            errors.append(np.linalg.norm(place - elastica(load)[:2]))
    for model, motion, exact in (
        (rest, None, REST),
        (eomc.build(make(True), **BUILD), {"hub": lambda t: (0.0, 7.5, 0.0)}, ROTATING),
    ):
        zeros = np.zeros(model.nu)
        linear = eomc.linearize(model, q=np.zeros(model.nq), u=zeros, a=zeros, prescribed=motion)
        values = linear.modes().eigenvalues
        lowest = values[np.argmin(np.abs(values))]
        # what does not vibrate has no frequency
        errors.append(abs(abs(lowest.imag) / exact - 1))
    return errors


BODIES = {
    "rod, 2 functions": lambda turning: clamped(rod(2, 5), turning),
    "rod, 4 functions": lambda turning: clamped(rod(4, 8), turning),
    "rod, 6 functions": lambda turning: clamped(rod(6, 12, 6), turning),
    "beam, 4 shapes": lambda turning: clamped(beam(), turning),
    "beam, 4 shapes, stiffening": lambda turning: clamped(beam(True), turning),
    "elements, 4 modes": lambda turning: clamped(elements(), turning),
    "elements, 4 modes, stiffening": lambda turning: clamped(elements(True), turning),
    "chain of 8 links": lambda turning: chain(8, turning),
}


def shapes():
    """Loads and lines (n, 2) of the rod, the exact tips beside."""
    model = eomc.build(BODIES["rod, 6 functions"](False), **BUILD)
    bent, q = rod(6, 12, 6), None
    for load in (0.5, 1.0, 2.0, 5.0, 10.0):
        q = eomc.equilibrium(model, q, inputs={"P": load}).q
        yield load, bent.poses(q, list(np.linspace(0, 1, 41)))[:, :2, 3], elastica(load)[:2]


def draw(folder, table):
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
    for load, line, tip in shapes():
        left.plot(*line.T, color="#2b6cb0", lw=2)
        left.plot(*tip, "o", color="#c53030", ms=5)
        left.annotate(f"P = {load:g}", tip, textcoords="offset points", xytext=(8, 2), fontsize=9)
    x = np.linspace(0, 1, 50)
    left.plot(x, x**2 * (3 - x) / 6, "--", color="#718096", lw=1.2, label="linear beam, P = 1")
    left.plot([], [], "o", color="#c53030", label="tip by elliptic integrals")
    left.plot([], [], color="#2b6cb0", lw=2, label="rod of six functions")
    left.set(
        xlabel="x / L",
        ylabel="y / L",
        xlim=(-0.03, 1.2),
        aspect="equal",
        title="A cantilever under a dead load",
    )
    left.set_ylim(-0.04, 1.08)
    left.legend(loc="upper right", fontsize=9)
    problems = ("tip, P = 1", "tip, P = 10", "frequency\nat rest", "frequency\nturning")
    width = 0.8 / len(table)
    for k, (name, errors) in enumerate(table.items()):
        places = np.arange(4) + (k - len(table) / 2 + 0.5) * width
        right.bar(places, np.maximum(errors, 1e-12), width, label=name)
    right.set_yscale("log")
    right.set_xticks(range(4), problems)
    right.set(ylabel="error", title="Four problems", ylim=(1e-12, 1e5))
    right.legend(fontsize=8, ncols=2, loc="upper center")
    figure.savefig(folder / "bending_far.png", dpi=120)


def main():
    table = {name: measured(make) for name, make in BODIES.items()}
    print(f"{'body':30}{'tip, P = 1':>12}{'tip, P = 10':>13}{'at rest':>12}{'turning':>12}")
    for name, errors in table.items():
        print(f"{name:30}" + "".join(f"{error:>12.0e}" for error in errors))
    if len(sys.argv) > 1:
        folder = Path(sys.argv[1])
        folder.mkdir(parents=True, exist_ok=True)
        draw(folder, table)


if __name__ == "__main__":
    main()
