"""Cases of the derivative tables: 24 to 29."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

import eomc
from eomc.binding.arrays import Array
from eomc_published.case import Case, CaseCheck, at_most, holds
from eomc_published.trom.cartesian import CartesianSpring, linearized, motion, residual
from eomc_published.trom.cartesian import derivatives as by
from eomc_published.trom.cartesian.constraints import EQUATIONS, JACOBIANS, CutSide
from eomc_published.trom.cartesian.forces import point_forces, point_forces_by
from eomc_published.trom.cartesian.forces import point_forces_by_rate as by_rate
from eomc_published.trom.cartesian.kinematics import (
    CartesianMotion,
    cross_matrix,
    parameters,
    rotation_derivative,
    rotation_of_parameters,
)
from eomc_published.trom.compiled_tables import (
    CompiledChain,
    beyond,
    compiled_chain,
    cut_rows,
    turning,
)
from eomc_published.trom.random_chain import KINDS, RandomChain, as_model, random_chain

SEEDS = 20
_FEW = 6
_BUILT = 3
_H = 1e-30


def complex_steps(chain: RandomChain) -> tuple[Array, Array, Array]:
    """(M, C, K): derivatives of the Cartesian residual by complex steps."""
    found = []
    for which in (2, 1, 0):
        columns = []
        for k in range(len(chain.q)):
            state = [np.array(x, complex) for x in (chain.q, chain.rates, chain.accelerations)]
            state[which][k] += 1j * _H
            q, rates, accelerations = state
            value = residual(chain.bodies, chain.springs, q, rates, accelerations)
            columns.append(value.imag / _H)
        found.append(np.array(columns).T)
    return found[0], found[1], found[2]


def _relative(got: Array, wanted: Array) -> float:
    scale = float(np.abs(wanted).max()) or 1.0
    return float(np.abs(got - wanted).max()) / scale


def _random_chains() -> Iterator[CaseCheck]:
    worst = {"M": 0.0, "C": 0.0, "K": 0.0}
    tables = dict(worst)
    for seed in range(SEEDS):
        chain = random_chain(seed)
        exact = complex_steps(chain)
        equations = eomc.equations(as_model(chain, seed))
        # The declared order of the tree's coordinates is that of the bodies but for branches.
        order = [equations.speeds.index(name) for name in _declared_order(equations.speeds)]
        state = {"q": chain.q, "u": chain.rates, "a": chain.accelerations}
        placed = {name: np.empty_like(value) for name, value in state.items()}
        for name, value in state.items():
            placed[name][order] = value
        found = [
            part.evaluate(**placed)[np.ix_(order, order)] for part in equations.linearization[:3]
        ]
        own = linearized(chain.bodies, chain.springs, chain.q, chain.rates, chain.accelerations)
        for name, wanted, got, table in zip(
            worst, exact, found, (own.mass, own.damping, own.stiffness), strict=True
        ):
            worst[name] = max(worst[name], _relative(got, wanted))
            tables[name] = max(tables[name], _relative(table, wanted))
    for name in worst:
        yield at_most(f"{name}_l of the model, {SEEDS} chains, relative", worst[name], 1e-10)
        yield at_most(f"{name}_l by the tables, relative", tables[name], 1e-10)


def _declared_order(speeds: tuple[str, ...]) -> list[str]:
    """Names of the speeds in the order of the bodies."""
    return [
        name
        for i in range(len(KINDS))
        for name in speeds
        if name == f"j{i}" or name.startswith(f"j{i}_")
    ]


def _moved(chain: RandomChain, k: int) -> CartesianMotion:
    q = np.array(chain.q, complex)
    q[k] += 1j * _H
    return motion(chain.bodies, q, chain.rates)


def _rates_of_b() -> Iterator[CaseCheck]:
    along, swapped = 0.0, 0.0
    for seed in range(SEEDS):
        chain = random_chain(seed)
        m = motion(chain.bodies, chain.q, chain.rates)
        step = motion(chain.bodies, chain.q + 1j * _H * chain.rates, chain.rates)
        along = max(along, _relative(m.B_rate, step.B.imag / _H))
        for k in range(m.size):
            rates = np.array(chain.rates, complex)
            rates[k] += 1j * _H
            slope = motion(chain.bodies, chain.q, rates).B_rate.imag / _H
            swapped = max(swapped, _relative(slope, by.B_by(m, k)))
    yield at_most("B' - directional derivative of B, relative", along, 1e-12)
    yield at_most("dB'/dq'_k - dB/dq_k, relative", swapped, 1e-12)
    own, m = _compiled()
    yield at_most("compiled B - table 2.2, relative", _relative(own.B(), m.B), 1e-12)
    rate = own.B_rate(own.chain.rates)
    yield at_most("compiled B' - table 2.3, relative", _relative(rate, m.B_rate), 1e-12)


def _compiled() -> tuple[CompiledChain, CartesianMotion]:
    own = compiled_chain()
    return own, motion(own.chain.bodies, own.chain.q, own.chain.rates)


def _blocks() -> Iterator[CaseCheck]:
    worst = dict.fromkeys(("du", "dd", "dB", "du'", "dd'", "dB'", "domega", "dJ", "dh"), 0.0)
    chain = random_chain(3)
    m = motion(chain.bodies, chain.q, chain.rates)

    def note(name: str, got: Array, wanted: Array) -> None:
        worst[name] = max(worst[name], float(np.abs(got - wanted).max()))

    for k in range(m.size):
        step = _moved(chain, k)
        for j in range(m.size):
            note("du", by.u_by(m, j, k), step.u[j].imag / _H)
            note("du'", by.u_rate_by(m, j, k), step.u_rate[j].imag / _H)
        for i, path in enumerate(m.path):
            note("domega", by.omega_by(m, i, k), step.omega[i].imag / _H)
            note("dJ", by.inertia_by(m, i, k), step.inertia(i).imag / _H)
            for j in path:
                note("dB", by.block_by(m, i, j, k), step.block(i, j).imag / _H)
                if m.kinds[j] == "turn":
                    note("dd", by.d_by(m, j, i, k), step.d(j, i).imag / _H)
                    note("dd'", by.d_rate_by(m, j, i, k), step.d_rate(j, i).imag / _H)
        note("dB'", by.B_rate_by(m, k), step.B_rate.imag / _H)
        note("dh", by.h_by(m, k), step.h.imag / _H)
    for name, error in worst.items():
        yield at_most(f"{name} by the tables - complex step", error, 1e-12)
    own, m = _compiled()
    columns = [own.B_rate(unit) - by.B_by(m, k) for k, unit in enumerate(np.eye(m.size))]
    yield at_most("compiled dB/dq_k - tables", float(np.abs(columns).max()), 1e-12)
    yield from _compiled_linearization(own)
    kinds = ", ".join(KINDS)
    yield holds("joints", "all kinds", kinds, len(set(KINDS)) == 6)


def _compiled_linearization(own: CompiledChain) -> Iterator[CaseCheck]:
    """All tables put together, (3.10) and chapter 5, against the compiled derivatives."""
    chain = own.chain
    table = linearized(chain.bodies, chain.springs, chain.q, chain.rates, chain.accelerations)
    wanted = (table.mass, table.damping, table.stiffness)
    for name, got, expected in zip("MCK", own.derivatives(), wanted, strict=True):
        yield at_most(f"compiled {name}_l - tables, relative", _relative(got, expected), 1e-12)


def _sides(rng: np.random.Generator) -> tuple[CutSide, CutSide]:
    def side() -> CutSide:
        v = rng.normal(size=3)
        triad = rotation_of_parameters(parameters(v / np.linalg.norm(v), rng.normal()))
        return CutSide(rng.normal(size=3), rng.normal(size=3), triad)

    return side(), side()


def _displaced(side: CutSide, step: Array) -> CutSide:
    """The body moved by (dr, dtheta): to first order r + dr, s + dtheta x s."""
    turn = np.eye(3) + cross_matrix(step[3:])
    return CutSide(side.r + step[:3], turn @ side.s, turn @ side.triad)


def _cut_joints() -> Iterator[CaseCheck]:
    rng = np.random.default_rng(11)
    for kind, equations in EQUATIONS.items():
        i, j = _sides(rng)
        columns = []
        for k in range(12):
            step = np.zeros(12, complex)
            step[k] = 1j * _H
            columns.append(equations(_displaced(i, step[:6]), _displaced(j, step[6:])).imag / _H)
        error = float(np.abs(np.array(columns).T - JACOBIANS[kind](i, j)).max())
        yield at_most(f"{kind}: rows - complex step", error, 1e-12)
        rows, side, other = cut_rows(kind)
        apart = beyond(rows, JACOBIANS[kind](side, other))
        yield at_most(f"{kind}: compiled rows outside the table's row space", apart, 1e-12)
    # Where the cut is closed: the axes parallel, the points on one line.
    i, _ = _sides(rng)
    j = CutSide(i.place - 0.7 * i.triad[:, 0] - i.s, i.s, i.triad)
    rows = JACOBIANS["translational"](i, j)
    rank = int(np.linalg.matrix_rank(rows))
    yield holds("translational: rank", "5", str(rank), rank == 5)
    printed = rows.copy()
    turn = np.cross(i.triad[:, 1], j.triad[:, 0])
    printed[-1] = np.concatenate([np.zeros(3), turn, np.zeros(3), -turn])
    lost = int(np.linalg.matrix_rank(printed))
    yield holds("with the printed last row", "4", str(lost), lost == 4)


def _springs() -> Iterator[CaseCheck]:
    worst = dict.fromkeys(("df/dq", "df/dq'", "df/dq at rest"), 0.0)
    for seed in range(_FEW):
        chain = random_chain(seed)
        for spring in chain.springs:
            if isinstance(spring, CartesianSpring):
                for name, error in _spring_errors(chain, spring).items():
                    worst[name] = max(worst[name], error)
    for name, error in worst.items():
        yield at_most(f"{name} of springs between points, relative", error, 1e-10)
    yield at_most("rotational spring, whole residual, relative", _rotational(), 1e-10)
    # Shares of all springs and dampers in the compiled model: with them, less without.
    shares = zip(compiled_chain().derivatives(), compiled_chain(False).derivatives(), strict=True)
    chain = compiled_chain().chain
    steps = zip(complex_steps(chain), complex_steps(replace(chain, springs=())), strict=True)
    got, wanted = ([full - bare for full, bare in each][1:] for each in (shares, steps))
    for name, share, expected in zip("CK", got, wanted, strict=True):
        error = _relative(share, expected)
        yield at_most(f"compiled share of the springs in {name}_l, relative", error, 1e-10)


def _spring_errors(chain: RandomChain, spring: CartesianSpring) -> dict[str, float]:
    m = motion(chain.bodies, chain.q, chain.rates)
    still = motion(chain.bodies, chain.q, 0 * chain.rates)
    unit = 1j * _H * np.eye(m.size)

    def steps(move: Callable[[Array], CartesianMotion]) -> Array:
        return np.array([point_forces(move(e), spring).imag / _H for e in unit])

    pairs = {
        "df/dq": (
            [point_forces_by(m, spring, k) for k in range(m.size)],
            steps(lambda e: motion(chain.bodies, chain.q + e, chain.rates)),
        ),
        "df/dq'": (
            [by_rate(m, spring, k) for k in range(m.size)],
            steps(lambda e: motion(chain.bodies, chain.q, chain.rates + e)),
        ),
        "df/dq at rest": (
            [point_forces_by(still, spring, k) for k in range(m.size)],
            steps(lambda e: motion(chain.bodies, chain.q + e, 0 * chain.rates)),
        ),
    }
    return {name: _relative(np.array(got), wanted) for name, (got, wanted) in pairs.items()}


def _rotational() -> float:
    """The rotational spring's share of K and C: the difference with and without it."""
    worst = 0.0
    for seed in range(_FEW):
        chain = random_chain(seed)
        alone = RandomChain(
            chain.bodies, chain.springs[2:], chain.q, chain.rates, chain.accelerations
        )
        own = linearized(alone.bodies, alone.springs, alone.q, alone.rates, alone.accelerations)
        _, damping, stiffness = complex_steps(alone)
        worst = max(worst, _relative(own.damping, damping), _relative(own.stiffness, stiffness))
    return worst


