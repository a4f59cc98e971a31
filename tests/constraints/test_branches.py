"""Loops that close in branches of different rank: that of the guess, or the highest, counts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from constraints.singular_mechanisms import AXIS, bar

import eomc
from eomc.derive.formats import write_toml
from eomc.derive.model import ModelError

ARM, SIDE, CRANK = 5.0, 3.0, 1.5


def peaucellier() -> eomc.Model:
    """Arms from O to A and B, a rhombus A C B D, a crank from P to C with |OP| the crank's length.

    Where A and B are apart, D moves on a straight line and one freedom is left; where they fall
    together, the arms and the sides at D turn as they like.
    """
    model = eomc.Model("peaucellier", gravity=(0, -9.81, 0))
    lengths = {"arm_a": ARM, "arm_b": ARM, "ac": SIDE, "bc": SIDE, "ad": SIDE, "bd": SIDE}
    for name, length in (lengths | {"crank": CRANK}).items():
        bar(model, name, length)

    def pin(name: str, parent: str, child: str, x: float, child_x: float = 0.0) -> None:
        model.joint(
            name,
            "revolute",
            parent=parent,
            child=child,
            axis=AXIS,
            placement=(x, 0, 0),
            child_placement=(child_x, 0, 0),
        )

    pin("oa", "world", "arm_a", 0.0)
    pin("ob", "world", "arm_b", 0.0)
    pin("p", "world", "crank", CRANK)
    pin("a1", "arm_a", "ac", ARM)
    pin("a2", "arm_a", "ad", ARM)
    pin("b1", "arm_b", "bc", ARM)
    pin("b2", "arm_b", "bd", ARM)
    pin("c1", "ac", "bc", SIDE, SIDE)
    pin("c2", "crank", "ac", CRANK, SIDE)
    pin("d", "ad", "bd", SIDE, SIDE)
    return model


def apart(crank: float) -> dict[str, float]:
    """The coordinates of the tree where A and B are apart, by plane geometry."""
    angle = crank / 2  # of C, on a circle through O
    reach = 2 * CRANK * np.cos(angle)
    swing = np.arccos((reach**2 + ARM**2 - SIDE**2) / (2 * reach * ARM))
    c = reach * np.exp(1j * angle)
    d = (ARM**2 - SIDE**2) / np.conj(c)  # inversion
    found = {"p": crank}
    for arm, sign in (("a", 1), ("b", -1)):
        turn = angle + sign * swing
        end = ARM * np.exp(1j * turn)
        found[f"o{arm}"] = turn
        found[f"{arm}1"], found[f"{arm}2"] = np.angle(c - end) - turn, np.angle(d - end) - turn
    return found


def together() -> dict[str, float]:
    """Where A and B fall together, D not on C."""
    found = apart(0.6)
    same = {"ob": found["oa"], "b1": found["a1"], "a2": 0.4, "b2": 0.4}
    return found | same


def test_the_highest_rank_counts_and_others_are_told() -> None:
    found = eomc.equations(peaucellier()).redundancy()
    assert (found.rank, found.freedoms) == (6, 1)
    assert found.branches == (5,)
    assert found.report()["other_ranks"] == [5]


def test_guesses_choose_the_branch() -> None:
    model = peaucellier()
    for name, value in together().items():
        model.initial_guess(name, value)
    found = eomc.equations(model).redundancy()
    assert (found.rank, found.freedoms) == (5, 2)
    assert 6 in found.branches
    other = peaucellier()
    for name, value in apart(0.6).items():
        other.initial_guess(name, value)
    assert eomc.equations(other).redundancy().rank == 6


def test_the_point_of_the_linkage_moves_on_a_straight_line() -> None:
    model = eomc.build(peaucellier())
    start = eomc.assemble(model, apart(0.6), {"p": 1.0}, fixed=["p", "speed(p)"])
    assert start.q == pytest.approx([apart(0.6)[name] for name in model.coordinates], abs=1e-12)
    assert len(start.residual) == len(start.closure_names) == 6
    run = eomc.simulate(model, start.q, start.u, t_span=0.3)
    ends = np.array([model.frame("ad").pose(q) @ [SIDE, 0, 0, 1] for q in run.q])
    assert np.ptp(ends[:, 0]) < 1e-9 and np.ptp(ends[:, 1]) > 0.1
    assert np.ptp(run.energy) < 1e-7 * run["kinetic_energy"].max()


def test_a_branch_of_higher_rank_than_the_equations_is_refused() -> None:
    """The equations are those of the collapsed branch: elsewhere a row more holds."""
    model = peaucellier()
    for name, value in together().items():
        model.initial_guess(name, value)
    built = eomc.build(model)
    at = apart(0.6)
    with pytest.raises(eomc.runtime.errors.AssemblyError, match=r"rank 6, not 5.*guesses"):
        eomc.assemble(built, at)
    # What is left out stays open at speeds that the equations allow.
    with pytest.raises(eomc.runtime.errors.AssemblyError, match="keeps the rate"):
        eomc.assemble(built, at, {name: 1.0 / (k + 1) for k, name in enumerate(built.speeds)})
    for formulation in ("multipliers", "stabilized", "independent"):
        with pytest.raises(eomc.runtime.errors.ConstraintError, match="rank 6, not 5"):
            eomc.simulate(built, at, t_span=0.1, formulation=formulation)
    with pytest.raises(eomc.runtime.errors.LinearizationError, match="rank 6, not 5"):
        eomc.linearize(built, q=at)


def test_states_start_from_the_guess() -> None:
    model = peaucellier()
    for name, value in apart(0.6).items():
        model.initial_guess(name, value)
    built = eomc.build(model)
    assert dict(built.initial_guess) == pytest.approx(apart(0.6))
    assert eomc.assemble(built).steps <= 1


def test_a_guess_names_a_coordinate_of_the_tree() -> None:
    model = peaucellier()
    model.initial_guess("c1", 0.1)
    with pytest.raises(ModelError, match=r"guess 'c1'.*no free coordinate"):
        model.validate()


def test_guesses_stand_in_files(tmp_path: Path) -> None:
    model = peaucellier()
    model.parameter("angle", 0.6)
    model.initial_guess("p", "angle / 2")
    write_toml(model, tmp_path / "linkage.toml")
    assert eomc.load(tmp_path / "linkage.toml") == model