def _rotation() -> Iterator[CaseCheck]:
    rng = np.random.default_rng(5)
    worst, product, compiled = 0.0, 0.0, 0.0
    for k in range(SEEDS):
        v = rng.normal(size=3)
        u, angle = v / np.linalg.norm(v), float(rng.normal())
        printed = rotation_derivative(u, angle)
        step = rotation_of_parameters(parameters(u, angle + 1j * _H)).imag / _H
        worst = max(worst, float(np.abs(printed - step).max()))
        turned = cross_matrix(u) @ rotation_of_parameters(parameters(u, angle))
        product = max(product, float(np.abs(printed - turned).max()))
        if k < _BUILT:
            model = turning((float(u[0]), float(u[1]), float(u[2])))
            spin = cross_matrix(model.function("frame_wheel_jacobian")([angle])[3:, 0])
            own = spin @ model.function("frame_wheel_pose")([angle])[:3, :3]
            compiled = max(compiled, float(np.abs(printed - own).max()))
    yield at_most("(3.12) - complex step of (2.3)", worst, 1e-14)
    yield at_most("(3.12) - u~ A", product, 1e-14)
    yield at_most("(3.12) - omega~ A of compiled joints", compiled, 1e-14)


CASES = (
    Case(
        24,
        "Random branched chains: M, C, K",
        "chapters 3 and 5",
        f"{SEEDS} chains of all joints, springs, dampers, random states, speeds and "
        "accelerations against complex steps of the Cartesian residual",
        _random_chains,
        note="The factor 2 of (5.1), (5.5) and (5.13) is wrong: symmetric pairs stand in their "
        "places.",
        slow=True,
    ),
    Case(
        25,
        "B' and its derivatives",
        "tables 2.2 and 2.3",
        "along the motion, and by rates",
        _rates_of_b,
        note="Each axis of universal and spherical joints turns with the frame that carries it.",
        slow=True,
    ),
    Case(
        26,
        "Derivatives of axes, distances and B, entry by entry",
        "tables 3.2 to 3.4, sections 5.1 and 5.2",
        "complex steps",
        _blocks,
        note="d(d')/db of a slide is u', not zero.",
        slow=True,
    ),
    Case(
        27,
        "Jacobians of cut joints",
        "tables 2.4 and 2.6",
        "complex steps; rank",
        _cut_joints,
        note="The printed last row of the translational joint adds no rank; u_iy . u_jz is meant.",
    ),
    Case(
        28,
        "Derivatives of springs and dampers",
        "equations 3.21 to 3.35",
        "complex steps",
        _springs,
        note="(3.35) needs the damper's slope, and df/dq its share where the points move.",
        slow=True,
    ),
    Case(29, "Derivative of the rotation matrix", "equation 3.12", "complex step", _rotation),
)
